package filter

import "fmt"

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
