package preconf

import (
	"bytes"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Saved is a Moment without its blocks and their states, as plain values that can be written and read. It has neither
// filters nor snapshots, and a late block counts as announced. Times are nanoseconds since the Unix epoch unless a
// comment names another unit.
type Saved struct {
	// Given holds values of the Config that the timeline ran with. Where a later Config has the same value, Settings and
	// Faults.Lag hold; where it has another, the Config does.
	Given SavedGiven

	Clock    SavedClock
	Settings SavedSettings
	Next     SavedOverrides
	Faults   SavedFaults
	Weather  []SavedWeather    `json:",omitempty"`
	Notes    map[string][]byte `json:",omitempty"`

	Coming    SavedFromL1 // after the block that has begun
	Deposited uint64      // deposits so far

	SafeAt, FinalizedAt *uint64 // block numbers set on command
	KeptFinalized       uint64
	Reorgs              uint64
	Edited              bool
	Silent              bool `json:",omitempty"` // a fault took flashblocks back since the last one

	Impersonated   []common.Address
	ImpersonateAll bool
	Batches        map[string]string `json:",omitempty"` // ids by name

	L1Head common.Hash // of the L1 below; zero: there is none

	Arrived, Front int64
	Pool           []SavedTransaction // in the order of arrival
	Pending        *SavedPending      // nil: nothing is pre-confirmed
	Dropped        []SavedDrop
}

// SavedGiven are the fields of Config that control methods change at run time.
type SavedGiven struct {
	Mode       Mode
	BlockTime  time.Duration
	PendingLag uint64
}

// SavedClock is the clock.
type SavedClock struct{ Now, Began, Ticks, Floor int64 }

// SavedSettings are the settings of every block.
type SavedSettings struct {
	Mode      Mode
	BlockTime time.Duration
	Interval  *uint64 // seconds between timestamps
	Coinbase  common.Address
	GasLimit  uint64
}

// SavedOverrides are the settings of the next block only.
type SavedOverrides struct {
	Time       *uint64  // Unix seconds
	BaseFee    *big.Int // wei
	PrevRandao *common.Hash
	FromL1     SavedFromL1
}

// SavedFromL1 holds what L1 brings into a block of an OP-stack chain.
type SavedFromL1 struct {
	L1       *optimism.L1 `json:",omitempty"`
	Deposits [][]byte     `json:",omitempty"` // in their typed encoding
}

func (f fromL1) saved() SavedFromL1 {
	s := SavedFromL1{L1: f.l1}
	for _, d := range f.deposits {
		if encoded, err := d.MarshalBinary(); err == nil { // it has a hash, so it can be encoded
			s.Deposits = append(s.Deposits, encoded)
		}
	}
	return s
}

// fromL1 leaves out what is no deposit: the file is checked against damage where it is read.
func (s SavedFromL1) fromL1() fromL1 {
	f := fromL1{l1: s.L1}
	for _, encoded := range s.Deposits {
		if d, err := optimism.UnmarshalDeposit(encoded); err == nil {
			f.deposits = append(f.deposits, d)
		}
	}
	return f
}

// SavedFaults are the armed faults.
type SavedFaults struct {
	Lag                              uint64
	Stalled, LateBlocks, Alterations int
	Alter                            []common.Hash
	Omissions                        []SavedOmission
	Holds                            []SavedHold `json:",omitempty"`
}

// SavedOmission is an armed fault of kind OmitTransactions.
type SavedOmission struct {
	Last          int
	Hashes        []common.Hash
	Gone, Retract bool
}

// SavedTransaction is a transaction that no block holds.
type SavedTransaction struct {
	Raw     []byte // as eth_sendRawTransaction takes it, with its blobs
	Sender  common.Address
	Arrival int64
}

// SavedPending is the pending block.
type SavedPending struct {
	Time        uint64 // Unix seconds
	Flashblocks []SavedFlashblock
	Told        bool   `json:",omitempty"` // the newest was announced as it is
	Origin      uint64 `json:",omitempty"` // number of the L1 block that it refers to
}

// SavedFlashblock is a flashblock of the pending block.
type SavedFlashblock struct {
	Transactions []SavedTransaction
	Altered      []common.Hash // transactions announced with other logs
}

// SavedDrop is why a transaction was dropped.
type SavedDrop struct {
	Hash   common.Hash
	Reason string
}

// Sealed returns the chain with every sealed block, also one that a fault has not announced yet.
func (m *Moment) Sealed() *chain.Chain { return m.builder() }

// Saved returns what New needs, beside the chain of Sealed, to go on from here.
func (m *Moment) Saved() (*Saved, error) {
	s := &Saved{
		Given:          SavedGiven{m.cfg.Mode, m.cfg.BlockTime, m.cfg.PendingLag},
		Clock:          SavedClock{m.clock.now, m.clock.began, m.clock.ticks, m.clock.floor},
		Settings:       SavedSettings{m.settings.mode, m.settings.blockTime, m.settings.interval, m.settings.coinbase, m.settings.gasLimit},
		Next:           SavedOverrides{m.next.time, m.next.baseFee, m.next.prevRandao, m.next.saved()},
		Weather:        m.weather.saved(),
		Notes:          m.notes,
		Coming:         m.coming.saved(),
		Deposited:      m.deposited,
		SafeAt:         m.safeAt,
		FinalizedAt:    m.finalizedAt,
		KeptFinalized:  m.keptFinalized,
		Reorgs:         m.reorgs,
		Edited:         m.edited,
		Silent:         m.silent,
		ImpersonateAll: m.impersonateAll,
		Batches:        m.savedBatches(),
		Arrived:        m.arrived,
		Front:          m.front,
		Faults: SavedFaults{
			Lag: m.faults.lag, Stalled: m.faults.stalled, LateBlocks: m.faults.lateBlocks,
			Alterations: m.faults.alterations, Alter: m.faults.alter, Holds: savedHolds(m.faults.held),
		},
	}
	for _, o := range m.faults.omissions {
		s.Faults.Omissions = append(s.Faults.Omissions, SavedOmission{o.last, o.hashes, o.gone, o.retract})
	}
	for it := m.impersonated.Iterator(); !it.Done(); {
		address, _, _ := it.Next()
		s.Impersonated = append(s.Impersonated, address)
	}
	slices.SortFunc(s.Impersonated, common.Address.Cmp)
	if m.below != nil {
		s.L1Head = m.below.Sealed().Head().Hash()
	}
	var err error
	if s.Pool, err = savedEntries(sortedEntries(m.pool.all)); err != nil {
		return nil, err
	}
	if m.tip != nil {
		s.Pending = &SavedPending{Time: m.tip.draft.Header().Time, Told: m.tip.agreesWith(m.told)}
		if m.derives() {
			s.Pending.Origin = m.tip.draft.L1().Number
		}
		for _, f := range m.tip.all() {
			entries, err := savedEntries(f.entries)
			if err != nil {
				return nil, err
			}
			s.Pending.Flashblocks = append(s.Pending.Flashblocks, SavedFlashblock{entries, sortedHashes(f.altered)})
		}
	}
	s.Dropped = m.dropped.saved()
	return s, nil
}

// savedEntries returns entries as plain values.
func savedEntries(entries []*entry) ([]SavedTransaction, error) {
	saved := make([]SavedTransaction, len(entries))
	for i, e := range entries {
		raw, err := e.tx.MarshalBinary()
		if err != nil {
			return nil, err
		}
		saved[i] = SavedTransaction{raw, e.from, e.arrival}
	}
	return saved, nil
}

// sortedHashes returns the keys of a set.
func sortedHashes(set map[common.Hash]bool) []common.Hash {
	var hashes []common.Hash
	for h, in := range set {
		if in {
			hashes = append(hashes, h)
		}
	}
	slices.SortFunc(hashes, func(a, b common.Hash) int { return bytes.Compare(a[:], b[:]) })
	return hashes
}

// entry returns the transaction as the pool has it.
func (s SavedTransaction) entry() (*entry, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(s.Raw); err != nil {
		return nil, err
	}
	return &entry{tx: tx, from: s.Sender, arrival: s.Arrival}, nil
}
