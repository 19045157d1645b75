package rpcserver

import (
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// searchStep is how many blocks are searched between two looks at the clock.
const searchStep = 1024

// search finds the logs of a range, within the limits (contract 8-range); pre-confirmed ones count
// towards none of them.
func (r *request) search(span preconf.LogRange, filter chain.LogFilter) ([]*types.Log, error) {
	found, err := r.searchSealed(span, filter)
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
func (r *request) searchSealed(span preconf.LogRange, filter chain.LogFilter) ([]*types.Log, error) {
	limits := r.served.limits
	if most := limits.LogsMaxRange; most > 0 && span.Blocks() > most {
		if r.served.provider != nil {
			return nil, r.served.provider.rangeTooLarge(span.First, span.Blocks(), most)
		}
		return nil, retryWith(span.First, span.First+most-1, "query exceeds max block range %d", most)
	}
	timeout := limits.LogsTimeout
	deadline := time.Now().Add(timeout)
	var found []*types.Log
	size, room := 0, r.caller.Room()
	for part := range span.Steps(searchStep) {
		logs, err := part.Logs(filter)
		if err != nil {
			return nil, err
		}
		for log := range logs {
			found = append(found, log)
			if size += logSize(log); size > room {
				return nil, r.answerTooLarge()
			}
			// A single block is never cut short: its reader could not ask for less.
			if most := limits.LogsMaxResults; most > 0 && uint64(len(found)) > most && span.Blocks() > 1 {
				if r.served.provider != nil && r.served.provider.tooManyResults != nil {
					return nil, r.served.provider.tooManyResults(span.First, max(span.First, log.BlockNumber-1), most)
				}
				return nil, retryWith(span.First, max(span.First, log.BlockNumber-1), "query exceeds max results %d", most)
			}
		}
		if err := r.ctx.Err(); err != nil {
			return nil, err
		}
		if part.Last < span.Last && !time.Now().Before(deadline) {
			return nil, retryWith(span.First, part.Last, "query exceeds max time %s", timeout)
		}
	}
	return found, nil
}

// answerTooLarge is the error of a result that the answer has no room for.
func (r *request) answerTooLarge() error {
	return errorf(codeServer, "answer too large: the limit is %d bytes (--max-answer)", r.served.limits.MaxAnswer)
}

// logSize returns the least that a log takes in an answer, in bytes.
func logSize(log *types.Log) int { return 300 + 69*len(log.Topics) + 2*len(log.Data) }

// logRange is the data of an error about too large a query: a range that would do.
type logRange struct {
	From hexutil.Uint64 `json:"from"`
	To   hexutil.Uint64 `json:"to"`
}

// retryWith is the error of too large a query.
func retryWith(from, to uint64, format string, limit any) *Error {
	err := invalidParams(format+", retry with the range %d-%d", limit, from, to)
	err.Data = logRange{hexutil.Uint64(from), hexutil.Uint64(to)}
	return err
}
