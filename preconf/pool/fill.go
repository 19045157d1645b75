package pool

import (
	"cmp"
	"container/heap"
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Order describes which ready transaction is executed first. The nonce order of a sender is always kept. Zero: FIFO.
type Order int

const (
	// FIFO executes transactions in the order they arrived.
	FIFO Order = iota + 1
	// Fees executes the highest tip per gas first, equal tips by arrival.
	Fees
	// BySender executes the transactions of the lowest sender address first, in the order of their nonces. It does not
	// depend on which of several parallel senders was faster, so that a flashblock or block of the same transactions is
	// always the same. In Instant mode, where each transaction has a block, the order of arrival decides all the same.
	BySender
	// FeeCap executes the highest fee cap first, equal ones by arrival, as anvil does, whose name for it is fees, too.
	FeeCap
)

// String returns the order's name on the command line.
func (o Order) String() string {
	switch o {
	case Fees, FeeCap:
		return "fees"
	case BySender:
		return "sender"
	}
	return "fifo"
}

// Batch holds the transactions that Fill put into a draft.
type Batch struct {
	Draft        *chain.Draft
	Entries      []*Entry
	Transactions types.Transactions // of Entries, without blobs
	Receipts     types.Receipts
}

// Add executes e on the batch's draft.
func (b *Batch) Add(e *Entry) error {
	tx := e.Tx.WithoutBlobTxSidecar()
	d, receipt, err := b.Draft.Add(tx, e.From)
	if err != nil {
		return err
	}
	b.Draft = d
	b.Entries = append(b.Entries, e)
	b.Transactions = append(b.Transactions, tx)
	b.Receipts = append(b.Receipts, receipt)
	return nil
}

// Filling is a draft filled from a pool.
type Filling struct {
	Batch
	Left    Pool     // without what the draft holds and what was dropped
	Lacking []*Entry // those that stay because a fork's remote chain did not answer
	Why     error    // of the first of them
}

// Any accepts every entry.
func Any(*Entry) bool { return true }

// Fill executes on d the pool's ready transactions that may be, at most limit (0: all), in order.
func (p Pool) Fill(d *chain.Draft, order Order, limit int, may func(*Entry) bool) Filling {
	f := Filling{Batch: Batch{Draft: d}, Left: p}
	if p.Len() == 0 {
		return f
	}
	q := f.ready(order)
	for len(q.entries) > 0 && (limit == 0 || len(f.Entries) < limit) {
		e := heap.Pop(q).(*Entry)
		if Fits(e.Tx, f.Draft.Header(), f.Draft.GasLeft()) != nil || !may(e) {
			continue // and with it the sender's later ones
		}
		if err := f.Add(e); err != nil {
			if Unavailable(err) {
				f.Lacking, f.Why = append(f.Lacking, e), cmp.Or(f.Why, err)
			}
			if !Waits(err) {
				f.Left = f.Left.Drop(e, err)
			}
			continue
		}
		f.Left = f.Left.Without(e)
		if next := f.Left.At(e.From, e.NonceAfter()); next != nil {
			heap.Push(q, next)
		}
	}
	return f
}

// ready queues each sender's transaction whose nonce is next.
func (f *Filling) ready(order Order) *readyQueue {
	q := &readyQueue{baseFee: f.Draft.Header().BaseFee, order: order}
	state := f.Draft.State()
	for from := range f.Left.Senders {
		if e := f.Left.At(from, state.Nonce(from)); e != nil {
			q.entries = append(q.entries, e)
		}
	}
	heap.Init(q)
	return q
}

// readyQueue is a heap of ready transactions, at most one of a sender.
type readyQueue struct {
	entries []*Entry
	order   Order
	baseFee *big.Int // nil before London
}

func (q *readyQueue) Len() int      { return len(q.entries) }
func (q *readyQueue) Swap(i, j int) { q.entries[i], q.entries[j] = q.entries[j], q.entries[i] }
func (q *readyQueue) Push(x any)    { q.entries = append(q.entries, x.(*Entry)) }
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
	case FeeCap:
		if c := a.Tx.GasFeeCapCmp(b.Tx); c != 0 {
			return c > 0
		}
	case BySender:
		return a.From.Cmp(b.From) < 0
	}
	return a.Arrival < b.Arrival
}

// tip returns the wei per gas that e pays the producer; negative if its fee cap is below the base fee.
func (q *readyQueue) tip(e *Entry) *big.Int {
	if q.baseFee == nil {
		return e.Tx.GasPrice()
	}
	tip := new(big.Int).Sub(e.Tx.GasFeeCap(), q.baseFee)
	if e.Tx.GasTipCapIntCmp(tip) < 0 {
		tip = e.Tx.GasTipCap()
	}
	return tip
}
