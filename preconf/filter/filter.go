package filter

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Kind describes what a filter collects.
type Kind int

const (
	// Logs collects logs, and removed logs of a reorg.
	Logs Kind = iota
	// Blocks collects the hashes of new heads.
	Blocks
	// Transactions collects the transactions that enter the pool.
	Transactions
)

// Filter describes which events a client wants.
type Filter struct {
	Kind Kind
	// Logs is for the Kind Logs. Sealed logs are collected unless From is pending, where their block is not outside the
	// bounds' numbers; pre-confirmed ones where either bound is pending, not below a From given by number.
	Logs     chain.LogFilter
	From, To Bound
	// Full asks for whole transactions rather than their hashes (Transactions).
	Full bool
}

// size returns how many bytes the addresses and topics of the filter take.
func (f *Filter) size() int {
	size := 20 * len(f.Logs.Addresses)
	for _, values := range f.Logs.Topics {
		size += 32 * len(values)
	}
	return size
}

// Event is one thing that happened, of the kind that collects it.
type Event struct {
	Kind         Kind
	Logs         []*types.Log
	Preconfirmed bool        // the logs are pre-confirmed ones
	Hash         common.Hash // of a new head, or of a transaction
	Pooled       *pool.Entry // nil if no filter asked for whole transactions when it was noted
}

// Changes holds the items that a filter collected since it was last read.
type Changes struct {
	Kind   Kind
	Logs   []*types.Log  // Logs
	Hashes []common.Hash // Blocks, and Transactions unless Full: in the order they entered the pool
	Pooled []*pool.Entry // Transactions that is Full, in the same order
	// Full reports that the filter was installed for whole transactions.
	Full bool
}

// UnknownError is returned when no filter has this id, and when it is not a filter of logs where one is needed. A
// filter that was removed because nobody read it is unknown, too.
type UnknownError struct{ ID uint64 }

func (e *UnknownError) Error() string { return fmt.Sprintf("filter not found: %#x", e.ID) }

// LimitError is returned when as many filters are installed as are allowed.
type LimitError struct{ Limit int }

func (e *LimitError) Error() string {
	return fmt.Sprintf("cannot install another filter: the limit is %d filters, uninstall those that are not needed", e.Limit)
}

// collect adds to changes what f collects from e.
func (f *Filter) collect(e *Event, changes *Changes) {
	switch {
	case f.Kind != e.Kind:
	case f.Full:
		changes.Pooled = append(changes.Pooled, e.Pooled)
	case f.Kind != Logs:
		changes.Hashes = append(changes.Hashes, e.Hash)
	default:
		for _, l := range e.Logs {
			covers := f.From.Tag != Pending && !f.To.Below(l.BlockNumber)
			if e.Preconfirmed {
				covers = f.From.Tag == Pending || f.To.Tag == Pending
			}
			if covers && !f.From.after(l.BlockNumber) && f.Logs.Matches(l) {
				changes.Logs = append(changes.Logs, l)
			}
		}
	}
}

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

// Sealed returns the bound without pre-confirmation, where pending is latest.
func (b Bound) Sealed() Bound {
	if b.Tag == Pending {
		b.Tag = Latest
	}
	return b
}

// Below reports whether the bound is a block below n, by its number or as the earliest.
func (b Bound) Below(n uint64) bool { return (b.Tag == Number || b.Tag == Earliest) && b.Number < n }

// after reports whether the bound is the number of a block above n.
func (b Bound) after(n uint64) bool { return b.Tag == Number && b.Number > n }

// Range is a range of blocks.
type Range struct {
	// First and Last are the sealed blocks; none where First > Last.
	First, Last uint64
	// Pending reports that the pre-confirmed blocks from PendingFirst on belong to it.
	Pending      bool
	PendingFirst uint64
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

// Between resolves two bounds as eth_getLogs does (contract 2.2-fromBlock). Left out, both are latest, but a lone from
// of pending means pending to pending. Where either is pending the pre-confirmed blocks belong to the range, those not
// below a from given by number. A from above the head with a to given by tag is an empty range. numberOf returns the
// number of the sealed block that a tag names. Error: *RangeError.
func Between(from, to Bound, numberOf func(Tag) uint64) (Range, error) {
	resolve := func(b Bound) uint64 {
		switch b.Tag {
		case Number:
			return b.Number
		case Unset, Pending:
			return numberOf(Latest)
		}
		return numberOf(b.Tag)
	}
	head := numberOf(Latest)
	r := Range{First: resolve(from), Last: resolve(to)}
	if from.Tag == Pending || to.Tag == Pending {
		r.Pending = true
		if from.Tag == Pending {
			r.First = head + 1
		}
		r.PendingFirst, r.Last = r.First, min(r.Last, head)
		return r, nil
	}
	beyond := to.Tag == Number && r.Last > head
	reversed := r.First > r.Last && (r.First <= head || from.Tag == Number && to.Tag == Number)
	if beyond || reversed {
		return Range{}, &RangeError{From: r.First, To: r.Last, Head: head}
	}
	return r, nil
}

// Blocks returns how many sealed blocks the range has.
func (r Range) Blocks() uint64 {
	if r.First > r.Last {
		return 0
	}
	return r.Last - r.First + 1
}
