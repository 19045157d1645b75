package chain

import (
	"bytes"
	"math/big"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
)

// keptHeader is the header of a block. Blocks without users' transactions that follow one another have headers of 700
// bytes that are nearly equal; of those that have a block after them only the difference is kept. Safe for concurrent
// use.
type keptHeader struct {
	number, time uint64
	whole        atomic.Pointer[types.Header] // nil once short is set
	short        atomic.Pointer[shortHeader]
}

// shortHeader is a header that differs from another at most in these fields, in those that a quietBody has, and in the
// number and time of its block.
type shortHeader struct {
	like                     *types.Header
	parent, root, prevRandao common.Hash
}

// setHeader sets the header of a block that nobody has yet.
func (b *Block) setHeader(h *types.Header) {
	b.header.number, b.header.time = h.Number.Uint64(), h.Time
	b.header.whole.Store(h)
}

// Header returns the header. The caller must not modify it.
func (b *Block) Header() *types.Header {
	if whole := b.header.whole.Load(); whole != nil {
		return whole
	}
	short := b.header.short.Load()
	h := *short.like
	h.ParentHash, h.Root, h.MixDigest = short.parent, short.root, short.prevRandao
	if quiet := b.kept.quiet.Load(); quiet != nil {
		quiet.in(&h)
	}
	h.Number, h.Time = new(big.Int).SetUint64(b.header.number), b.header.time
	return &h
}

// parentHash returns the hash of the parent, which costs less than the header.
func (b *Block) parentHash() common.Hash {
	if whole := b.header.whole.Load(); whole != nil {
		return whole.ParentHash
	}
	return b.header.short.Load().parent
}

// shorten keeps of the block only what differs from its parent, if that is little.
func (b *Block) shorten(parent *Block) {
	b.shortenBody(parent)
	whole, like := b.header.whole.Load(), parent.header.whole.Load()
	if whole == nil {
		return
	}
	if like == nil {
		like = parent.header.short.Load().like
	}
	same := *like
	if quiet := b.kept.quiet.Load(); quiet != nil {
		quiet.in(&same)
	}
	if alike(whole, &same) {
		b.header.short.Store(&shortHeader{like, whole.ParentHash, whole.Root, whole.MixDigest})
		b.header.whole.Store(nil)
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
