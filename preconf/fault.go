package preconf

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// FaultKind names what goes wrong with flashblocks.
type FaultKind string

const (
	// DropFlashblocks takes back the newest Count flashblocks of the pending
	// block, at once.
	DropFlashblocks FaultKind = "drop"
	// OmitTransactions leaves pre-confirmed transactions out of the next block
	// that would hold them: those with Hashes, or the last Count.
	OmitTransactions FaultKind = "omit"
	// AlterLogs announces other logs than the block will hold, for the
	// transactions with Hashes, or those in the next Count flashblocks that
	// have logs. A log's data differ in the last byte, or where it has none
	// its last topic; address, position and number of logs do not. The sealed
	// block holds the true ones: it is a valid block.
	AlterLogs FaultKind = "alterLogs"
	// DuplicateFlashblock announces the newest flashblock Count times more, at
	// once.
	DuplicateFlashblock FaultKind = "duplicate"
	// StallFlashblocks swallows the next Count flashblocks. Pending falls back
	// to latest at once, or to a block that is late: what was pre-confirmed
	// after it goes back to the pool, to be sealed in time or announced again.
	StallFlashblocks FaultKind = "stall"
	// LateBlock lets the next Count blocks become head one slot late: until
	// the block after is sealed they stay pending, empty or not, announced or
	// not, and there are two pending blocks once a flashblock follows.
	LateBlock FaultKind = "lateBlock"
	// LagContext lets calls at pending see the block context of Count blocks
	// before, with the present state, until ClearFaults.
	LagContext FaultKind = "lag"
)

// FlashblockFault is one fault on command. Subscribers are not told, as on real
// nodes, unless Retract is set. What a fault of its kind cannot heed is refused.
type FlashblockFault struct {
	Kind FaultKind
	// Count, see Kind. Zero: 1. At most 1,000,000; of DuplicateFlashblock
	// 10,000.
	Count int
	// Gone loses the transactions of DropFlashblocks and OmitTransactions, for
	// the reason ErrGone. False: they go back to the pool.
	Gone bool
	// Hashes of the transactions of OmitTransactions, not sealed yet, and of
	// AlterLogs, not announced yet; at least one, and no Count. Nil: by Count.
	Hashes []common.Hash
	// Retract sends the logs that were announced and taken back once more,
	// with Removed set: of DropFlashblocks, OmitTransactions and
	// StallFlashblocks.
	Retract bool
}

// FaultResult is what a fault changed.
type FaultResult struct {
	// Transactions that are not pre-confirmed any more, in their order.
	Transactions []common.Hash
	// Flashblocks taken back or announced again.
	Flashblocks int
	// Armed: the fault takes effect later.
	Armed bool
}

var (
	// ErrNoFlashblock: the pending block has not the flashblocks the fault is for.
	ErrNoFlashblock = errors.New("not that many flashblocks in the pending block")
	// ErrGone is why a transaction that a fault lost was dropped.
	ErrGone = errors.New("lost by a flashblock fault on command")
)

const (
	// maxFaultCount bounds FlashblockFault.Count.
	maxFaultCount = 1_000_000
	// maxDuplicates is how many events one fault may tell at once: no reader
	// that keeps up may fall behind by more than its buffer.
	maxDuplicates = 10_000
)

// faults are what is armed. Immutable.
type faults struct {
	lag         uint64
	stalled     int
	lateBlocks  int
	alterations int // flashblocks to alter
	alter       []common.Hash
	omissions   []omission // oldest first
}

// Fault lets something go wrong with flashblocks. Errors: ErrNoPreconf,
// ErrNoFlashblock, or what is wrong with f; then nothing changed.
func (t *Timeline) Fault(f FlashblockFault) (FaultResult, error) {
	var result FaultResult
	err := t.change(func(c *change) error {
		var err error
		result, err = c.fault(f)
		return err
	})
	return result, err
}

// ClearFaults disarms all faults; the context lag is the configured one again.
// A late block stays late.
func (t *Timeline) ClearFaults() {
	t.set(func(c *change) { c.faults = faults{lag: c.cfg.PendingLag} })
}

func (c *change) fault(f FlashblockFault) (FaultResult, error) {
	if c.cfg.NoPreconf {
		return FaultResult{}, ErrNoPreconf
	}
	if err := f.check(); err != nil {
		return FaultResult{}, err
	}
	if err := c.checkHashes(f); err != nil {
		return FaultResult{}, err
	}
	count := max(f.Count, 1)
	armed := FaultResult{Armed: true}
	switch f.Kind {
	case DropFlashblocks:
		return c.dropFlashblocks(count, f)
	case DuplicateFlashblock:
		return c.duplicate(count)
	case StallFlashblocks:
		result := c.takeBack(nil, f)
		c.faults.stalled += count
		result.Armed = true
		return result, nil
	case OmitTransactions:
		o := omission{hashes: slices.Clone(f.Hashes), gone: f.Gone, retract: f.Retract}
		if f.Hashes == nil {
			o.last = count
		}
		c.faults.omissions = append(clip(c.faults.omissions), o)
		return armed, nil
	case AlterLogs:
		c.faults.alter = append(clip(c.faults.alter), f.Hashes...)
		if f.Hashes == nil {
			c.faults.alterations += count
		}
		return armed, nil
	case LateBlock:
		c.faults.lateBlocks += count
		return armed, nil
	default: // LagContext
		c.faults.lag = uint64(count)
		return FaultResult{}, nil
	}
}

func (c *change) dropFlashblocks(count int, f FlashblockFault) (FaultResult, error) {
	if c.tip == nil || count > c.tip.index+1 {
		return FaultResult{}, fmt.Errorf("cannot drop %d: %w", count, ErrNoFlashblock)
	}
	to := c.tip
	for range count {
		to = to.prev
	}
	return c.takeBack(to, f), nil
}

// takeBack makes an earlier flashblock the newest; nil: none.
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
	if f.Retract && from != nil {
		c.retract(from, hashes)
	}
	c.tip = to
	if f.Gone {
		c.lose(entries)
	} else {
		c.requeue(entries)
	}
	return result
}

func (c *change) duplicate(count int) (FaultResult, error) {
	if c.tip == nil {
		return FaultResult{}, fmt.Errorf("cannot duplicate: %w", ErrNoFlashblock)
	}
	if count > maxDuplicates {
		return FaultResult{}, fmt.Errorf("cannot duplicate %d times: the limit is %d", count, maxDuplicates)
	}
	for range count {
		f := c.tip.flashblock(c.pendingView(c.tip))
		c.emit(&Event{Kind: FlashblockAdded, View: f.View, Flashblock: f})
	}
	return FaultResult{Flashblocks: count}, nil
}

// retract tells readers that the announced logs of these transactions are void.
func (c *change) retract(s *slice, hashes map[common.Hash]bool) {
	var logs []*types.Log
	for _, l := range s.logs {
		if hashes[l.TxHash] {
			logs = append(logs, l)
		}
	}
	if len(logs) > 0 {
		c.emit(&Event{Kind: LogsRetracted, Logs: removedLogs(logs)})
	}
}
