package control

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// FlashblockFault is one fault of pre-confirmation on command. Subscribers are not notified, as on real nodes, unless
// Retract is set. Fields that do not apply to Kind are rejected.
type FlashblockFault struct {
	// Kind is the kind of the fault: DropFlashblocks, OmitTransactions, AlterLogs, DuplicateFlashblock, StallFlashblocks,
	// LateBlock, TakeReplacements or LagContext.
	Kind FaultKind
	// Count is the number of flashblocks, transactions or blocks, by Kind. Zero: 1. At most 1,000,000; of
	// DuplicateFlashblock 10,000.
	Count int
	// Gone loses the transactions of DropFlashblocks and OmitTransactions, for the reason pool.ErrGone. False: they go
	// back to the pool.
	Gone bool
	// Hashes of the transactions of OmitTransactions, not sealed yet, and of AlterLogs, not announced yet; at least
	// one, and no Count. Nil: by Count.
	Hashes []common.Hash
	// Retract sends the logs that were announced and taken back once more, with Removed set: of DropFlashblocks,
	// OmitTransactions and StallFlashblocks.
	Retract bool
}

// FaultResult lists the changes that a fault of flashblocks made.
type FaultResult struct {
	// Transactions that are not pre-confirmed any more, in their order.
	Transactions []common.Hash `json:"transactions"`
	// Flashblocks taken back or announced again.
	Flashblocks int `json:"flashblocks"`
	// Armed reports that the fault takes effect later.
	Armed bool `json:"armed"`
}

// FaultKind names what goes wrong with flashblocks.
type FaultKind string

const (
	// DropFlashblocks takes back the newest Count flashblocks of the pending block, at once.
	DropFlashblocks FaultKind = "drop"
	// OmitTransactions leaves pre-confirmed transactions out of the next block that would hold them: those with Hashes,
	// or the last Count.
	OmitTransactions FaultKind = "omit"
	// AlterLogs announces other logs than the block will hold, for the transactions with Hashes, or those in the next
	// Count flashblocks that have logs. A log's data differ in the last byte, or where it has none its last topic;
	// address, position and number of logs do not. The sealed block holds the true ones: it is a valid block.
	AlterLogs FaultKind = "alterLogs"
	// DuplicateFlashblock announces the newest flashblock Count times more, at once.
	DuplicateFlashblock FaultKind = "duplicate"
	// StallFlashblocks swallows the next Count flashblocks. Pending falls back to latest at once, or to a block that is
	// late: what was pre-confirmed after it goes back to the pool, to be sealed in time or announced again.
	StallFlashblocks FaultKind = "stall"
	// LateBlock lets the next Count blocks become head one slot late: until the block after is sealed they stay
	// pending, empty or not, announced or not, and there are two pending blocks once a flashblock follows.
	LateBlock FaultKind = "lateBlock"
	// TakeReplacements takes the next Count transactions into the pool whose nonce a pre-confirmed one has, as a node does
	// that looks at sealed blocks alone. Each waits until that one's block is sealed, and never gets into one.
	TakeReplacements FaultKind = "replace"
	// LagContext lets calls at pending see the block context of Count blocks before, with the present state, until
	// ClearFlashblockFaults.
	LagContext FaultKind = "lag"
)

// faultKinds lists the kinds of faults, with the fields beside the count that apply to each. arm adds a fault with a
// count of at least 1 to those in force, and armed counts what they still affect; both are nil where all of the fault
// happens at once. Package preconf makes what happens at once.
var faultKinds = []faultKind{
	{name: DropFlashblocks, gone: true, retract: true},
	{
		name: OmitTransactions, gone: true, hashes: true, retract: true,
		arm: func(f *Faults, given FlashblockFault) {
			o := Omission{Hashes: slices.Clone(given.Hashes), Gone: given.Gone, Retract: given.Retract}
			if given.Hashes == nil {
				o.Last = given.Count
			}
			f.Omissions = append(slices.Clip(f.Omissions), o)
		},
		armed: func(f *Faults) (n int) {
			for _, o := range f.Omissions {
				n += o.Last + len(o.Hashes)
			}
			return n
		},
	},
	{
		name: AlterLogs, hashes: true,
		arm: func(f *Faults, given FlashblockFault) {
			f.Alter = append(slices.Clip(f.Alter), given.Hashes...)
			if given.Hashes == nil {
				f.Alterations += given.Count
			}
		},
		armed: func(f *Faults) int { return f.Alterations + len(f.Alter) },
	},
	{name: DuplicateFlashblock},
	{
		name: StallFlashblocks, retract: true,
		arm:   func(f *Faults, given FlashblockFault) { f.Stalled += given.Count },
		armed: func(f *Faults) int { return f.Stalled },
	},
	{
		name:  LateBlock,
		arm:   func(f *Faults, given FlashblockFault) { f.LateBlocks += given.Count },
		armed: func(f *Faults) int { return f.LateBlocks },
	},
	{
		name:  TakeReplacements,
		arm:   func(f *Faults, given FlashblockFault) { f.Replacements += given.Count },
		armed: func(f *Faults) int { return f.Replacements },
	},
	{
		name: LagContext, inForce: true,
		arm:   func(f *Faults, given FlashblockFault) { f.Lag = uint64(given.Count) },
		armed: func(f *Faults) int { return int(f.Lag) },
	},
}

type faultKind struct {
	name                  FaultKind
	gone, hashes, retract bool
	inForce               bool // from the command on, not later
	arm                   func(*Faults, FlashblockFault)
	armed                 func(*Faults) int
}

// kind returns the row of a kind, or nil.
func (k FaultKind) kind() *faultKind {
	i := slices.IndexFunc(faultKinds, func(kind faultKind) bool { return kind.name == k })
	if i < 0 {
		return nil
	}
	return &faultKinds[i]
}

// kindsThat lists in words the kinds that are so.
func kindsThat(are func(faultKind) bool) string {
	var names []string
	for _, kind := range faultKinds {
		if are(kind) {
			names = append(names, string(kind.name))
		}
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// maxFaultCount bounds FlashblockFault.Count.
const maxFaultCount = 1_000_000

// Check rejects fields that are out of range or do not apply to the kind.
func (f FlashblockFault) Check() error {
	kind := f.Kind.kind()
	switch {
	case kind == nil:
		return fmt.Errorf("unknown fault kind %.80q: want one of %s", f.Kind, FaultKinds())
	case f.Count < 0 || f.Count > maxFaultCount:
		return fmt.Errorf("fault count %d is not between 1 and %d", f.Count, maxFaultCount)
	case f.Gone && !kind.gone:
		return fmt.Errorf("a fault %q loses no transactions: gone is for %s", f.Kind, kindsThat(func(k faultKind) bool { return k.gone }))
	case f.Retract && !kind.retract:
		return fmt.Errorf("a fault %q retracts nothing: retract is for %s", f.Kind, kindsThat(func(k faultKind) bool { return k.retract }))
	case f.Hashes != nil && !kind.hashes:
		return fmt.Errorf("a fault %q has no hashes: they are for %s", f.Kind, kindsThat(func(k faultKind) bool { return k.hashes }))
	case f.Hashes != nil && len(f.Hashes) == 0:
		return fmt.Errorf("hashes of a fault %q are empty: leave them out to go by count", f.Kind)
	case f.Hashes != nil && f.Count != 0:
		return fmt.Errorf("a fault %q has hashes or a count, not both", f.Kind)
	}
	return nil
}

// FaultKinds lists the kinds of faults, sorted by name.
func FaultKinds() []FaultKind {
	var kinds []FaultKind
	for _, kind := range faultKinds {
		kinds = append(kinds, kind.name)
	}
	slices.Sort(kinds)
	return kinds
}

// Faults are the faults in force. The value is immutable.
type Faults struct {
	Lag                              uint64
	Stalled, LateBlocks, Alterations int // flashblocks, blocks, and flashblocks to alter
	Replacements                     int `json:",omitempty"` // transactions
	Alter                            []common.Hash
	Omissions                        []Omission // oldest first
	Holds                            Holds      `json:",omitempty"`
}

// Omission is an armed OmitTransactions. It is immutable.
type Omission struct {
	Last          int           // so many of the block's transactions, or
	Hashes        []common.Hash // these
	Gone, Retract bool
}

// ArmedFault is a flashblock fault in force, which takes effect later or until ClearFlashblockFaults.
type ArmedFault struct {
	Kind FaultKind `json:"kind"`
	// Count is how many flashblocks, blocks or transactions the fault still affects, or by how many blocks LagContext
	// lags.
	Count int `json:"count"`
}

// With returns the faults with another one, which is checked and has a count of at least 1, and reports whether it
// takes effect later.
func (f Faults) With(fault FlashblockFault) (faults Faults, later bool) {
	kind := fault.Kind.kind()
	if kind.arm == nil {
		return f, false
	}
	kind.arm(&f, fault)
	return f, !kind.inForce
}

// Armed returns the flashblock faults in force, by kind.
func (f Faults) Armed() []ArmedFault {
	var all []ArmedFault
	for _, kind := range faultKinds {
		if kind.armed == nil {
			continue
		}
		if n := kind.armed(&f); n > 0 {
			all = append(all, ArmedFault{kind.name, n})
		}
	}
	return all
}

// Altered returns which transactions of a flashblock have their logs altered, and the faults that stay armed then.
func (f Faults) Altered(flashblock types.Receipts) (altered map[common.Hash]bool, left Faults) {
	if f.Alterations == 0 && f.Alter == nil {
		return nil, f
	}
	altered = make(map[common.Hash]bool)
	var all []common.Hash
	for _, r := range flashblock {
		all = append(all, r.TxHash)
		if f.Alterations > 0 && len(r.Logs) > 0 {
			altered[r.TxHash] = true
		}
	}
	if len(altered) > 0 {
		f.Alterations--
	}
	f.Alter = move(f.Alter, all, altered)
	return altered, f
}

// Of returns the transactions that o leaves out of a block, and the part of o that stays armed, or nil.
func (o Omission) Of(block []common.Hash) (map[common.Hash]bool, *Omission) {
	left := make(map[common.Hash]bool)
	switch {
	case o.Last > 0 && len(block) == 0:
		return left, &o
	case o.Last > 0:
		return SetOf(block[max(0, len(block)-o.Last):]...), nil
	}
	if o.Hashes = move(o.Hashes, block, left); len(o.Hashes) == 0 {
		return left, nil
	}
	return left, &o
}

// SetOf returns the set of hashes.
func SetOf(hashes ...common.Hash) map[common.Hash]bool {
	set := make(map[common.Hash]bool, len(hashes))
	for _, h := range hashes {
		set[h] = true
	}
	return set
}

// move adds the hashes that a block has to found, and returns the rest.
func move(hashes, block []common.Hash, found map[common.Hash]bool) []common.Hash {
	has := SetOf(block...)
	var rest []common.Hash
	for _, h := range hashes {
		if has[h] {
			found[h] = true
		} else {
			rest = append(rest, h)
		}
	}
	return rest
}

// AlteredReceipt returns r with other logs than those of its execution, as AlterLogs announces it.
func AlteredReceipt(r *types.Receipt) *types.Receipt {
	altered := *r
	altered.Logs = make([]*types.Log, len(r.Logs))
	for i, l := range r.Logs {
		other := *l
		switch {
		case len(l.Data) > 0:
			other.Data = common.CopyBytes(l.Data)
			other.Data[len(l.Data)-1] ^= 1
		case len(l.Topics) > 0:
			other.Topics = slices.Clone(l.Topics)
			other.Topics[len(l.Topics)-1][common.HashLength-1] ^= 1
		default:
			other.Data = []byte{1}
		}
		altered.Logs[i] = &other
	}
	altered.Bloom = types.CreateBloom(&altered)
	return &altered
}
