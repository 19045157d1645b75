package preconf

import (
	"errors"
	"fmt"

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
	// to latest at once: what was pre-confirmed goes back to the pool, to be
	// sealed in time or announced again.
	StallFlashblocks FaultKind = "stall"
	// LateBlock lets the next Count blocks become head one slot late: until
	// the block after is sealed they stay pending, and there are two pending
	// blocks once a flashblock follows.
	LateBlock FaultKind = "lateBlock"
	// LagContext lets calls at pending see the block context of Count blocks
	// before, with the present state, until ClearFaults.
	LagContext FaultKind = "lag"
)

// FlashblockFault is one fault on command. Subscribers are not told, as on real
// nodes, unless Retract is set.
type FlashblockFault struct {
	Kind FaultKind
	// Count, see Kind. Zero: 1.
	Count int
	// Gone loses the transactions of DropFlashblocks and OmitTransactions.
	// False: they go back to the pool.
	Gone bool
	// Hashes of the transactions of OmitTransactions and AlterLogs. Nil: by
	// Count.
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

// ErrNoFlashblock: the pending block has not the flashblocks the fault is for.
var ErrNoFlashblock = errors.New("not that many flashblocks in the pending block")

// faults are what is armed. Immutable.
type faults struct {
	lag         uint64
	stalled     int
	lateBlocks  int
	alterations int // flashblocks to alter
	alter       []common.Hash
	omissions   int // transactions to omit
	omitted     []common.Hash
	omitGone    bool
	omitRetract bool
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
	if f.Count < 0 {
		return FaultResult{}, fmt.Errorf("fault count %d is negative", f.Count)
	}
	count := max(f.Count, 1)
	armed := FaultResult{Armed: true}
	switch f.Kind {
	case DropFlashblocks:
		return c.dropFlashblocks(count, f)
	case DuplicateFlashblock:
		return c.duplicate(count)
	case StallFlashblocks:
		f.Gone = false
		result := c.takeBack(nil, f)
		c.faults.stalled += count
		result.Armed = true
		return result, nil
	case OmitTransactions:
		c.faults.omitted = append(clip(c.faults.omitted), f.Hashes...)
		if f.Hashes == nil {
			c.faults.omissions += count
		}
		c.faults.omitGone, c.faults.omitRetract = f.Gone, f.Retract
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
	case LagContext:
		c.faults.lag = uint64(count)
		return FaultResult{}, nil
	}
	return FaultResult{}, fmt.Errorf("unknown fault kind %q", f.Kind)
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
	if !f.Gone {
		c.requeue(entries)
	}
	return result
}

func (c *change) duplicate(count int) (FaultResult, error) {
	if c.tip == nil {
		return FaultResult{}, fmt.Errorf("cannot duplicate: %w", ErrNoFlashblock)
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

// omission is what to leave out of a block.
type omission struct {
	hashes        map[common.Hash]bool
	gone, retract bool
}

// takeOmissions disarms what applies to a block of these entries.
func (f *faults) takeOmissions(entries []*entry) omission {
	o := omission{hashes: make(map[common.Hash]bool), gone: f.omitGone, retract: f.omitRetract}
	if len(entries) == 0 || f.omissions == 0 && f.omitted == nil {
		return o
	}
	for _, e := range entries[max(0, len(entries)-f.omissions):] {
		o.hashes[e.tx.Hash()] = true
	}
	f.omissions = 0
	f.omitted = intersect(f.omitted, entries, o.hashes)
	return o
}

// takeAlterations disarms what applies to a flashblock of b.
func (f *faults) takeAlterations(b batch) map[common.Hash]bool {
	if f.alterations == 0 && f.alter == nil {
		return nil
	}
	altered := make(map[common.Hash]bool)
	if f.alterations > 0 {
		for i, r := range b.receipts {
			if len(r.Logs) > 0 {
				altered[b.transactions[i].Hash()] = true
			}
		}
		if len(altered) > 0 {
			f.alterations--
		}
	}
	f.alter = intersect(f.alter, b.entries, altered)
	return altered
}

// intersect adds the hashes that entries have to found, and returns the rest.
func intersect(hashes []common.Hash, entries []*entry, found map[common.Hash]bool) []common.Hash {
	var rest []common.Hash
next:
	for _, h := range hashes {
		for _, e := range entries {
			if e.tx.Hash() == h {
				found[h] = true
				continue next
			}
		}
		rest = append(rest, h)
	}
	return rest
}

// alteredReceipt is r with other logs than those of its execution.
func alteredReceipt(r *types.Receipt) *types.Receipt {
	altered := *r
	altered.Logs = make([]*types.Log, len(r.Logs))
	for i, l := range r.Logs {
		other := *l
		switch {
		case len(l.Data) > 0:
			other.Data = common.CopyBytes(l.Data)
			other.Data[len(l.Data)-1] ^= 1
		case len(l.Topics) > 0:
			other.Topics = append([]common.Hash(nil), l.Topics...)
			other.Topics[len(l.Topics)-1][common.HashLength-1] ^= 1
		default:
			other.Data = []byte{1}
		}
		altered.Logs[i] = &other
	}
	altered.Bloom = types.CreateBloom(&altered)
	return &altered
}
