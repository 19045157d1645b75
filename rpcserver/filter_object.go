package rpcserver

import (
	"bytes"
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// maxTopics is how many topics a log can have.
const maxTopics = 4

// filterObject describes which logs are wanted (contract 2.2-fromBlock and those after it).
type filterObject struct {
	FromBlock *filterBound              `json:"fromBlock"`
	ToBlock   *filterBound              `json:"toBlock"`
	Address   oneOrMany[common.Address] `json:"address"`
	Topics    []topicPosition           `json:"topics"`
	BlockHash *common.Hash              `json:"blockHash"`
}

func (filterObject) Wanted() string { return "a filter object" }

// UnmarshalJSON implements json.Unmarshaler. With blockHash the bounds are ignored, whatever they are.
func (f *filterObject) UnmarshalJSON(raw []byte) error {
	type plain filterObject
	if err := json.Unmarshal(raw, (*plain)(f)); err != nil {
		return err
	}
	for _, bound := range []*filterBound{f.FromBlock, f.ToBlock} {
		if f.BlockHash == nil && bound != nil && bound.problem != nil {
			return bound.problem
		}
	}
	return nil
}

// filterBound is a bound of a filter, or what is wrong with it: that matters only where the bound does.
type filterBound struct {
	api.NumberTag
	problem error
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *filterBound) UnmarshalJSON(raw []byte) error {
	b.problem = b.NumberTag.UnmarshalJSON(raw)
	return nil
}

// topicPosition holds the values that one topic of a log may have: null or [] means any, and so does a list with null
// in it.
type topicPosition []common.Hash

// UnmarshalJSON implements json.Unmarshaler.
func (p *topicPosition) UnmarshalJSON(raw []byte) error {
	var topics oneOrMany[*common.Hash]
	if err := json.Unmarshal(raw, &topics); err != nil {
		return err
	}
	*p = nil
	for _, topic := range topics {
		if topic == nil {
			*p = nil
			return nil
		}
		*p = append(*p, *topic)
	}
	return nil
}

// filter returns addresses and topics as the engine takes them.
func (f *filterObject) filter() (chain.LogFilter, error) {
	if len(f.Topics) > maxTopics {
		return chain.LogFilter{}, api.InvalidParams("filter has %d topics, a log has at most %d", len(f.Topics), maxTopics)
	}
	filter := chain.LogFilter{Addresses: f.Address}
	for _, position := range f.Topics {
		filter.Topics = append(filter.Topics, position)
	}
	return filter, nil
}

// filterFor is filter within the limits of a provider, nil for nobody's.
func (f *filterObject) filterFor(provider *api.Habits) (chain.LogFilter, error) {
	filter, err := f.filter()
	if err == nil && provider != nil {
		err = provider.CheckFilter(len(filter.Addresses), filter.Topics)
	}
	return filter, err
}

// boundTags are the tags that a bound can be.
var boundTags = map[api.TagKind]preconf.Tag{
	api.TagLatest:    preconf.Latest,
	api.TagPending:   preconf.Pending,
	api.TagSafe:      preconf.Safe,
	api.TagFinalized: preconf.Finalized,
	api.TagEarliest:  preconf.Earliest,
	api.TagNumber:    preconf.Number,
}

// bound returns an optional bound of a filter as the timeline takes it.
func (b *filterBound) bound() preconf.Bound {
	if b == nil {
		return preconf.Bound{}
	}
	return preconf.Bound{Tag: boundTags[b.Kind], Number: b.Number}
}

// oneOrMany is a single T or an array of them; null and [] are both empty. Addresses and topic positions
// of a filter are such (contract 2.2-address, 2.2-topics).
type oneOrMany[T any] []T

// UnmarshalJSON implements json.Unmarshaler.
func (m *oneOrMany[T]) UnmarshalJSON(raw []byte) error {
	*m = nil
	raw = bytes.TrimSpace(raw)
	switch {
	case string(raw) == "null":
		return nil
	case raw[0] == '[':
		return json.Unmarshal(raw, (*[]T)(m))
	}
	one := make([]T, 1)
	if err := json.Unmarshal(raw, &one[0]); err != nil {
		return err
	}
	*m = one
	return nil
}

func (oneOrMany[T]) Wanted() string { return api.Wanted[T]() + ", or an array of such" }
