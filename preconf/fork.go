package preconf

import (
	"maps"
	"sync"

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
	if i := v.indexOf(sender, nonce); i >= 0 {
		return v.At(i), nil
	}
	return unknown, nil
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

// fetches are the transactions that wait for a fork's remote chain while the clock follows the wall clock. What they
// need is fetched outside of any turn, so that a node that does not answer holds up nobody else.
type fetches struct {
	mutex sync.Mutex
	of    map[common.Hash]bool // reports whether a fetch is under way; false: the last one failed
}

// lack notes that e could not execute, and forgets transactions that are not in the pool any more.
func (f *fetches) lack(e *pool.Entry, p pool.Pool) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	maps.DeleteFunc(f.of, func(hash common.Hash, underWay bool) bool {
		return p.Get(hash) == nil && !underWay
	})
	if f.of == nil {
		f.of = make(map[common.Hash]bool)
	}
	f.of[e.Tx.Hash()] = false
}

// ready reports whether e may be executed: nothing that it needs is known to be lacking. Otherwise it is being fetched.
func (t *Timeline) ready(e *pool.Entry) bool {
	f, hash := &t.fetches, e.Tx.Hash()
	f.mutex.Lock()
	defer f.mutex.Unlock()
	underWay, lacks := f.of[hash]
	if !lacks {
		return true
	}
	if !underWay {
		f.of[hash] = true
		go t.fetch(e)
	}
	return false
}

// fetch tries once to get what e needs.
func (t *Timeline) fetch(e *pool.Entry) {
	err := t.Moment().fetchFor(e.Tx, e.From)
	f := &t.fetches
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if pool.Unavailable(err) {
		f.of[e.Tx.Hash()] = false
	} else {
		delete(f.of, e.Tx.Hash())
	}
}
