package control

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Control is the part of a node's state that commands set.
type Control struct {
	Clock    Clock
	Settings Settings
	Next     Next
	Faults   Faults
	Weather  Courses  `json:",omitempty"`
	Replicas Replicas `json:",omitzero"`
	Notes    Notes    `json:",omitempty"`

	Coming    FromL1 // after the block that has begun
	Deposited uint64 // deposits so far, which makes each of them differ

	Marks
	Announced uint64 `json:",omitempty"` // flashblocks so far
	Reorgs    uint64 // makes the blocks of each branch differ
	Orphaned  int    `json:",omitempty"` // about how many bytes the blocks take that reorgs removed
	Edited    bool   // the state of some block was edited beyond what its transactions did
	Silent    bool   `json:",omitempty"` // a fault took flashblocks back, and readers learn of it only with the next one

	Impersonated   Addresses
	ImpersonateAll bool
	// Recovered holds the addresses that ecrecover returns for signatures of 65 bytes, in hex. It is immutable.
	Recovered map[string]common.Address `json:",omitempty"`

	Suspended *Suspended `json:"Aside,omitempty"` // what waits for the end of a scenario; nil: nothing
}

// Suspended holds the settings that wait for the end of a scenario, or for the node that goes on where another one
// crashed within it.
type Suspended struct {
	Faults  Faults
	Weather Courses `json:",omitempty"`
	Instant bool    `json:",omitempty"` // blocks are made by transactions again
}

// WithoutFaults returns c with no fault but the context lag, and without weather. These are suspended.
func (c Control) WithoutFaults() Control {
	c.Suspended = &Suspended{c.Faults, c.Weather, c.Settings.Mode == Instant}
	c.Faults, c.Weather = Faults{Lag: c.Faults.Lag}, nil
	return c
}

// RestoreFaults returns c with the faults and the weather that were suspended.
func (c Control) RestoreFaults() Control {
	if c.Suspended != nil {
		c.Faults, c.Weather, c.Suspended = c.Suspended.Faults, c.Suspended.Weather, nil
	}
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

// With returns the set with or without an address.
func (a Addresses) With(address common.Address, in bool) Addresses {
	at, found := slices.BinarySearchFunc(a, address, common.Address.Cmp)
	switch {
	case in && !found:
		return slices.Insert(slices.Clip(a), at, address)
	case !in && found:
		return slices.Delete(slices.Clone(a), at, at+1)
	}
	return a
}

// Settings are the values by which the producer makes every block.
type Settings struct {
	Mode      Mode
	BlockTime time.Duration
	Interval  *uint64 // seconds between timestamps; nil: by slots
	Coinbase  common.Address
	GasLimit  uint64 // 0: the parent's
}

// Next holds the settings of the next block only.
type Next struct {
	Time       *uint64 // Unix seconds
	BaseFee    *big.Int
	PrevRandao *common.Hash
	FromL1     FromL1
}

// Mode describes what makes flashblocks and blocks.
type Mode int

// The modes. Zero is none of them, so that a Config that asks for Manual differs from one that leaves the mode open.
const (
	// Interval makes a flashblock every FlashblockTime and a block every BlockTime of the clock, empty or not.
	Interval Mode = iota + 1
	// Instant seals one block per transaction before Send returns.
	Instant
	// Manual makes them on command: Preconfirm, Seal and Advance.
	Manual
)

// OrManual returns the mode, or Manual for zero.
func (m Mode) OrManual() Mode { return cmp.Or(m, Manual) }

// Check returns an error unless m is one of the modes.
func (m Mode) Check() error {
	if m < Interval || m > Manual {
		return fmt.Errorf("unknown seal mode %d", int(m))
	}
	return nil
}

// String returns the mode's name on the command line.
func (m Mode) String() string {
	switch m {
	case Manual:
		return "manual"
	case Interval:
		return "interval"
	case Instant:
		return "instant"
	}
	return fmt.Sprintf("Mode(%d)", int(m))
}

// FromL1 holds the changes that L1 brings into a block of an OP-stack chain. It is immutable.
type FromL1 struct {
	L1       *optimism.L1 `json:",omitempty"` // nil: the parent's
	Deposits Deposits     `json:",omitempty"`
}

// With returns f followed by later.
func (f FromL1) With(later FromL1) FromL1 {
	if later.L1 != nil {
		f.L1 = later.L1
	}
	f.Deposits = append(slices.Clip(f.Deposits), later.Deposits...)
	return f
}

// IsEmpty reports whether L1 brings no change.
func (f FromL1) IsEmpty() bool { return f.L1 == nil && len(f.Deposits) == 0 }

// Deposits are deposits in their order. In JSON each has its typed encoding.
type Deposits []*optimism.Deposit

// Gas returns the gas of all deposits together.
func (d Deposits) Gas() (gas uint64) {
	for _, deposit := range d {
		gas += deposit.Gas
	}
	return gas
}

// MarshalJSON encodes the deposits.
func (d Deposits) MarshalJSON() ([]byte, error) {
	encoded := make([][]byte, len(d))
	for i, deposit := range d {
		var err error
		if encoded[i], err = deposit.MarshalBinary(); err != nil {
			return nil, err
		}
	}
	return json.Marshal(encoded)
}

// UnmarshalJSON decodes what MarshalJSON encoded.
func (d *Deposits) UnmarshalJSON(text []byte) error {
	var encoded [][]byte
	if err := json.Unmarshal(text, &encoded); err != nil {
		return err
	}
	*d = make(Deposits, len(encoded))
	for i, deposit := range encoded {
		var err error
		if (*d)[i], err = optimism.UnmarshalDeposit(deposit); err != nil {
			return err
		}
	}
	return nil
}

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

// CheckBudget returns a *BudgetError if things of a kind have too many bytes.
func CheckBudget(kind string, bytes int) error {
	if bytes > MaxHeld {
		return &BudgetError{Kind: kind}
	}
	return nil
}

// entrySize is about how many bytes an entry of a list or map takes besides its contents.
const entrySize = 64

// CheckBudget returns a *BudgetError for values of a kind that are too large together.
func (c *Control) CheckBudget() error {
	holds, faults, weather, notes := 0, 32*len(c.Faults.Alter), 0, 0
	for _, h := range c.Faults.Holds {
		holds += entrySize + 32*len(h.Hashes) + 20*len(h.Senders)
	}
	for _, o := range c.Faults.Omissions {
		faults += entrySize + 32*len(o.Hashes)
	}
	for _, course := range c.Weather {
		weather += entrySize * len(course.Values) // a big.Int each
	}
	for name, note := range c.Notes {
		notes += entrySize + len(name) + len(note)
	}
	return cmp.Or(
		CheckBudget("holds", holds), CheckBudget("flashblock faults", faults), CheckBudget("courses of the weather", weather),
		CheckBudget("notes", notes), CheckBudget("impersonated addresses", len(c.Impersonated)*common.AddressLength),
		CheckBudget("impersonated signatures", len(c.Recovered)*4*entrySize),
	)
}
