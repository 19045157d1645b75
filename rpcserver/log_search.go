package rpcserver

import (
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// searchStep is how many blocks are searched between two looks at the clock.
const searchStep = 1024

// search finds the logs of a range, within the limits (contract 8-range); pre-confirmed ones count
// towards none of them.
func search(r *api.Request, span preconf.LogRange, filter chain.LogFilter) ([]*types.Log, error) {
	found, err := searchSealed(r, span, filter)
	if err != nil {
		return nil, err
	}
	preconfirmed, err := span.Preconfirmed().Logs(filter)
	if err != nil {
		return nil, err
	}
	return slices.AppendSeq(found, preconfirmed), nil
}

// searchSealed finds the logs of a range's sealed blocks. Its errors are those of a provider: they say the
// limit, and a range that would do.
func searchSealed(r *api.Request, span preconf.LogRange, filter chain.LogFilter) ([]*types.Log, error) {
	limits := r.Network.Limits
	if most := limits.LogsMaxRange; most > 0 && span.Blocks() > most {
		if r.Network.Provider != nil {
			return nil, r.Network.Provider.RangeTooLarge(span.First, span.Blocks(), most)
		}
		return nil, retryWith(span.First, span.First+most-1, "query exceeds max block range %d", most)
	}
	timeout := limits.LogsTimeout
	deadline := time.Now().Add(timeout)
	var found []*types.Log
	size, room := 0, r.Caller.Room()
	for part := range span.Steps(searchStep) {
		logs, err := part.Logs(filter)
		if err != nil {
			return nil, err
		}
		for log := range logs {
			found = append(found, log)
			if size += logSize(log); size > room {
				return nil, answerTooLarge(r)
			}
			// A single block is never cut short: its reader could not ask for less.
			if most := limits.LogsMaxResults; most > 0 && uint64(len(found)) > most && span.Blocks() > 1 {
				if r.Network.Provider != nil && r.Network.Provider.TooManyResults != nil {
					return nil, r.Network.Provider.TooManyResults(span.First, max(span.First, log.BlockNumber-1), most)
				}
				return nil, retryWith(span.First, max(span.First, log.BlockNumber-1), "query exceeds max results %d", most)
			}
		}
		if err := r.Ctx.Err(); err != nil {
			return nil, err
		}
		if part.Last < span.Last && !time.Now().Before(deadline) {
			return nil, retryWith(span.First, part.Last, "query exceeds max time %s", timeout)
		}
	}
	return found, nil
}

// answerTooLarge is the error of a result that the answer has no room for.
func answerTooLarge(r *api.Request) error {
	return api.TooLarge("answer too large: the limit is %d bytes (--max-answer)", r.Network.Limits.MaxAnswer)
}

// logSize returns the least that a log takes in an answer, in bytes.
func logSize(log *types.Log) int { return 300 + 69*len(log.Topics) + 2*len(log.Data) }

// logRange is the data of an error about too large a query: a range that would do.
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
