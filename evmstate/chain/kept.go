package chain

import (
	"bytes"
	"math/big"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// keptHeader is the header of a block. Consecutive blocks without users' transactions have headers of 700 bytes that
// are nearly equal: once a block follows them, they share one. Safe for concurrent use.
type keptHeader struct {
	number, time             uint64
	parent, root, prevRandao common.Hash
	whole                    atomic.Pointer[types.Header] // the header itself, or after short is set one like it
	short                    atomic.Bool
}

// setHeader sets the header of a block that nobody has yet.
func (b *Block) setHeader(h *types.Header) {
	k := &b.header
	k.number, k.time = h.Number.Uint64(), h.Time
	k.parent, k.root, k.prevRandao = h.ParentHash, h.Root, h.MixDigest
	k.whole.Store(h)
}

// Header returns the header. The caller must not modify it.
func (b *Block) Header() *types.Header {
	whole := b.header.whole.Load() // before short is read
	if !b.header.short.Load() {
		return whole
	}
	h := *whole
	h.ParentHash, h.Root, h.MixDigest = b.header.parent, b.header.root, b.header.prevRandao
	if quiet := b.kept.quiet.Load(); quiet != nil {
		quiet.in(&h)
	}
	h.Number, h.Time = new(big.Int).SetUint64(b.header.number), b.header.time
	return &h
}

// shorten makes the block share its parent's header and body if its own are nearly equal.
func (b *Block) shorten(parent *Block) {
	b.shortenBody(parent)
	if b.header.short.Load() {
		return
	}
	like := parent.header.whole.Load()
	same := *like
	if quiet := b.kept.quiet.Load(); quiet != nil {
		quiet.in(&same)
	}
	if alike(b.header.whole.Load(), &same) {
		b.header.short.Store(true)
		b.header.whole.Store(like)
	}
}

// alike reports whether two headers differ at most in parent, state root, number, time and the value of prevRandao.
func alike(a, b *types.Header) bool {
	return a.TxHash == b.TxHash && a.GasUsed == b.GasUsed && a.GasLimit == b.GasLimit && a.Coinbase == b.Coinbase &&
		equalNumbers(a.BaseFee, b.BaseFee) && equalNumbers(a.Difficulty, b.Difficulty) && a.Nonce == b.Nonce &&
		bytes.Equal(a.Extra, b.Extra) && a.UncleHash == b.UncleHash && a.ReceiptHash == b.ReceiptHash &&
		equal(a.ExcessBlobGas, b.ExcessBlobGas) && equal(a.BlobGasUsed, b.BlobGasUsed) &&
		equal(a.WithdrawalsHash, b.WithdrawalsHash) && equal(a.ParentBeaconRoot, b.ParentBeaconRoot) &&
		equal(a.RequestsHash, b.RequestsHash) && equal(a.BlockAccessListHash, b.BlockAccessListHash) &&
		equal(a.SlotNumber, b.SlotNumber) && a.Bloom == b.Bloom
}

// equal reports whether both point to equal values, or both are nil.
func equal[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func equalNumbers(a, b *big.Int) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 }

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
