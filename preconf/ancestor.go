package preconf

import (
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
)

// ancestor returns a block of the remote chain below a fork block. What is in it comes with Whole.
func (m *Moment) ancestor(n uint64) (*View, error) {
	b, err := m.chain.Ancestor(n)
	if err != nil {
		return nil, err
	}
	return m.sealed(b), nil
}

func (m *Moment) ancestorByHash(h common.Hash) (*View, error) {
	n, err := m.chain.Fork().NumberOf(h)
	switch {
	case err != nil:
		return nil, err
	case n == nil:
		return nil, &UnknownBlockError{Hash: &h, Head: m.chain.Head().Number()}
	}
	return m.ancestor(*n)
}

// Whole returns the View with what is in its block: v itself unless the block is a fork block or one below it, which
// are Views without transactions, receipts and logs until then. The error is a *remote.Error.
func (v *View) Whole() (*View, error) {
	if v.Pending() {
		return v, nil
	}
	b, err := v.chain.Whole(v.block)
	if err != nil || b == v.block {
		return v, err
	}
	whole := *v
	whole.block = b
	return &whole, nil
}

// ancestral finds a transaction at or below a fork block. The error is a *remote.Error.
func (m *Moment) ancestral(hash common.Hash) (Found, error) {
	fork := m.chain.Fork()
	if fork == nil {
		return Found{Where: Unknown}, nil
	}
	tx, err := fork.TransactionByHash(hash)
	if tx == nil || err != nil {
		return Found{Where: Unknown}, err
	}
	v, err := m.ByNumber(tx.Block)
	if err != nil {
		return Found{Where: Unknown}, err
	}
	return Found{Where: Sealed, Transaction: tx, Sender: tx.From, View: v, Index: tx.Index, Receipt: tx.Receipt}, nil
}

// unavailable reports whether a block or transaction failed for what could not be had of a fork's remote chain.
func unavailable(err error) bool {
	var failed *remote.Error
	return errors.As(err, &failed)
}

// fetchFor executes a transaction as if it came next, outside of any turn, so that what it needs of a fork's remote
// chain is there when it is executed for good: nobody else waits for that. The error is a *remote.Error.
func (m *Moment) fetchFor(tx *types.Transaction, from common.Address) error {
	if m.chain.Fork() == nil {
		return nil
	}
	if err := m.newest().Load(from); err != nil {
		return err
	}
	s := m.tip
	if s == nil {
		s = m.emptyPending()
	}
	if s == nil {
		return nil // enqueue says why there is no next block
	}
	if _, _, err := s.draft.Add(tx, from); unavailable(err) {
		return err
	}
	return nil
}

// ResetTo makes the timeline begin anew on another chain, as New does. What Reset does follows for the new beginning.
// It calls leave when nothing can fail any more, before the other chain is shown and kept; other writers wait for leave,
// which must not write to the timeline.
func (t *Timeline) ResetTo(c *chain.Chain, leave func()) error {
	cfg := *t.cfg
	cfg.Chain, cfg.BaseFee, cfg.GasLimit = c, nil, 0
	if _, err := cfg.complete(); err != nil {
		return err
	}
	t.turn.Lock()
	defer t.turn.Unlock()
	leave()
	t.begin = cfg.first()
	t.snapshots = noSnapshots
	t.show(t.begin, nil)
	return nil
}
