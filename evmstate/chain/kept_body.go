package chain

import (
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// keptBody is what is in a block. Of a block with nothing but the deposits of the system, which take 4,000 bytes, only
// what they are made of is kept once another block follows. Safe for concurrent use.
type keptBody struct {
	whole atomic.Pointer[body] // nil once quiet is set
	quiet atomic.Pointer[quietBody]
}

// quietBody is what is in a block with nothing but the deposits of the system, with what its header has of them.
type quietBody struct {
	system                         optimism.System
	transactionsRoot, receiptsRoot common.Hash
}

// logs returns the logs in a block, without those on a remote chain.
func (k *keptBody) logs() []*types.Log {
	if whole := k.whole.Load(); whole != nil {
		return whole.logs
	}
	return nil
}

// own returns what is in the block, without what is on a remote chain.
func (b *Block) own() *body {
	if whole := b.kept.whole.Load(); whole != nil {
		return whole
	}
	return b.kept.quiet.Load().body(b)
}

// body returns what is in b.
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

// shortenBody keeps of the block only what the deposits of the system are made of, if there is nothing else in it. What
// is equal is shared with the parent.
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

// in sets what a header has of the deposits.
func (q *quietBody) in(h *types.Header) {
	h.TxHash, h.ReceiptHash = q.transactionsRoot, q.receiptsRoot
	h.GasUsed = q.system.Gas[0] + q.system.Gas[1]
}
