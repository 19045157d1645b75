package userop

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Fault is an error that the bundler makes on purpose with operations that arrive later. Fields that do not apply to
// Kind are rejected. It is in snapshots, worlds and files.
type Fault struct {
	Kind FaultKind
	// Sender limits the fault to operations of this account. Nil: all operations.
	Sender *common.Address `json:",omitempty"`
	// Count is the number of operations to strike, of Underestimate the number of estimates: at most 1,000,000. Zero: 1.
	Count int
	// Blocks is the number of blocks that IncludeLate and Lie last, including the block being built. Zero: 1, or as For
	// has it.
	Blocks uint64
	// For is the time on the clock that IncludeLate lasts, instead of Blocks.
	For time.Duration
	// Limit is the gas limit that Underestimate makes too low. Empty: CallGasLimit.
	Limit GasLimit
	// Percent is the part of the right limit that Underestimate answers, under 100. Zero: 50.
	Percent int
}

// FaultKind names the way in which an operation fails.
type FaultKind string

const (
	// IncludeNever leaves the operation in the pool until preconf.Timeline.Release.
	IncludeNever FaultKind = "never"
	// IncludeLate leaves the operation in the pool for some time.
	IncludeLate FaultKind = "late"
	// RevertBundle adds an operation that fails its validation to the bundle, so that the bundle is in a block and
	// reverts. The bundler does not send the operation again.
	RevertBundle FaultKind = "revert"
	// ReplaceBundle replaces the operation's bundle with one that pays more. While the operation waits, the bundler
	// answers with the hash of the first one, which no block will hold.
	ReplaceBundle FaultKind = "replace"
	// SendTwice sends the operation's bundle in two transactions. The second is in a block as well and reverts.
	SendTwice FaultKind = "twice"
	// Forget returns the hash and sends nothing.
	Forget FaultKind = "forget"
	// Lie answers for some blocks as if the operation were included, and sends nothing.
	Lie FaultKind = "lie"
	// Underestimate answers eth_estimateUserOperationGas with a limit that is too low.
	Underestimate FaultKind = "underestimate"
)

// faultKinds lists the kinds of faults, with the fields beside Sender and Count that apply to each.
var faultKinds = []faultKind{
	{name: IncludeNever},
	{name: IncludeLate, blocks: true, time: true},
	{name: RevertBundle},
	{name: ReplaceBundle},
	{name: SendTwice},
	{name: Forget},
	{name: Lie, blocks: true},
	{name: Underestimate, limit: true},
}

type faultKind struct {
	name                FaultKind
	blocks, time, limit bool // limit: Limit and Percent
}

// FaultKinds lists the kinds of faults.
func FaultKinds() []FaultKind {
	return each(faultKinds, func(kind faultKind) FaultKind { return kind.name })
}

// GasLimit names a gas limit of an operation, as in its JSON.
type GasLimit string

// The limits that Underestimate can make too low.
const (
	CallGasLimit         GasLimit = "callGasLimit"
	VerificationGasLimit GasLimit = "verificationGasLimit"
)

const maxFault = 1_000_000

// complete checks a fault and fills in what it leaves out.
func (f *Fault) complete() error {
	row := slices.IndexFunc(faultKinds, func(kind faultKind) bool { return kind.name == f.Kind })
	if row < 0 {
		return fmt.Errorf("kind %.40q is unknown: want one of %v", f.Kind, FaultKinds())
	}
	kind := faultKinds[row]
	switch {
	case f.Count < 0 || f.Count > maxFault:
		return fmt.Errorf("count %d is not between 1 and %d", f.Count, maxFault)
	case f.Blocks > maxFault:
		return fmt.Errorf("%d blocks are over the limit of %d", f.Blocks, maxFault)
	case f.Blocks > 0 && !kind.blocks:
		return fmt.Errorf("%q takes no blocks", f.Kind)
	case f.For != 0 && !kind.time:
		return fmt.Errorf("%q takes no time", f.Kind)
	case f.For < 0 || f.For > control.LongestTime:
		return fmt.Errorf("late by %s is not between 0 and %s", f.For, control.LongestTime)
	case f.For > 0 && f.Blocks > 0:
		return fmt.Errorf("late by %s and by %d blocks: want one of them", f.For, f.Blocks)
	case (f.Limit != "" || f.Percent != 0) && !kind.limit:
		return fmt.Errorf("%q takes neither limit nor percent", f.Kind)
	case f.Limit != "" && f.Limit != CallGasLimit && f.Limit != VerificationGasLimit:
		return fmt.Errorf("limit %.40q is neither %q nor %q", f.Limit, CallGasLimit, VerificationGasLimit)
	case f.Percent < 0 || f.Percent > 99:
		return fmt.Errorf("percent %d is not between 1 and 99", f.Percent)
	}
	f.Count = max(f.Count, 1)
	if kind.blocks && f.For == 0 {
		f.Blocks = max(f.Blocks, 1)
	}
	if kind.limit {
		f.Limit, f.Percent = cmp.Or(f.Limit, CallGasLimit), cmp.Or(f.Percent, 50)
	}
	return nil
}

// Fail arms one more fault. The error names the invalid field of f.
func Fail(t *preconf.Timeline, f Fault) error {
	if err := f.complete(); err != nil {
		return err
	}
	return t.Atomically(func(t *preconf.Timeline) error {
		b := noteOf[book](t.Moment(), bookNote)
		b.Armed = append(b.Armed, f)
		return b.keep(t)
	})
}

// Faults returns the armed faults, the oldest first, each with the Count that is left.
func Faults(m *preconf.Moment) []Fault { return noteOf[book](m, bookNote).Armed }

// ClearFaults disarms all faults and ends all lies. Operations in the pool stay there until preconf releases them.
func ClearFaults(t *preconf.Timeline) error {
	if t.Moment().Control().Notes[bookNote] == nil {
		return nil
	}
	return t.Atomically(func(t *preconf.Timeline) error {
		b := noteOf[book](t.Moment(), bookNote)
		b.Armed = nil
		for i := range b.Struck {
			b.Struck[i].Until = 0
		}
		return b.keep(t)
	})
}

// book is the bundler's memory of faults; it is empty unless faults were armed.
type book struct {
	Armed  []Fault  // oldest first
	Struck []struck // oldest first, at most maxStruck
}

type struck struct {
	Hash common.Hash
	Kind FaultKind
	// Bundle is the transaction with the operation. Zero: it was not sent.
	Bundle common.Hash
	// Replaced is the transaction that the bundler shows although Bundle replaced it.
	Replaced common.Hash
	// Until is the number of the block in which a lie ends; Operation and Receipt are its answers.
	Until     uint64
	Operation json.RawMessage `json:",omitempty"`
	Receipt   json.RawMessage `json:",omitempty"`
}

// bookNote is the name of the timeline's note with the encoded book.
const bookNote = "bundler"

const maxStruck = 1_000

// keep writes the book into the timeline's note.
func (b *book) keep(t *preconf.Timeline) error {
	if surplus := len(b.Struck) - maxStruck; surplus > 0 {
		b.Struck = b.Struck[surplus:]
	}
	return keepNote(t, bookNote, b)
}

// noteOf returns the value that keepNote stored in a timeline's note, zero without one.
func noteOf[T any](m *preconf.Moment, name string) (value T) {
	if note := m.Control().Notes[name]; note != nil {
		if err := json.Unmarshal(note, &value); err != nil {
			return *new(T) // a file is checked against damage where it is read
		}
	}
	return value
}

func keepNote(t *preconf.Timeline, name string, value any) error {
	note, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return t.Set(preconf.Note(name, note))
}

// take returns the oldest fault that strikes an operation of the sender and lowers its Count, or returns nil.
func (b *book) take(sender common.Address, strikes func(FaultKind) bool) *Fault {
	for i, f := range b.Armed {
		if !strikes(f.Kind) || f.Sender != nil && *f.Sender != sender {
			continue
		}
		if b.Armed[i].Count--; b.Armed[i].Count == 0 {
			b.Armed = slices.Delete(b.Armed, i, i+1)
		}
		return &f
	}
	return nil
}

// struckOf returns the latest entry of an operation that a fault struck, or nil.
func struckOf(m *preconf.Moment, operation common.Hash) *struck {
	for _, s := range slices.Backward(noteOf[book](m, bookNote).Struck) {
		if s.Hash == operation {
			return &s
		}
	}
	return nil
}

// moved replaces the hash of a bundle that has become another transaction.
func (b *book) moved(from, to common.Hash) {
	for i := range b.Struck {
		if b.Struck[i].Bundle == from {
			b.Struck[i].Bundle = to
		}
	}
}

// lies reports whether the bundler lies about the operation at a moment.
func (s *struck) lies(m *preconf.Moment) bool {
	return s != nil && s.Receipt != nil && m.NextHeader().Number.Uint64() < s.Until
}

// Told returns the encoded answers about an operation that the bundler lies about at a moment, or nil.
func Told(m *preconf.Moment, operation common.Hash) (object, receipt json.RawMessage) {
	if s := struckOf(m, operation); s.lies(m) {
		return s.Operation, s.Receipt
	}
	return nil, nil
}

// Shown returns the transaction that the bundler shows for an operation in the pool: its bundle, or the transaction
// that the bundle replaced by a fault.
func (w *Waiting) Shown(m *preconf.Moment, operation common.Hash) common.Hash {
	bundle := w.Bundle.Hash()
	if s := struckOf(m, operation); s != nil && s.Bundle == bundle && s.Replaced != (common.Hash{}) {
		return s.Replaced
	}
	return bundle
}

// postFaulty is post for a bundler with a book: the oldest armed fault that applies to the operation strikes it. The
// caller is inside Atomically.
func (b *Bundle) postFaulty(t *preconf.Timeline) error {
	book := noteOf[book](t.Moment(), bookNote)
	fault := book.take(*b.op.Sender, func(kind FaultKind) bool { return kind != Underestimate })
	var err error
	switch {
	case fault == nil:
		_, err = b.ahead(t, &book, nil)
	case fault.Kind == Forget:
		book.Struck = append(book.Struck, struck{Hash: b.Hash, Kind: Forget})
	case fault.Kind == Lie:
		err = b.lie(t, &book, fault)
	default:
		err = b.strike(t, &book, fault)
	}
	if err != nil {
		return err
	}
	return book.keep(t)
}

func (b *Bundle) strike(t *preconf.Timeline, book *book, fault *Fault) error {
	hold := func(hash common.Hash) error { // before it is sent, for seal mode instant
		return t.Hold(control.Hold{Hashes: []common.Hash{hash}, For: fault.For, Blocks: fault.Blocks})
	}
	switch fault.Kind {
	case RevertBundle: // of two operations with one nonce, the second fails its validation
		b.data, b.gas, hold = b.entry.handleOpsCalls(b.from, b.op, b.op), 2*b.gas, nil
	case SendTwice:
		hold = nil
	}
	first, err := b.ahead(t, book, hold)
	if err != nil {
		return err
	}
	record := struck{Hash: b.Hash, Kind: fault.Kind, Bundle: first.Hash()}
	switch fault.Kind {
	case ReplaceBundle:
		again, err := b.sign(t, new(first.Nonce()), func(nonce uint64) *types.Transaction {
			return b.transaction(b.fees(t.Moment()).above(first), nonce)
		}, nil)
		if err != nil {
			return err
		}
		record.Bundle, record.Replaced = again.Hash(), first.Hash()
	case SendTwice:
		if _, err := b.sign(t, nil, func(nonce uint64) *types.Transaction { return withNonce(first, nonce) }, nil); err != nil {
			return err
		}
	}
	book.Struck = append(book.Struck, record)
	return nil
}

// ahead sends the bundle and moves the bundles that faults hold in the pool behind it: only operations of their senders
// wait with them.
func (b *Bundle) ahead(t *preconf.Timeline, book *book, before func(common.Hash) error) (*types.Transaction, error) {
	stuck, senders := b.stuck(t.Moment())
	if slices.Contains(senders, *b.op.Sender) || b.replaced != nil {
		return b.post(t, before)
	}
	for _, tx := range stuck {
		t.DropTransaction(tx.Hash())
	}
	sent, err := b.post(t, before)
	if err != nil {
		return nil, err
	}
	for _, tx := range stuck {
		moved, err := b.sign(t, nil, func(nonce uint64) *types.Transaction { return withNonce(tx, nonce) }, func(hash common.Hash) error {
			t.MoveHold(tx.Hash(), hash)
			return nil
		})
		if err != nil {
			return nil, err
		}
		book.moved(tx.Hash(), moved.Hash())
	}
	return sent, nil
}

// stuck returns the bundles that holds keep in the pool and later ones with operations of the same senders, in the
// order of their nonces, and those senders.
func (b *Bundle) stuck(m *preconf.Moment) (bundles []*types.Transaction, senders []common.Address) {
	var waiting []*types.Transaction
	for _, pooled := range m.Pool() {
		if pooled.From == b.from {
			waiting = append(waiting, pooled.Tx)
		}
	}
	slices.SortFunc(waiting, func(x, y *types.Transaction) int { return int(x.Nonce()) - int(y.Nonce()) })
	holds := m.Holds()
	for _, tx := range waiting {
		ops := operationsOf(tx)
		isStuck := slices.ContainsFunc(holds, func(h control.Hold) bool { return slices.Contains(h.Hashes, tx.Hash()) }) ||
			slices.ContainsFunc(ops, func(o *Operation) bool { return slices.Contains(senders, *o.Sender) })
		if !isStuck || len(ops) == 0 {
			continue
		}
		bundles = append(bundles, tx)
		for _, o := range ops {
			senders = append(senders, *o.Sender)
		}
	}
	return bundles, senders
}

// lie stores the answers as if the operation were included, taken from a copy of the timeline that includes it.
func (b *Bundle) lie(t *preconf.Timeline, book *book, fault *Fault) error {
	next := t.Moment().NextHeader().Number.Uint64()
	copied := t.Copy()
	copied.ClearFlashblockFaults()
	tx, err := b.post(copied, nil)
	if err != nil {
		return err
	}
	told := struck{Hash: b.Hash, Kind: Lie, Until: next + fault.Blocks, Replaced: tx.Hash()}
	if _, err := copied.Preconfirm(); err != nil {
		if _, err := copied.Seal(1); err != nil {
			return err
		}
	}
	in, err := LookUp(copied.Moment(), b.Hash)
	if err != nil {
		return err
	}
	if in != nil { // nil: the block has no room, and the operation is forgotten
		if told.Operation, told.Receipt, err = b.bundler.Tell(copied.Moment(), in); err != nil {
			return err
		}
	}
	book.Struck = append(book.Struck, told)
	return nil
}

// underestimate makes an estimate too low if a fault is armed for it.
func (b *Bundler) underestimate(sender common.Address, e *Estimate) error {
	if len(Faults(b.moment())) == 0 {
		return nil
	}
	return b.Timeline.Atomically(func(t *preconf.Timeline) error {
		book := noteOf[book](t.Moment(), bookNote)
		fault := book.take(sender, func(kind FaultKind) bool { return kind == Underestimate })
		if fault == nil {
			return nil
		}
		limit := &e.Call
		if fault.Limit == VerificationGasLimit {
			limit = &e.Verification
		}
		*limit = *limit * hexutil.Uint64(fault.Percent) / 100
		return book.keep(t)
	})
}
