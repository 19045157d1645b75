package preconf

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// FlashblockFault is one fault of pre-confirmation on command. Subscribers are not notified, as on real nodes, unless
// Retract is set. Fields that do not apply to Kind are rejected.
type FlashblockFault struct {
	// Kind is what goes wrong: DropFlashblocks, OmitTransactions, AlterLogs, DuplicateFlashblock, StallFlashblocks,
	// LateBlock or LagContext.
	Kind FaultKind
	// Count is how many flashblocks, transactions or blocks, by Kind. Zero: 1. At most 1,000,000; of DuplicateFlashblock
	// 10,000.
	Count int
	// Gone loses the transactions of DropFlashblocks and OmitTransactions, for the reason ErrGone. False: they go back
	// to the pool.
	Gone bool
	// Hashes of the transactions of OmitTransactions, not sealed yet, and of AlterLogs, not announced yet; at least
	// one, and no Count. Nil: by Count.
	Hashes []common.Hash
	// Retract sends the logs that were announced and taken back once more, with Removed set: of DropFlashblocks,
	// OmitTransactions and StallFlashblocks.
	Retract bool
}

// FaultResult reports what a fault changed.
type FaultResult struct {
	// Transactions that are not pre-confirmed any more, in their order.
	Transactions []common.Hash
	// Flashblocks taken back or announced again.
	Flashblocks int
	// Armed reports that the fault takes effect later.
	Armed bool
}

var (
	// ErrNoFlashblock is returned when the pending block has too few flashblocks for the fault.
	ErrNoFlashblock = errors.New("not that many flashblocks in the pending block")
	// ErrGone is why a transaction that a fault lost was dropped.
	ErrGone = errors.New("lost by a flashblock fault on command")
)

const (
	// maxFaultCount bounds FlashblockFault.Count.
	maxFaultCount = 1_000_000
	// maxDuplicates is how many events one fault may emit at once: no reader that keeps up may fall behind by more than
	// its buffer.
	maxDuplicates = 10_000
)

// faults are those that are armed. The value is immutable.
type faults struct {
	lag         uint64
	stalled     int
	lateBlocks  int
	alterations int // flashblocks to alter
	alter       []common.Hash
	omissions   []omission // oldest first
	held        []held     // oldest first
}

// FlashblockFault lets something go wrong with flashblocks. Errors: those of
// Moment.NoFlashblocks, ErrNoFlashblock, or what is wrong
// with f. On an error nothing changed.
func (t *Timeline) FlashblockFault(f FlashblockFault) (FaultResult, error) {
	var result FaultResult
	err := t.change(func(c *change) error {
		var err error
		result, err = c.fault(f)
		return err
	})
	return result, err
}

// ClearFlashblockFaults disarms all faults and ends all holds; the context lag is the configured one again. A late
// block stays late.
func (t *Timeline) ClearFlashblockFaults() {
	t.set(func(c *change) { c.faults = faults{lag: c.cfg.PendingLag} })
}

// Late reports whether a sealed block is not announced yet.
func (m *Moment) Late() bool { return m.late != nil }

// Undisturbed calls f while no fault is armed but the context lag, and no Weather is in force. Those from before are so
// again after it, also when f fails or panics. Call it inside Atomically, so that no other writer gets in between.
func (t *Timeline) Undisturbed(f func() error) error {
	var armed faults
	var courses weather
	t.set(func(c *change) {
		armed, c.faults = c.faults, faults{lag: c.faults.lag}
		courses, c.weather = c.weather, nil
	})
	defer t.set(func(c *change) { c.faults, c.weather = armed, courses })
	return f()
}

func (c *change) fault(f FlashblockFault) (FaultResult, error) {
	if err := c.noFlashblocks(); err != nil {
		return FaultResult{}, err
	}
	if err := f.check(); err != nil {
		return FaultResult{}, err
	}
	if err := c.checkHashes(f); err != nil {
		return FaultResult{}, err
	}
	f.Count = max(f.Count, 1)
	result, err := faultKinds[f.Kind].do(c, f)
	if err == nil {
		c.emit(&Event{Kind: FlashblockDisturbed, Fault: f, FaultResult: result})
	}
	return result, err
}

func (c *change) dropFlashblocks(f FlashblockFault) (FaultResult, error) {
	if c.tip == nil || f.Count > c.tip.index+1 {
		return FaultResult{}, fmt.Errorf("cannot drop %d: %w", f.Count, ErrNoFlashblock)
	}
	to := c.tip
	for range f.Count {
		to = to.prev
	}
	return c.takeBack(to, f), nil
}

func (c *change) stall(f FlashblockFault) (FaultResult, error) {
	c.faults.stalled += f.Count
	result := c.takeBack(nil, f)
	result.Armed = true
	return result, nil
}

func (c *change) armOmission(f FlashblockFault) (FaultResult, error) {
	o := omission{hashes: slices.Clone(f.Hashes), gone: f.Gone, retract: f.Retract}
	if f.Hashes == nil {
		o.last = f.Count
	}
	c.faults.omissions = append(slices.Clip(c.faults.omissions), o)
	return FaultResult{Armed: true}, nil
}

func (c *change) armAlteration(f FlashblockFault) (FaultResult, error) {
	c.faults.alter = append(slices.Clip(c.faults.alter), f.Hashes...)
	if f.Hashes == nil {
		c.faults.alterations += f.Count
	}
	return FaultResult{Armed: true}, nil
}

func (c *change) armLateness(f FlashblockFault) (FaultResult, error) {
	c.faults.lateBlocks += f.Count
	return FaultResult{Armed: true}, nil
}

func (c *change) setLag(f FlashblockFault) (FaultResult, error) {
	c.faults.lag = uint64(f.Count)
	return FaultResult{}, nil
}

// takeBack makes an earlier flashblock the newest, or none where to is nil.
func (c *change) takeBack(to *slice, f FlashblockFault) FaultResult {
	var result FaultResult
	var entries []*entry
	from := c.tip
	taken := from.all()
	if to != nil {
		taken = taken[to.index+1:]
	}
	for _, s := range taken {
		entries = append(entries, s.entries...)
	}
	hashes := make(map[common.Hash]bool)
	for _, e := range entries {
		hashes[e.tx.Hash()] = true
		result.Transactions = append(result.Transactions, e.tx.Hash())
	}
	result.Flashblocks = len(taken)
	if f.Retract {
		c.retract(from, hashes)
	}
	c.tip, c.silent = to, true
	if f.Gone {
		c.lose(entries)
	} else {
		c.requeue(entries)
	}
	return result
}

func (c *change) duplicate(f FlashblockFault) (FaultResult, error) {
	if c.tip == nil {
		return FaultResult{}, fmt.Errorf("cannot duplicate: %w", ErrNoFlashblock)
	}
	if f.Count > maxDuplicates {
		return FaultResult{}, fmt.Errorf("cannot duplicate %d times: the limit is %d", f.Count, maxDuplicates)
	}
	c.tip = c.tip.told()
	for range f.Count {
		c.tell()
	}
	return FaultResult{Flashblocks: f.Count}, nil
}

// retract notifies readers that the logs of these transactions are void, as they were announced in the block up to s:
// its transactions may have been executed anew since.
func (c *change) retract(s *slice, hashes map[common.Hash]bool) {
	var logs []*types.Log
	for _, f := range s.all() {
		for _, l := range f.announced {
			if hashes[l.TxHash] {
				logs = append(logs, l)
			}
		}
	}
	if len(logs) > 0 {
		c.emit(&Event{Kind: LogsRetracted, Logs: removedLogs(logs)})
	}
}
