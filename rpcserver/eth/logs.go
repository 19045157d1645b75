package eth

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// GetLogs serves eth_getLogs: sealed logs in order, then pre-confirmed ones if either bound is pending. All logs are
// read at one moment, so each comes once even while a block is being sealed.
func GetLogs(r *api.Request, object filterObject) (any, error) {
	wanted, err := object.filterFor(&r.Network.Behaviour, r.Network.Provider)
	if err != nil {
		return nil, err
	}
	if object.BlockHash != nil {
		return getBlockLogs(r, object, wanted)
	}
	m := r.Moment()
	span, err := m.LogRange(object.FromBlock.bound(), object.ToBlock.bound())
	head := m.Latest().Number()
	switch {
	case r.Network.LogsAboveHead && (err != nil || !span.Pending && span.First > head):
		return shape.Logs{}, nil
	case err != nil:
		return nil, err
	case r.Network.EmptyRangeIsError && !span.Pending && span.First > head: // else a client may ask for the block after the head
		return nil, &filter.RangeError{From: span.First, To: span.Last, Head: head}
	}
	logs, err := search(r, span, wanted)
	return shape.LogsOf(m, logs), err
}

// getBlockLogs answers for one block by hash. The logs of an orphan are marked removed.
func getBlockLogs(r *api.Request, object filterObject, filter chain.LogFilter) (any, error) {
	m := r.Moment()
	logs, err := m.LogsOf(filter, *object.BlockHash)
	if err != nil {
		return nil, err
	}
	return shape.LogsOf(m, slices.Collect(logs)), nil
}

// maxTopics is the number of topics that a log can have.
const maxTopics = 4

// filterObject describes the wanted logs (contract 2.2-fromBlock and those after it).
type filterObject struct {
	FromBlock *filterBound                  `json:"fromBlock" wanted:"a filter object"`
	ToBlock   *filterBound                  `json:"toBlock"`
	Address   api.OneOrMany[common.Address] `json:"address"`
	Topics    []topicPosition               `json:"topics"`
	BlockHash *common.Hash                  `json:"blockHash"`
}

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

// filterBound is a bound of a filter, or the fault in it, which is an error only if the bound is used.
type filterBound struct {
	api.NumberTag
	problem error
}

func (b *filterBound) UnmarshalJSON(raw []byte) error {
	b.problem = b.NumberTag.UnmarshalJSON(raw)
	return nil
}

// topicPosition holds the values that one topic may have: null or [] means any, and so does a list with null.
type topicPosition []common.Hash

func (p *topicPosition) UnmarshalJSON(raw []byte) error {
	var topics api.OneOrMany[*common.Hash]
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

// filterFor returns addresses and topics for package chain, within the limits of a provider; nil means no limits.
func (f *filterObject) filterFor(b *api.Behaviour, provider *api.Habits) (chain.LogFilter, error) {
	// Contract 2.2-blockHash ignores the bounds.
	if b.HashOrRange && f.BlockHash != nil && (f.FromBlock != nil || f.ToBlock != nil) {
		return chain.LogFilter{}, api.InvalidParams("cannot specify both blockHash and fromBlock/toBlock, choose one or the other")
	}
	if len(f.Topics) > maxTopics {
		return chain.LogFilter{}, api.InvalidParams("filter has %d topics, a log has at most %d", len(f.Topics), maxTopics)
	}
	filter := chain.LogFilter{Addresses: f.Address}
	for _, position := range f.Topics {
		filter.Topics = append(filter.Topics, position)
	}
	if provider == nil {
		return filter, nil
	}
	return filter, provider.CheckFilter(len(filter.Addresses), filter.Topics)
}

var boundTags = map[api.TagKind]filter.Tag{
	api.TagLatest:    filter.Latest,
	api.TagPending:   filter.Pending,
	api.TagSafe:      filter.Safe,
	api.TagFinalized: filter.Finalized,
	api.TagEarliest:  filter.Earliest,
	api.TagNumber:    filter.Number,
}

// bound returns an optional bound of a filter for the timeline.
func (b *filterBound) bound() filter.Bound {
	if b == nil {
		return filter.Bound{}
	}
	return filter.Bound{Tag: boundTags[b.Kind], Number: b.Number}
}

// upcoming returns an error that names the member which a channel of logs as they appear cannot honour.
func (f *filterObject) upcoming(channel string) error {
	if f.BlockHash != nil {
		return api.InvalidParams("%s brings what is to come: a filter with blockHash is for eth_getLogs", channel)
	}
	if to := f.ToBlock.bound().Tag; to == filter.Safe || to == filter.Finalized {
		return api.InvalidParams("%s brings logs as they appear, when no block is %s yet: that toBlock is for eth_getLogs", channel, f.ToBlock.BlockTag)
	}
	return nil
}

// searchStep is the number of blocks that are searched between two looks at the clock.
const searchStep = 1024

// search finds the logs of a range; pre-confirmed ones do not count for the limits (contract 8-range). Its errors have
// the form of a provider's: they name the limit, and a range that would fit.
func search(r *api.Request, span preconf.LogRange, filter chain.LogFilter) ([]*types.Log, error) {
	limits, provider := r.Network.Limits, r.Network.Provider
	if most := limits.LogsMaxRange; most > 0 && span.Blocks() > most {
		if provider != nil {
			return nil, provider.RangeTooLarge(span.First, span.Blocks(), most)
		}
		return nil, retryWith(span.First, span.First+most-1, "query exceeds max block range %d", most)
	}
	var found []*types.Log
	size, room := 0, r.Caller.Room()
	last, err := searchSealed(r, span, filter, func(log *types.Log) error {
		found = append(found, log)
		if size += logSize(log); size > room {
			return answerTooLarge(r)
		}
		// A single block is never cut short: its reader could not ask for less.
		most := limits.LogsMaxResults
		if most == 0 || uint64(len(found)) <= most || span.Blocks() <= 1 {
			return nil
		}
		fits := max(span.First, log.BlockNumber-1)
		if provider != nil && provider.TooManyResults != nil {
			return provider.TooManyResults(span.First, fits, most)
		}
		return retryWith(span.First, fits, "query exceeds max results %d", most)
	})
	if errors.Is(err, errSearchTime) {
		return nil, retryWith(span.First, last, "query exceeds max time %s", limits.LogsTimeout)
	}
	if err != nil {
		return nil, err
	}
	return withPreconfirmed(found, span, filter)
}

// errSearchTime is the error of searchSealed past the limit of time.
var errSearchTime = errors.New("query exceeds max time")

// searchSealed gives the logs of a range's sealed blocks to take, in order, until its first error. It returns the last
// block that it has searched whole.
func searchSealed(r *api.Request, span preconf.LogRange, filter chain.LogFilter, take func(*types.Log) error) (last uint64, err error) {
	deadline := time.Now().Add(r.Network.Limits.LogsTimeout)
	for part := range span.Steps(searchStep) {
		logs, err := part.Logs(filter)
		if err != nil {
			return last, err
		}
		for log := range logs {
			if err := take(log); err != nil {
				return last, err
			}
		}
		last = part.Last
		if err := r.Ctx.Err(); err != nil {
			return last, err
		}
		if last < span.Last && !time.Now().Before(deadline) {
			return last, errSearchTime
		}
	}
	return last, nil
}

// withPreconfirmed appends the pre-confirmed logs of a range.
func withPreconfirmed(found []*types.Log, span preconf.LogRange, filter chain.LogFilter) ([]*types.Log, error) {
	preconfirmed, err := span.Preconfirmed().Logs(filter)
	if err != nil {
		return nil, err
	}
	return slices.AppendSeq(found, preconfirmed), nil
}

// answerTooLarge is the error of a result that does not fit into the answer.
func answerTooLarge(r *api.Request) error {
	return api.TooLarge("answer too large: the limit is %d bytes (--max-answer)", r.Network.Limits.MaxAnswer)
}

// logSize returns the least bytes that a log takes in an answer; it never takes more than twice as many.
func logSize(log *types.Log) int { return 300 + 69*len(log.Topics) + 2*len(log.Data) }

// logRange is the data of an error about too large a query: a range that would fit.
type logRange struct {
	From hexutil.Uint64 `json:"from"`
	To   hexutil.Uint64 `json:"to"`
}

// retryWith is the error of too large a query.
func retryWith(from, to uint64, format string, limit any) *jsonrpc.Error {
	err := api.InvalidParams(format+", retry with the range %d-%d", limit, from, to)
	err.Data = logRange{hexutil.Uint64(from), hexutil.Uint64(to)}
	return err
}
