package preconf

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf/pool"
)

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

// ancestralNonce finds the transaction of a sender with that nonce at or below a fork block: it is in the first block
// after which the sender's nonce is higher. The error is a *remote.Error.
func (m *Moment) ancestralNonce(sender common.Address, nonce uint64) (Found, error) {
	unknown := Found{Where: Unknown}
	if m.chain.Fork() == nil {
		return unknown, nil
	}
	if err := m.newest().Load(sender); err != nil || m.newest().Nonce(sender) <= nonce {
		return unknown, err
	}
	v, err := m.FirstBlock(m.chain.Base(), sender, func(s *evmstate.State) bool { return s.Nonce(sender) > nonce })
	if err == nil {
		err = v.Load()
	}
	if err != nil {
		return unknown, err
	}
	return v.findNonce(sender, nonce), nil
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
		s = m.beginning(m.env())
	}
	if s == nil {
		return nil // enqueue says why there is no next block
	}
	if _, _, err := s.draft.Add(tx, from); pool.Unavailable(err) {
		return err
	}
	return nil
}
