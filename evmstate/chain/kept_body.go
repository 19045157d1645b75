package chain

import (
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// keptBody is the content of a block. A block with nothing but the deposits of the system, which take 4,000 bytes,
// keeps only the values they are made from once another block follows. Safe for concurrent use.
type keptBody struct {
	whole atomic.Pointer[body] // nil once quiet is set
	quiet atomic.Pointer[quietBody]
}

// quietBody is the content of a block with nothing but the deposits of the system, with the header's fields that depend
// on them.
type quietBody struct {
	system                         optimism.System
	transactionsRoot, receiptsRoot common.Hash
}

// logs returns the logs in a block, except those on a remote chain.
func (k *keptBody) logs() []*types.Log {
	if whole := k.whole.Load(); whole != nil {
		return whole.logs
	}
	return nil
}

// own returns the content of the block, except content on a remote chain.
func (b *Block) own() *body {
	if whole := b.kept.whole.Load(); whole != nil {
		return whole
	}
	return b.kept.quiet.Load().body(b)
}

// body returns the content of b, made anew.
func (q *quietBody) body(b *Block) *body {
	included := q.system.Transactions(b.Number())
	made := &body{withdrawals: types.Withdrawals{}, requests: [][]byte{}}
	made.receipts, made.logs = sealReceipts(q.system.Receipts(b.Number(), included), 0, b.hash)
	for _, tx := range included {
		made.transactions.small = append(made.transactions.small, evmstate.Transaction(tx))
		made.senders = append(made.senders, tx.Deposit().From)
	}
	return made
}

// shortenBody reduces a block that has nothing but the deposits of the system to the values they are made from. Equal
// values are shared with the parent.
func (b *Block) shortenBody(parent *Block) {
	whole := b.kept.whole.Load()
	if whole == nil || whole.withdrawals == nil || !whole.isQuiet() {
		return
	}
	system, ok := optimism.SystemOf(b.Number(), whole.transactions.all(), whole.receipts)
	if !ok {
		return
	}
	if before := parent.kept.quiet.Load(); before != nil && *before.system.L1 == *system.L1 {
		system.L1 = before.system.L1
	}
	h := b.Header()
	b.kept.quiet.Store(&quietBody{system, h.TxHash, h.ReceiptHash})
	b.kept.whole.Store(nil)
}

// in sets the fields of a header that depend on the deposits.
func (q *quietBody) in(h *types.Header) {
	h.TxHash, h.ReceiptHash = q.transactionsRoot, q.receiptsRoot
	h.GasUsed = q.system.Gas[0] + q.system.Gas[1]
}
