package preconf

import (
	"errors"
	"iter"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/filter"
)

// LogRange is a range of blocks of one Moment.
type LogRange struct {
	filter.Range
	moment *Moment
}

// LogRange resolves two bounds (filter.Between), where pending may be latest, see shown. Error: *filter.RangeError.
func (m *Moment) LogRange(from, to filter.Bound) (LogRange, error) {
	r, err := filter.Between(m.shown(from), m.shown(to), m.numberOf)
	if span, is := errors.AsType[*filter.RangeError](err); is && m.cfg.ClipLogs && span.From <= span.Head {
		r, err = filter.Range{First: span.From, Last: min(span.To, span.Head)}, nil
	}
	return LogRange{r, m}, err
}

// shown returns a bound as this node has it: pending is latest where there are no flashblocks, and with
// Config.PendingPool while nothing is pre-confirmed.
func (m *Moment) shown(b filter.Bound) filter.Bound {
	if m.NoFlashblocks() != nil || m.cfg.PendingPool && m.newestPending() == nil {
		return b.Sealed()
	}
	return b
}

// numberOf returns the number of the sealed block that a tag names.
func (m *Moment) numberOf(tag filter.Tag) uint64 {
	switch tag {
	case filter.Earliest:
		return m.EarliestNumber()
	case filter.Finalized:
		return m.finalizedNumber()
	case filter.Safe:
		return m.safeNumber()
	}
	return m.chain.Head().Number()
}

// Steps splits the sealed part of the range into ranges of at most n blocks. What is at or below a fork block is one of
// them, however long: its logs are one request.
func (r LogRange) Steps(n uint64) iter.Seq[LogRange] {
	return func(yield func(LogRange) bool) {
		step := LogRange{moment: r.moment}
		for first := r.First; first <= r.Last; first = step.Last + 1 {
			step.First, step.Last = first, min(first+n-1, r.Last)
			if c := r.moment.chain; c.Ancestral(first) {
				step.Last = min(c.Base(), r.Last)
			}
			if !yield(step) {
				return
			}
		}
	}
}

// Preconfirmed returns the range without its sealed blocks.
func (r LogRange) Preconfirmed() LogRange {
	r.First, r.Last = 1, 0
	return r
}

// Logs returns the logs that match, sealed ones first, then pre-confirmed ones, each once, in the order of the chain.
// The error is a *remote.Error.
func (r LogRange) Logs(f chain.LogFilter) (iter.Seq[*types.Log], error) {
	sealed := func(func(*types.Log) bool) {}
	if r.First <= r.Last {
		var err error
		if sealed, err = r.moment.chain.Logs(f, r.First, r.Last); err != nil {
			return nil, err
		}
	}
	return func(yield func(*types.Log) bool) {
		for l := range sealed {
			if !yield(l) {
				return
			}
		}
		if !r.Pending {
			return
		}
		for _, v := range r.moment.PendingBlocks() {
			if v.Number() < r.PendingFirst {
				continue
			}
			for _, l := range v.Logs() {
				if f.Matches(l) && !yield(l) {
					return
				}
			}
		}
	}, nil
}

// Logs returns the logs between two bounds that match: LogRange and its Logs in one. Errors: *filter.RangeError, and on
// a fork *remote.Error.
func (m *Moment) Logs(f chain.LogFilter, from, to filter.Bound) (iter.Seq[*types.Log], error) {
	r, err := m.LogRange(from, to)
	if err != nil {
		return nil, err
	}
	return r.Logs(f)
}

// LogsOf returns the logs of the block with that hash that match; an orphan's have Removed set. Errors:
// *UnknownBlockError, and on a fork *remote.Error.
func (m *Moment) LogsOf(f chain.LogFilter, hash common.Hash) (iter.Seq[*types.Log], error) {
	v, err := m.ByHash(hash)
	if err != nil {
		return nil, err
	}
	if !v.Orphan() {
		return m.chain.Logs(f, v.Number(), v.Number())
	}
	return func(yield func(*types.Log) bool) {
		for _, l := range v.Logs() {
			if f.Matches(l) && !yield(l) {
				return
			}
		}
	}, nil
}

// LogTimes returns a function that returns the time of a log's block in Unix milliseconds, and whether it has one; nil
// where no block has.
func (m *Moment) LogTimes() func(*types.Log) (ms uint64, ok bool) {
	c := m.chain
	if c.BlockTime() == 0 {
		return nil
	}
	return func(log *types.Log) (ms uint64, ok bool) {
		if c.Ancestral(log.BlockNumber) {
			return c.MillisecondsBelow(log.BlockNumber, log.BlockTimestamp)
		}
		v, err := m.ByHash(log.BlockHash)
		if err != nil {
			return 0, false
		}
		return v.Milliseconds()
	}
}
