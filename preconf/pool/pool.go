package pool

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/internal/persistent"
)

// Pool holds accepted transactions that are not executed. It is immutable.
type Pool struct {
	Arrivals
	Drops    Drops // why transactions left it
	byHash   persistent.Map[common.Hash, *Entry]
	bySender *immutable.SortedMap[common.Address, *queue]
}

// Arrivals are the numbers that order transactions.
type Arrivals struct {
	Arrived int64 // arrivals so far
	Front   int64 // the lowest arrival given out, at most 0
}

// queue is one sender's transactions. It is immutable.
type queue struct {
	byNonce *immutable.SortedMap[uint64, *Entry]
	cost    *big.Int // what they can spend at most, in wei
}

// Empty is the pool that every other grows from.
var Empty = Pool{bySender: immutable.NewSortedMap[common.Address, *queue](addressOrder{})}

// Len returns the number of transactions.
func (p Pool) Len() int { return p.byHash.Len() }

// Get returns the entry with that hash, or nil.
func (p Pool) Get(hash common.Hash) *Entry {
	e, _ := p.byHash.Get(hash)
	return e
}

// At returns the sender's entry with that nonce, or nil.
func (p Pool) At(from common.Address, nonce uint64) *Entry {
	q, ok := p.bySender.Get(from)
	if !ok {
		return nil
	}
	e, _ := q.byNonce.Get(nonce)
	return e
}

// With adds e, whatever had dropped it before. An entry of the same sender and nonce that is there is dropped.
func (p Pool) With(e *Entry) Pool {
	if old := p.At(e.From, e.Tx.Nonce()); old != nil {
		p = p.Drop(old, fmt.Errorf("replaced by %s", e.Tx.Hash()))
	}
	p.Drops = p.Drops.Without(e.Tx.Hash())
	q, ok := p.bySender.Get(e.From)
	if !ok {
		q = &queue{byNonce: immutable.NewSortedMap[uint64, *Entry](nil), cost: new(big.Int)}
	}
	q = &queue{byNonce: q.byNonce.Set(e.Tx.Nonce(), e), cost: new(big.Int).Add(q.cost, e.Cost())}
	p.byHash = p.byHash.Set(e.Tx.Hash(), e)
	p.bySender = p.bySender.Set(e.From, q)
	return p
}

// Drop removes e, which is in the pool, and remembers why.
func (p Pool) Drop(e *Entry, reason error) Pool {
	p.Drops = p.Drops.With(reason, e.Tx.Hash())
	return p.Without(e)
}

// Cleared drops the entries of these senders, or without any all.
func (p Pool) Cleared(senders []common.Address) Pool {
	for _, e := range p.Sorted() {
		if len(senders) == 0 || slices.Contains(senders, e.From) {
			p = p.Drop(e, ErrCleared)
		}
	}
	return p
}

// Requeued takes entries back, ahead of all that is there, in the order given.
func (p Pool) Requeued(entries []*Entry) Pool {
	p.Front -= int64(len(entries))
	for i, e := range entries {
		back := *e
		back.Arrival = p.Front + int64(i)
		p = p.With(&back)
	}
	return p
}

// Pruned drops every entry whose nonce the state has used up.
func (p Pool) Pruned(s *evmstate.State) Pool {
	for from := range p.Senders {
		p = p.prune(from, s.Nonce(from))
	}
	return p
}

// prune drops the sender's entries below a nonce.
func (p Pool) prune(from common.Address, nonce uint64) Pool {
	for e := p.First(from); e != nil && e.Tx.Nonce() < nonce; e = p.First(from) {
		p = p.Drop(e, core.ErrNonceTooLow)
	}
	return p
}

// Without removes e, which is in the pool.
func (p Pool) Without(e *Entry) Pool {
	q, _ := p.bySender.Get(e.From)
	q = &queue{byNonce: q.byNonce.Delete(e.Tx.Nonce()), cost: new(big.Int).Sub(q.cost, e.Cost())}
	p.byHash = p.byHash.Delete(e.Tx.Hash())
	if q.byNonce.Len() == 0 {
		p.bySender = p.bySender.Delete(e.From)
	} else {
		p.bySender = p.bySender.Set(e.From, q)
	}
	return p
}

// First returns the sender's entry with the lowest nonce, or nil.
func (p Pool) First(from common.Address) *Entry {
	for e := range p.Of(from) {
		return e
	}
	return nil
}

// Sorted returns every entry, in the order of arrival.
func (p Pool) Sorted() []*Entry {
	sorted := make([]*Entry, 0, p.Len())
	for _, e := range p.byHash.All() {
		sorted = append(sorted, e)
	}
	slices.SortFunc(sorted, func(a, b *Entry) int { return cmp.Compare(a.Arrival, b.Arrival) })
	return sorted
}

// Senders yields every sender, by address.
func (p Pool) Senders(yield func(common.Address) bool) {
	for it := p.bySender.Iterator(); !it.Done(); {
		if from, _, _ := it.Next(); !yield(from) {
			return
		}
	}
}

// Of yields the sender's entries by nonce.
func (p Pool) Of(from common.Address) func(yield func(*Entry) bool) {
	return func(yield func(*Entry) bool) {
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

// NonceAfter returns the first nonce of the sender that neither the state nor an unbroken run of pooled transactions
// uses.
func (p Pool) NonceAfter(s *evmstate.State, from common.Address) uint64 {
	next := s.Nonce(from)
	for e := range p.Of(from) {
		if e.Tx.Nonce() == next {
			next = e.NonceAfter()
		}
	}
	return next
}

// Readied returns e, which is in the pool, unless a nonce before it is missing, and what waited for it; where it
// replaces another, e alone.
func (p Pool) Readied(e *Entry, replaces bool, s *evmstate.State) (ready []*Entry) {
	if e.Tx.Nonce() >= p.NonceAfter(s, e.From) {
		return nil
	}
	for ; e != nil && !(replaces && len(ready) > 0); e = p.At(e.From, e.NonceAfter()) {
		ready = append(ready, e)
	}
	return ready
}

// Listed is a transaction of a pool as List returns it.
type Listed struct {
	*Entry
	// Queued reports that a nonce before it is missing.
	Queued bool
}

// List returns every entry, in the order of arrival.
func (p Pool) List(s *evmstate.State) []Listed {
	list := make([]Listed, 0, p.Len())
	next := make(map[common.Address]uint64)
	for _, e := range p.Sorted() {
		after, ok := next[e.From]
		if !ok {
			after = p.NonceAfter(s, e.From)
			next[e.From] = after
		}
		list = append(list, Listed{Entry: e, Queued: e.Tx.Nonce() >= after})
	}
	return list
}

// Cost returns the most that the sender's pooled transactions can spend, in wei.
func (p Pool) Cost(from common.Address) *big.Int {
	if q, ok := p.bySender.Get(from); ok {
		return new(big.Int).Set(q.cost)
	}
	return new(big.Int)
}

type addressOrder struct{}

func (addressOrder) Compare(a, b common.Address) int { return a.Cmp(b) }

// Reasons of drops that callers recognise, beside core.ErrNonceTooLow.
var (
	// ErrGone is the reason of a transaction that a fault lost.
	ErrGone = errors.New("lost by a flashblock fault on command")
	// ErrReorged is the reason of a transaction whose block a reorg removed and which it lost.
	ErrReorged = errors.New("lost by a reorg")
	// ErrCleared is the reason of a transaction that was removed from the pool on command.
	ErrCleared = errors.New("removed from the pool on command")
)

// maxDrops is how many reasons one generation of Drops keeps.
const maxDrops = 4096

// Drops remembers why transactions were dropped: at least the last 4,096 of them. It is immutable, and the zero value
// remembers none.
type Drops struct {
	young, old persistent.Map[common.Hash, error]
}

// With returns the drops with a reason for some transactions.
func (d Drops) With(reason error, hashes ...common.Hash) Drops {
	for _, h := range hashes {
		if d.young.Len() >= maxDrops {
			d = Drops{old: d.young}
		}
		d.young = d.young.Set(h, reason)
	}
	return d
}

// Without returns the drops without the one of a transaction.
func (d Drops) Without(h common.Hash) Drops {
	d.young, d.old = d.young.Delete(h), d.old.Delete(h)
	return d
}

// Reason returns why a transaction was dropped, or nil.
func (d Drops) Reason(h common.Hash) error {
	if err, ok := d.young.Get(h); ok {
		return err
	}
	err, _ := d.old.Get(h)
	return err
}

type drop struct {
	Hash   common.Hash
	Reason string
}

// MarshalJSON encodes the reasons, those of the older generation first.
func (d Drops) MarshalJSON() ([]byte, error) {
	drops := []drop{}
	for _, generation := range []persistent.Map[common.Hash, error]{d.old, d.young} {
		first := len(drops)
		for hash, reason := range generation.All() {
			drops = append(drops, drop{hash, reason.Error()})
		}
		slices.SortFunc(drops[first:], func(a, b drop) int { return a.Hash.Cmp(b.Hash) })
	}
	return json.Marshal(drops)
}

// UnmarshalJSON decodes what MarshalJSON encoded. Reasons that callers recognise are the same errors again.
func (d *Drops) UnmarshalJSON(text []byte) error {
	var drops []drop
	if err := json.Unmarshal(text, &drops); err != nil {
		return err
	}
	*d = Drops{}
	for _, drop := range drops {
		reason := errors.New(drop.Reason)
		for _, known := range []error{ErrGone, ErrReorged, ErrCleared, core.ErrNonceTooLow} {
			if known.Error() == drop.Reason {
				reason = known
			}
		}
		*d = d.With(reason, drop.Hash)
	}
	return nil
}
