package control

import (
	"bytes"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
)

// Control is the part of a node's state that commands set.
type Control struct {
	Clock    Clock
	Settings Settings
	Next     Next
	Faults   Faults
	Weather  Courses `json:",omitempty"`
	Notes    Notes   `json:",omitempty"`

	Coming    FromL1 // after the block that has begun
	Deposited uint64 // deposits so far, which makes each of them differ

	Marks
	Reorgs   uint64 // makes the blocks of each branch differ
	Orphaned int    `json:",omitempty"` // about how many bytes the blocks take that reorgs removed
	Edited   bool   // the state of some block was edited beyond what its transactions did
	Silent   bool   `json:",omitempty"` // a fault took flashblocks back, and readers learn of it only with the next one

	Impersonated   Addresses
	ImpersonateAll bool
}

// Undisturbed returns c with no fault but the context lag, and without weather.
func (c Control) Undisturbed() Control {
	c.Faults, c.Weather = Faults{Lag: c.Faults.Lag}, nil
	return c
}

// Marks are the numbers of the blocks that are safe and finalized.
type Marks struct {
	SafeAt, FinalizedAt *uint64 // set on command; nil: behind the head by a lag
	KeptFinalized       uint64  // what reorgs left finalized, however far behind the head
}

// Behind returns the number set, at most the head, or the head less lag, at least the base of the chain.
func Behind(set *uint64, lag, head, base uint64) uint64 {
	if set != nil {
		return min(*set, head)
	}
	return head - min(lag, head-base)
}

// Notes are values of packages above, by name. The map is immutable.
type Notes map[string][]byte

// With returns the notes with a copy of note under a name; nil removes it.
func (n Notes) With(name string, note []byte) Notes {
	changed := maps.Clone(n)
	switch {
	case note == nil:
		delete(changed, name)
		return changed
	case changed == nil:
		changed = make(Notes)
	}
	changed[name] = bytes.Clone(note)
	return changed
}

// Addresses is a set of addresses, in order. It is immutable.
type Addresses []common.Address

// Has reports whether an address is in the set.
func (a Addresses) Has(address common.Address) bool {
	_, found := slices.BinarySearchFunc(a, address, common.Address.Cmp)
	return found
}

// With returns the set with an address.
func (a Addresses) With(address common.Address) Addresses {
	at, found := slices.BinarySearchFunc(a, address, common.Address.Cmp)
	if found {
		return a
	}
	return slices.Insert(slices.Clip(a), at, address)
}

// Without returns the set without an address.
func (a Addresses) Without(address common.Address) Addresses {
	at, found := slices.BinarySearchFunc(a, address, common.Address.Cmp)
	if !found {
		return a
	}
	return slices.Delete(slices.Clone(a), at, at+1)
}
