package preconf

import (
	"cmp"
	"encoding/binary"
	"math/big"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
)

// entry is a transaction with what the pool learned about it. It is immutable.
type entry struct {
	tx   *types.Transaction // with its blobs, where it has any
	from common.Address
	// arrival orders entries; transactions a reorg gives back get negative ones, so they go before all that came later.
	arrival int64
	levy    *big.Int // the most that it pays beside gas and value, in wei; nil: nothing
}

// cost returns the most that e can spend, in wei.
func (e *entry) cost() *big.Int {
	cost := e.tx.Cost()
	if e.levy != nil {
		cost.Add(cost, e.levy)
	}
	return cost
}

// nonceAfter returns the sender's nonce after e: authorizations of its own take nonces, too (EIP-7702).
func (e *entry) nonceAfter() uint64 {
	next := e.tx.Nonce() + 1
	for _, a := range e.tx.SetCodeAuthorizations() {
		if a.Nonce != next || !a.ChainID.IsZero() && a.ChainID.CmpBig(e.tx.ChainId()) != 0 {
			continue
		}
		if authority, err := a.Authority(); err == nil && authority == e.from {
			next++
		}
	}
	return next
}

// pool holds accepted transactions that are not executed. It is immutable.
type pool struct {
	byHash   *immutable.Map[common.Hash, *entry]
	bySender *immutable.Map[common.Address, *queue]
}

// queue is one sender's transactions. It is immutable.
type queue struct {
	byNonce *immutable.SortedMap[uint64, *entry]
	cost    *big.Int // what they can spend at most, in wei
}

// emptyPool is the pool that every other grows from.
var emptyPool = pool{
	byHash:   immutable.NewMap[common.Hash, *entry](hashHasher{}),
	bySender: immutable.NewMap[common.Address, *queue](addressHasher{}),
}

func (p pool) len() int { return p.byHash.Len() }

// at returns the sender's entry with that nonce, or nil.
func (p pool) at(from common.Address, nonce uint64) *entry {
	q, ok := p.bySender.Get(from)
	if !ok {
		return nil
	}
	e, _ := q.byNonce.Get(nonce)
	return e
}

// with adds e. It also returns the entry of the same sender and nonce that e replaced, or nil.
func (p pool) with(e *entry) (next pool, replaced *entry) {
	if replaced = p.at(e.from, e.tx.Nonce()); replaced != nil {
		p = p.without(replaced)
	}
	q, ok := p.bySender.Get(e.from)
	if !ok {
		q = &queue{byNonce: immutable.NewSortedMap[uint64, *entry](nonceOrder{}), cost: new(big.Int)}
	}
	q = &queue{byNonce: q.byNonce.Set(e.tx.Nonce(), e), cost: new(big.Int).Add(q.cost, e.cost())}
	p.byHash = p.byHash.Set(e.tx.Hash(), e)
	p.bySender = p.bySender.Set(e.from, q)
	return p, replaced
}

// without removes e, which is in the pool.
func (p pool) without(e *entry) pool {
	q, _ := p.bySender.Get(e.from)
	q = &queue{byNonce: q.byNonce.Delete(e.tx.Nonce()), cost: new(big.Int).Sub(q.cost, e.cost())}
	p.byHash = p.byHash.Delete(e.tx.Hash())
	if q.byNonce.Len() == 0 {
		p.bySender = p.bySender.Delete(e.from)
	} else {
		p.bySender = p.bySender.Set(e.from, q)
	}
	return p
}

// first returns the sender's entry with the lowest nonce, or nil.
func (p pool) first(from common.Address) *entry {
	for e := range p.entriesOf(from) {
		return e
	}
	return nil
}

// all yields every entry, in no particular order.
func (p pool) all(yield func(*entry) bool) {
	for it := p.byHash.Iterator(); !it.Done(); {
		if _, e, _ := it.Next(); !yield(e) {
			return
		}
	}
}

// entriesOf yields the sender's entries by nonce.
func (p pool) entriesOf(from common.Address) func(yield func(*entry) bool) {
	return func(yield func(*entry) bool) {
		q, ok := p.bySender.Get(from)
		if !ok {
			return
		}
		for it := q.byNonce.Iterator(); !it.Done(); {
			if _, e, _ := it.Next(); !yield(e) {
				return
			}
		}
	}
}

// nonceAfter returns the first nonce of the sender that neither the state nor an unbroken run of pooled transactions
// uses.
func (p pool) nonceAfter(s *evmstate.State, from common.Address) uint64 {
	next := s.Nonce(from)
	for e := range p.entriesOf(from) {
		if e.tx.Nonce() == next {
			next = e.nonceAfter()
		}
	}
	return next
}

// cost returns what the sender's pooled transactions can spend at most, in wei.
func (p pool) cost(from common.Address) *big.Int {
	if q, ok := p.bySender.Get(from); ok {
		return new(big.Int).Set(q.cost)
	}
	return new(big.Int)
}

type nonceOrder struct{}

func (nonceOrder) Compare(a, b uint64) int { return cmp.Compare(a, b) }

// hashHasher and addressHasher have no seed, unlike the hashers of package persistent: an iteration over these maps
// must come in the same order on every run.
type hashHasher struct{}

func (hashHasher) Hash(h common.Hash) uint32   { return binary.LittleEndian.Uint32(h[:]) }
func (hashHasher) Equal(a, b common.Hash) bool { return a == b }

type addressHasher struct{}

// Hash mixes all bytes: addresses chosen by hand differ in few of them.
func (addressHasher) Hash(a common.Address) uint32 {
	h := uint32(2166136261)
	for _, b := range a {
		h = (h ^ uint32(b)) * 16777619
	}
	return h
}
func (addressHasher) Equal(a, b common.Address) bool { return a == b }
