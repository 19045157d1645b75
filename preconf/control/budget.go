package control

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
)

// MaxHeld is how many bytes a network holds of each kind of thing that stays until it is over or read, about as they
// are in memory.
const MaxHeld = 64 << 20

// BudgetError is returned for a thing that would make those of its kind take more than MaxHeld.
type BudgetError struct{ Kind string }

// Error names the kind and the limit.
func (e *BudgetError) Error() string {
	remedy := "end those that are not needed"
	if e.Kind == Orphans {
		remedy = "evm_revert to a snapshot before them, or a reset"
	}
	return fmt.Sprintf("the %s of this network would take more than %d bytes: %s", e.Kind, MaxHeld, remedy)
}

// Orphans is the kind of the blocks that reorgs on command removed: they stay readable by hash.
const Orphans = "removed blocks"

// Afford returns a *BudgetError if things of a kind have too many bytes.
func Afford(kind string, bytes int) error {
	if bytes > MaxHeld {
		return &BudgetError{Kind: kind}
	}
	return nil
}

// entrySize is about how many bytes an entry of a list or map takes besides its contents.
const entrySize = 64

// Afford returns a *BudgetError for holds that are too large together.
func (h Holds) Afford() error {
	bytes := 0
	for i := range h {
		bytes += entrySize + 32*len(h[i].Hashes) + 20*len(h[i].Senders)
	}
	return Afford("holds", bytes)
}

// Afford returns a *BudgetError for faults that are too large together. Holds are counted for themselves.
func (f *Faults) Afford() error {
	bytes := 32 * len(f.Alter)
	for i := range f.Omissions {
		bytes += entrySize + 32*len(f.Omissions[i].Hashes)
	}
	return Afford("flashblock faults", bytes)
}

// Afford returns a *BudgetError for courses that are too large together.
func (c Courses) Afford() error {
	bytes := 0
	for i := range c {
		bytes += entrySize * len(c[i].Values) // a big.Int each
	}
	return Afford("courses of the weather", bytes)
}

// Afford returns a *BudgetError for notes that are too large together.
func (n Notes) Afford() error {
	bytes := 0
	for name, note := range n {
		bytes += entrySize + len(name) + len(note)
	}
	return Afford("notes", bytes)
}

// Afford returns a *BudgetError for too many impersonated addresses.
func (a Addresses) Afford() error {
	return Afford("impersonated addresses", len(a)*common.AddressLength)
}
