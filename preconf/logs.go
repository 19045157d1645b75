package preconf

import (
	"fmt"
	"iter"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Tag names a block by its place in the chain.
type Tag int

const (
	// Unset is a bound that was left out.
	Unset Tag = iota
	// Number is the block with the bound's Number.
	Number
	Earliest
	Finalized
	Safe
	Latest
	Pending
)

// Bound is one end of a range of blocks. The zero Bound was left out.
type Bound struct {
	Tag    Tag
	Number uint64 // with Tag Number
}

// At returns the bound of a block number.
func At(n uint64) Bound { return Bound{Tag: Number, Number: n} }

// after reports whether the bound is the number of a block above n.
func (b Bound) after(n uint64) bool { return b.Tag == Number && b.Number > n }

// sealed returns the bound without pre-confirmation, where pending is latest.
func (b Bound) sealed() Bound {
	if b.Tag == Pending {
		b.Tag = Latest
	}
	return b
}

// RangeError reports an invalid range of blocks.
type RangeError struct {
	From, To, Head uint64
}

func (e *RangeError) Error() string {
	if e.To > e.Head {
		return fmt.Sprintf("block range extends beyond current head block: to %#x, head %#x", e.To, e.Head)
	}
	return fmt.Sprintf("invalid block range params: from %#x is above to %#x", e.From, e.To)
}

// LogRange is a range of blocks of one Moment.
type LogRange struct {
	moment *Moment
	// First and Last are the sealed blocks; none where First > Last.
	First, Last uint64
	// Pending reports that the pre-confirmed blocks from PendingFirst on belong to it.
	Pending      bool
	PendingFirst uint64
}

// Blocks returns how many sealed blocks the range has.
func (r LogRange) Blocks() uint64 {
	if r.First > r.Last {
		return 0
	}
	return r.Last - r.First + 1
}

// LogRange resolves two bounds as eth_getLogs does (contract 2.2-fromBlock). Left out, both are latest, but a lone from
// of pending means pending to pending. Where either is pending the pre-confirmed blocks belong to the range, those not
// below a from given by number. A from above the head with a to given by tag is an empty range. Error: *RangeError.
func (m *Moment) LogRange(from, to Bound) (LogRange, error) {
	head := m.chain.Head().Number()
	if to.Tag == Unset && from.Tag == Pending {
		to.Tag = Pending
	}
	r := LogRange{moment: m, First: m.resolve(from), Last: m.resolve(to)}
	if m.noFlashblocks() == nil && (from.Tag == Pending || to.Tag == Pending) {
		r.Pending = true
		if from.Tag == Pending {
			r.First = head + 1
		}
		r.PendingFirst, r.Last = r.First, min(r.Last, head)
		return r, nil
	}
	if to.Tag == Number && r.Last > head {
		return LogRange{}, &RangeError{From: r.First, To: r.Last, Head: head}
	}
	if r.First > r.Last && r.First <= head {
		return LogRange{}, &RangeError{From: r.First, To: r.Last, Head: head}
	}
	if from.Tag == Number && to.Tag == Number && r.First > r.Last {
		return LogRange{}, &RangeError{From: r.First, To: r.Last, Head: head}
	}
	return r, nil
}

// resolve returns the number that a bound means; pending means the head.
func (m *Moment) resolve(b Bound) uint64 {
	switch b.Tag {
	case Number:
		return b.Number
	case Earliest:
		return 0
	case Finalized:
		return m.finalizedNumber()
	case Safe:
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

// Logs returns the logs between two bounds that match: LogRange and its Logs in one. Errors: *RangeError, and on a fork
// *remote.Error.
func (m *Moment) Logs(f chain.LogFilter, from, to Bound) (iter.Seq[*types.Log], error) {
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
// where no block has. It remembers the last block, as logs of one stand together, so it is not for concurrent use.
func (m *Moment) LogTimes() func(*types.Log) (ms uint64, ok bool) {
	c := m.chain
	if c.BlockTime() == 0 {
		return nil
	}
	var block common.Hash
	var ms uint64
	var ok bool
	return func(log *types.Log) (uint64, bool) {
		if c.Ancestral(log.BlockNumber) {
			return c.MillisecondsBelow(log.BlockNumber, log.BlockTimestamp)
		}
		if log.BlockHash != block {
			block, ms, ok = log.BlockHash, 0, false
			if v, err := m.ByHash(block); err == nil {
				ms, ok = v.Milliseconds()
			}
		}
		return ms, ok
	}
}
