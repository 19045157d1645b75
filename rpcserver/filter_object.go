package rpcserver

import (
	"encoding/json"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
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
	numberTag
	problem error
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *filterBound) UnmarshalJSON(raw []byte) error {
	b.problem = b.numberTag.UnmarshalJSON(raw)
	return nil
}

// topicPosition is what one topic of a log may be: null or [] is anything, so is a list with null in it.
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
		return chain.LogFilter{}, invalidParams("filter has %d topics, a log has at most %d", len(f.Topics), maxTopics)
	}
	filter := chain.LogFilter{Addresses: f.Address}
	for _, position := range f.Topics {
		filter.Topics = append(filter.Topics, position)
	}
	return filter, nil
}

// boundTags are the tags that a bound can be.
var boundTags = map[tagKind]preconf.Tag{
	tagLatest:    preconf.Latest,
	tagPending:   preconf.Pending,
	tagSafe:      preconf.Safe,
	tagFinalized: preconf.Finalized,
	tagEarliest:  preconf.Earliest,
	tagNumber:    preconf.Number,
}

// bound returns an optional bound of a filter as the timeline takes it.
func (b *filterBound) bound() preconf.Bound {
	if b == nil {
		return preconf.Bound{}
	}
	return preconf.Bound{Tag: boundTags[b.Kind], Number: b.Number}
}
