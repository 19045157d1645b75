package userop

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// postFaulty is post for a bundler with a book: the oldest armed fault that applies to the operation strikes it. The
// caller is inside Atomically.
func (b *Bundle) postFaulty(t *preconf.Timeline) error {
	book := bookOf(t.Moment())
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

// strike sends the bundle with a fault.
func (b *Bundle) strike(t *preconf.Timeline, book *book, fault *Fault) error {
	hold := func(hash common.Hash) error { // before it is sent, for seal mode instant
		return t.Hold(control.Hold{Hashes: []common.Hash{hash}, For: fault.For, Blocks: fault.Blocks})
	}
	if fault.Kind == RevertBundle { // of two operations with one nonce, the second fails its validation
		b.data, b.gas, hold = b.entry.handleOpsCalls(b.from, b.op, b.op), 2*b.gas, nil
	}
	first, err := b.ahead(t, book, hold)
	if err != nil {
		return err
	}
	record := struck{Hash: b.Hash, Kind: fault.Kind, Bundle: first.Hash()}
	if fault.Kind == ReplaceBundle {
		again, err := b.sign(t, new(first.Nonce()), func(nonce uint64) *types.Transaction {
			return b.transaction(b.fees(t.Moment()).above(first), nonce)
		}, nil)
		if err != nil {
			return err
		}
		record.Bundle, record.Replaced = again.Hash(), first.Hash()
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
		book := bookOf(t.Moment())
		fault := book.take(sender, func(kind FaultKind) bool { return kind == Underestimate })
		if fault == nil {
			return nil
		}
		limit := &e.Call
		if fault.Limit == VerificationGasLimit {
			limit = &e.Verification
		}
		*limit = *limit * uint64(fault.Percent) / 100
		return book.keep(t)
	})
}
