package chain

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// PrunedError reports that the State of a block is no longer kept; see Options.History.
type PrunedError struct{ Number uint64 }

func (e *PrunedError) Error() string { return fmt.Sprintf("state of block %d is pruned", e.Number) }

// StateAt returns the State after block b, which may be an orphan. The States of at least Options.History of the newest
// orphans are kept. The error is a *PrunedError.
func (c *Chain) StateAt(b *Block) (*evmstate.State, error) {
	n := b.Number()
	switch {
	case n < c.base:
		return c.fork.stateAt(n), nil
	case n+c.history <= c.Head().Number():
		return nil, &PrunedError{Number: n}
	}
	if s := c.stateOf(b); s != nil {
		return s, nil
	}
	return nil, &PrunedError{Number: n}
}

// stateOf returns the State after b if it is kept, in whatever form, or nil.
func (c *Chain) stateOf(b *Block) *evmstate.State {
	switch s := c.held(b); {
	case s == nil && c.kept != nil:
		return c.kept(b)
	case s == leftOut:
		return c.replayed(b)
	default:
		return s
	}
}

// held returns the State after b as it is in memory: nil if it is not, leftOut if it is to be made.
func (c *Chain) held(b *Block) *evmstate.State {
	switch {
	case !c.canonical(b):
		return c.cut.find(b)
	case b.Number() == c.Head().Number():
		return c.state
	}
	return c.states.at(b.Number())
}

// window holds the States of the canonical blocks first, first+1 … up to the one below the head, some of them
// leftOut.
type window struct {
	first  uint64
	states vector[*evmstate.State]
}

// at returns the State of block n, or nil if it is not in the window.
func (w window) at(n uint64) *evmstate.State {
	if n < w.first || n-w.first >= uint64(w.states.len()) {
		return nil
	}
	return w.states.items[n-w.first]
}

func (w window) below(n uint64) window {
	if n <= w.first {
		return window{first: n}
	}
	return window{w.first, w.states.truncate(int(n - w.first))}
}

// push returns the window with the State of the next block. It drops States that leave the history in batches, which
// keeps the average cost of a push constant, and reports whether it did so.
func (w window) push(s *evmstate.State, history uint64) (next window, compacted bool) {
	w.states = w.states.append(s)
	kept := uint64(w.states.len())
	if kept < history+history/32+16 {
		return w, false
	}
	drop := int(min(kept-1, kept-(history-1))) // the head counts as part of the history but is kept elsewhere
	for drop > 0 && w.states.items[drop] == leftOut {
		drop-- // it is made from one below
	}
	w.states = newVector(append(make([]*evmstate.State, 0, kept), w.states.items[drop:]...))
	w.first += uint64(drop)
	return w, true
}

// branch holds a run of blocks that Truncate or a lost fork choice removed from the canonical chain, with their States.
// Branches form a linked list, newest first.
type branch struct {
	blocks []*Block
	states []*evmstate.State
	next   *branch
	size   uint64 // number of States in this and all older branches
}

func (br *branch) with(blocks []*Block, states []*evmstate.State) *branch {
	front := &branch{blocks: blocks, states: states, next: br, size: uint64(len(states))}
	if br != nil {
		front.size += br.size
	}
	return front
}

// cutAbove returns the branches and one more: the canonical blocks above n whose States are kept.
func (c *Chain) cutAbove(n uint64) *branch {
	blocks := c.blocks.items[max(n+1, c.states.first)-c.base:]
	states := make([]*evmstate.State, len(blocks))
	for i, b := range blocks[:len(blocks)-1] {
		states[i] = c.states.at(b.Number())
	}
	states[len(states)-1] = c.state
	if states[0] == leftOut {
		states[0] = c.stateOf(blocks[0]) // those after it may be made from it
	}
	return c.keep(c.cut.with(slices.Clone(blocks), states))
}

// keep returns the branches without the oldest ones if there are too many, because repeated reorgs at one height must
// not take more and more memory.
func (c *Chain) keep(cut *branch) *branch {
	if cut.size <= 2*c.history {
		return cut
	}
	return cut.trim(c.Head().Number(), c.history)
}

// find returns the State of an orphan, or nil if no branch holds it.
func (br *branch) find(b *Block) *evmstate.State {
	for ; br != nil; br = br.next {
		lowest := br.blocks[0].Number()
		if i := b.Number() - lowest; b.Number() >= lowest && i < uint64(len(br.blocks)) && br.blocks[i].hash == b.hash {
			return br.states[i]
		}
	}
	return nil
}

// trim returns the branches that still reach into the history of a chain with the given head. It keeps the newest ones,
// until they hold as many States as the history.
func (br *branch) trim(head, history uint64) *branch {
	var kept []*branch
	for size := uint64(0); br != nil && size < history; br = br.next {
		if top := br.blocks[len(br.blocks)-1].Number(); top+history > head {
			kept = append(kept, br)
			size += uint64(len(br.states))
		}
	}
	var list *branch
	for _, br := range slices.Backward(kept) {
		list = list.with(br.blocks, br.states)
	}
	return list
}

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

// Kept holds the blocks and States that Restore makes a chain of. The blocks come from BlockFromRecord.
type Kept struct {
	// Blocks are canonical, from the one after the head of the chain that Restore goes on from.
	Blocks []*Block
	// Orphans are in the order in which they were sealed, each after its parent.
	Orphans []*Block
	// Head is the State after the last of Blocks. It must be committed. Nil: nothing but Restore may be called on the
	// chain.
	Head *evmstate.State
	// Past returns the committed State after another block of Kept or the first block, or nil if there is none. It is
	// called when such a State is needed, and must be safe for concurrent use. Nil: those States are pruned.
	Past func(*Block) *evmstate.State
}

// Restore returns the chain that goes on from c's head with the blocks of an earlier chain, without executing them. It
// keeps k's slices. Chains that are restored on the same c share its orphans, so c should have none. The error names a
// block that does not follow its parent.
func (c *Chain) Restore(k Kept) (*Chain, error) {
	next := *c
	if c.track && k.Head != nil {
		k.Head = k.Head.Tracked()
	}
	next.state, next.kept, next.cut = k.Head, k.Past, nil
	next.states = window{first: c.Head().Number() + uint64(len(k.Blocks))}
	if err := next.restoreBlocks(k.Blocks); err != nil {
		return nil, err
	}
	for _, b := range k.Orphans {
		parent, _ := next.BlockByHash(b.header.parent)
		if err := b.follow(parent); err != nil {
			return nil, err
		}
		next.index = next.index.withOrphan(b)
	}
	return &next, nil
}

func (c *Chain) restoreBlocks(blocks []*Block) error {
	parent := c.Head()
	for i, b := range blocks {
		if err := b.follow(parent); err != nil {
			return err
		}
		c.blocks, c.index = c.blocks.append(b), c.index.with(b, b.own().transactions.all(), b.Number()-c.base)
		if i+1 < len(blocks) { // the head is kept whole
			b.shorten(parent)
		}
		parent = b
	}
	return nil
}

// follow sets the fields that a restored block takes from its parent. It returns an error if parent is nil or another
// block.
func (b *Block) follow(parent *Block) error {
	if parent == nil || parent.hash != b.header.parent || parent.Number()+1 != b.Number() {
		return fmt.Errorf("block %d, %s, does not follow the block before it", b.Number(), b.hash)
	}
	b.totalDifficulty = parent.totalDifficulty
	if difficulty := b.Header().Difficulty; difficulty.Sign() > 0 {
		b.totalDifficulty = new(big.Int).Add(parent.totalDifficulty, difficulty)
	}
	b.kept.whole.Store(b.own().sharedWith(parent))
	return nil
}
