package preconf

import (
	"cmp"
	"container/heap"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// batch holds the transactions that fill put into a draft.
type batch struct {
	draft        *chain.Draft
	entries      []*entry
	transactions types.Transactions // of entries, without blobs
	receipts     types.Receipts
}

// add executes e on the batch's draft.
func (b *batch) add(e *entry) error {
	tx := e.tx.WithoutBlobTxSidecar()
	d, receipt, err := b.draft.Add(tx, e.from)
	if err != nil {
		return err
	}
	b.draft = d
	b.entries = append(b.entries, e)
	b.transactions = append(b.transactions, tx)
	b.receipts = append(b.receipts, receipt)
	return nil
}

// fill executes on d the pool's ready transactions, at most limit (0: all), in order, and takes them out of the pool.
// Those that do not fit into the block or pay too little for it stay; those that can never execute are dropped. The
// error, a *remote.Error, reports why one cannot execute now.
func (c *change) fill(d *chain.Draft, limit int) (batch, error) {
	may := anyEntry
	if c.following {
		may = c.timeline.ready
	}
	f := c.pool.fill(d, c.cfg.Order, limit, c.unheld(may))
	if f.why != nil && !c.following {
		return batch{}, f.why
	}
	for _, e := range f.lacking {
		c.timeline.fetches.lack(e, f.left)
	}
	c.pool = f.left
	c.remember(f.dropped)
	return f.batch, nil
}

// unheld accepts the entries that may accepts and that nothing holds.
func (c *change) unheld(may func(*entry) bool) func(*entry) bool {
	if len(c.faults.held) == 0 {
		return may
	}
	return func(e *entry) bool { return c.hold(e) == nil && may(e) }
}

// filling is a draft filled from a pool.
type filling struct {
	batch
	left    pool // without what the draft holds and what was dropped
	dropped []rejection
	lacking []*entry // those that stay because a fork's remote chain did not answer
	why     error    // of the first of them
}

// anyEntry accepts every entry.
func anyEntry(*entry) bool { return true }

// rejection is a transaction that the pool dropped, and why.
type rejection struct {
	hash   common.Hash
	reason error
}

// fill executes on d the pool's ready transactions that may be, at most limit (0: all), in order.
func (p pool) fill(d *chain.Draft, order Order, limit int, may func(*entry) bool) filling {
	f := filling{batch: batch{draft: d}, left: p}
	if p.len() == 0 {
		return f
	}
	q := f.ready(order)
	for len(q.entries) > 0 && (limit == 0 || len(f.entries) < limit) {
		e := heap.Pop(q).(*entry)
		if !fits(f.draft, e.tx) || !may(e) {
			continue // and with it the sender's later ones
		}
		if err := f.add(e); err != nil {
			if unavailable(err) {
				f.lacking, f.why = append(f.lacking, e), cmp.Or(f.why, err)
			}
			if !waits(err) {
				f.drop(e, err)
			}
			continue
		}
		f.left = f.left.without(e)
		if next := f.left.at(e.from, e.nonceAfter()); next != nil {
			heap.Push(q, next)
		}
	}
	return f
}

func (f *filling) drop(e *entry, reason error) {
	f.left = f.left.without(e)
	f.dropped = append(f.dropped, rejection{e.tx.Hash(), reason})
}

// ready queues each sender's first transaction where its nonce is next, and drops those whose nonce is used up.
func (f *filling) ready(order Order) *readyQueue {
	q := &readyQueue{baseFee: f.draft.Header().BaseFee, order: order}
	state := f.draft.State()
	for it := f.left.bySender.Iterator(); !it.Done(); {
		from, _, _ := it.Next()
		nonce := state.Nonce(from)
		for e := f.left.first(from); e != nil && e.tx.Nonce() < nonce; e = f.left.first(from) {
			f.drop(e, core.ErrNonceTooLow)
		}
		if e := f.left.at(from, nonce); e != nil {
			q.entries = append(q.entries, e)
		}
	}
	heap.Init(q)
	return q
}

// requeue gives entries back to the pool, ahead of all that is there, in the order given. Whatever had dropped one
// before, it waits now.
func (c *change) requeue(entries []*entry) {
	c.front -= int64(len(entries))
	for i, e := range entries {
		back := *e
		back.arrival = c.front + int64(i)
		c.pooled(&back)
	}
}

// pooled puts e into the pool. One of the same sender and nonce that is there is dropped.
func (c *change) pooled(e *entry) {
	next, old := c.pool.with(e)
	if c.pool = next; old != nil {
		c.dropped = c.dropped.with(old.tx.Hash(), fmt.Errorf("replaced by %s", e.tx.Hash()))
	}
	c.dropped = c.dropped.without(e.tx.Hash())
}

// fits reports whether tx pays the base fee of d and d has enough gas left for it.
func fits(d *chain.Draft, tx *types.Transaction) bool {
	h := d.Header()
	if h.BaseFee != nil && tx.GasFeeCapIntCmp(h.BaseFee) < 0 {
		return false
	}
	return tx.Gas() <= d.GasLeft()
}

// waits reports whether a transaction that failed with err may still succeed in a later block.
func waits(err error) bool {
	return unavailable(err) || slices.ContainsFunc([]error{
		core.ErrGasLimitReached, chain.ErrBlobGasLimitReached, core.ErrBlockOversized,
		core.ErrFeeCapTooLow, core.ErrBlobFeeCapTooLow, core.ErrNonceTooHigh,
	}, func(e error) bool { return errors.Is(err, e) })
}

// env returns what the next block on the builder's head is made with.
func (w *world) env() chain.Env {
	e := w.envAt(w.timestamp(), w.next.fromL1)
	if w.next.prevRandao != nil {
		e.PrevRandao = *w.next.prevRandao
	}
	return e
}

// envAt is env with the time of the block, and what L1 brings into it, given.
func (w *world) envAt(timestamp int64, from fromL1) chain.Env {
	e := chain.Env{L1: from.l1, Deposits: from.deposits}
	seconds := uint64(timestamp / int64(time.Second))
	if w.derives() {
		e = w.cfg.Derivation.Next(w.below.chain, w.builder(), seconds)
	}
	e.Time, e.Millis = seconds, uint16(timestamp%int64(time.Second)/int64(time.Millisecond))
	e.Coinbase, e.BaseFee, e.ExtraData = w.settings.coinbase, w.next.baseFee, w.cfg.ExtraData
	if w.settings.gasLimit != 0 {
		e.GasLimit = w.settings.gasLimit
	}
	w.weather.set(&e, w.builder())
	switch {
	case !w.derives():
		e.PrevRandao = w.prevRandao(w.randaoNumber(e))
	case w.reorgs > 0: // of the L2 alone: the same blocks would come again
		e.PrevRandao = w.prevRandao(e.L1.Number)
	}
	return e
}

// randaoNumber returns the number of the block that decides PREVRANDAO: the next block, or where L1 moves with the L2's
// slots the L1 block that it refers to.
func (w *world) randaoNumber(e chain.Env) uint64 {
	if w.lattice() > 0 {
		if l1, err := w.builder().NextL1(e); err == nil {
			return l1.Number
		}
	}
	return w.builder().Head().Number() + 1
}

// prevRandao returns that of block n: repeatable, and different on each branch.
func (w *world) prevRandao(n uint64) common.Hash {
	var b [24]byte // n in 16 bytes, the branch in 8
	binary.BigEndian.PutUint64(b[8:], n)
	binary.BigEndian.PutUint64(b[16:], w.reorgs)
	return crypto.Keccak256Hash(b[:])
}

// readyQueue is a heap of ready transactions, at most one of a sender.
type readyQueue struct {
	entries []*entry
	order   Order
	baseFee *big.Int // nil before London
}

func (q *readyQueue) Len() int      { return len(q.entries) }
func (q *readyQueue) Swap(i, j int) { q.entries[i], q.entries[j] = q.entries[j], q.entries[i] }
func (q *readyQueue) Push(x any)    { q.entries = append(q.entries, x.(*entry)) }
func (q *readyQueue) Pop() any {
	last := len(q.entries) - 1
	e := q.entries[last]
	q.entries = q.entries[:last]
	return e
}

func (q *readyQueue) Less(i, j int) bool {
	a, b := q.entries[i], q.entries[j]
	switch q.order {
	case Fees:
		if c := q.tip(a).Cmp(q.tip(b)); c != 0 {
			return c > 0
		}
	case BySender:
		return a.from.Cmp(b.from) < 0
	}
	return a.arrival < b.arrival
}

// tip returns what e pays the producer per gas, in wei; negative where its fee cap is below the base fee.
func (q *readyQueue) tip(e *entry) *big.Int {
	if q.baseFee == nil {
		return e.tx.GasPrice()
	}
	tip := new(big.Int).Sub(e.tx.GasFeeCap(), q.baseFee)
	if e.tx.GasTipCapIntCmp(tip) < 0 {
		tip = e.tx.GasTipCap()
	}
	return tip
}
