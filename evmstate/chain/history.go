package chain

import (
	"bytes"
	"fmt"
	"math/big"
	"slices"

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
	case n+c.History <= c.Head().Number():
		return nil, &PrunedError{Number: n}
	}
	if s := c.stateOf(b); s != nil {
		return s, nil
	}
	return nil, &PrunedError{Number: n}
}

// stateOf returns the State after b if it is kept, or nil.
func (c *Chain) stateOf(b *Block) (s *evmstate.State) {
	switch {
	case !c.Canonical(b):
		s = c.cut.find(b)
	case b.Number() == c.Head().Number():
		s = c.state
	default:
		s = c.states.at(b.Number())
	}
	if s == nil && c.kept != nil {
		return c.kept(b)
	}
	return s
}

// window holds the States of the canonical blocks first, first+1 … up to the one below the head.
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
	return c.keep(c.cut.with(slices.Clone(blocks), states))
}

// keep returns the branches without the oldest ones if there are too many, because repeated reorgs at one height must
// not take more and more memory.
func (c *Chain) keep(cut *branch) *branch {
	if cut.size <= 2*c.History {
		return cut
	}
	return cut.trim(c.Head().Number(), c.History)
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

// kept holds the header and the content of a block. Consecutive blocks without users' transactions have headers of
// 700 bytes that are nearly equal, and deposits of the system that take 4,000 bytes: once a block follows them, they
// share a header, and have only the values that the deposits are made from. It does not change.
type kept struct {
	header *types.Header // the block's own, or one that is like it
	body   *body         // nil if quiet is set; empty blocks share one
	quiet  *quietBody

	like             bool // header is like the block's own, which has this root and prevRandao
	root, prevRandao common.Hash
}

// quietBody is the content of a block with nothing but the deposits of the system, with the header's fields that depend
// on them.
type quietBody struct {
	system                         optimism.System
	transactionsRoot, receiptsRoot common.Hash
}

// Header returns the header. The caller must not modify it.
func (b *Block) Header() *types.Header { return b.kept.Load().headerOf(b) }

func (k *kept) headerOf(b *Block) *types.Header {
	if !k.like {
		return k.header
	}
	h := *k.header
	h.Number, h.Time = new(big.Int).SetUint64(b.number), b.time
	h.ParentHash, h.Root, h.MixDigest = b.parent, k.root, k.prevRandao
	if q := k.quiet; q != nil {
		h.TxHash, h.ReceiptHash, h.GasUsed = q.transactionsRoot, q.receiptsRoot, q.system.Gas[0]+q.system.Gas[1]
	}
	return &h
}

// shorten makes the block share its parent's header and body if its own are nearly equal, and reduces the deposits of
// the system to the values they are made from.
func (b *Block) shorten(parent *Block) {
	now, before := b.kept.Load(), parent.kept.Load()
	if now.like || now.quiet != nil {
		return
	}
	h := now.header
	short := &kept{header: before.header, body: now.body, like: true, root: h.Root, prevRandao: h.MixDigest}
	if system, ok := now.body.system(b.number); ok {
		if before.quiet != nil && *before.quiet.system.L1 == *system.L1 {
			system.L1 = before.quiet.system.L1
		}
		short.body, short.quiet = nil, &quietBody{system, h.TxHash, h.ReceiptHash}
	} else if before.body != nil && now.body.isLike(before.body) {
		short.body = before.body
	}
	if !alike(h, short.headerOf(b)) {
		short.header, short.like = h, false
	}
	b.kept.Store(short)
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

// ownLogs returns the logs in a block, except those on a remote chain.
func (b *Block) ownLogs() []*types.Log {
	if !b.logged { // as most blocks, which are not looked at any more
		return nil
	}
	return b.kept.Load().body.logs
}

// own returns the content of the block, except content on a remote chain.
func (b *Block) own() *body {
	k := b.kept.Load()
	if k.body != nil {
		return k.body
	}
	included := k.quiet.system.Transactions(b.number)
	made := &body{withdrawals: types.Withdrawals{}, requests: [][]byte{}}
	made.receipts, made.logs = sealReceipts(k.quiet.system.Receipts(b.number, included), 0, b.hash)
	for _, tx := range included {
		made.transactions.small = append(made.transactions.small, evmstate.Transaction(tx))
		made.senders = append(made.senders, tx.Deposit().From)
	}
	return made
}

// system returns the values from which the content of block number can be made, and reports whether it has nothing but
// the deposits of the system.
func (b *body) system(number uint64) (optimism.System, bool) {
	if b.withdrawals == nil || !b.isQuiet() {
		return optimism.System{}, false
	}
	return optimism.SystemOf(number, b.transactions.all(), b.receipts)
}

// isLike reports whether both are the same content without transactions.
func (b *body) isLike(other *body) bool {
	empty := func(b *body) bool { return b.isQuiet() && b.transactions.count() == 0 }
	return empty(b) && empty(other) && (b.withdrawals == nil) == (other.withdrawals == nil) && (b.requests == nil) == (other.requests == nil)
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
	if c.Track && k.Head != nil {
		k.Head = k.Head.Tracked()
	}
	next.state, next.kept, next.cut = k.Head, k.Past, nil
	next.states = window{first: c.Head().Number() + uint64(len(k.Blocks))}
	if err := next.restoreBlocks(k.Blocks); err != nil {
		return nil, err
	}
	for _, b := range k.Orphans {
		parent, _ := next.BlockByHash(b.parent)
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
	if parent == nil || parent.hash != b.parent || parent.Number()+1 != b.Number() {
		return fmt.Errorf("block %d, %s, does not follow the block before it", b.Number(), b.hash)
	}
	b.totalDifficulty = parent.totalDifficulty
	if difficulty := b.Header().Difficulty; difficulty.Sign() > 0 {
		b.totalDifficulty = new(big.Int).Add(parent.totalDifficulty, difficulty)
	}
	return nil
}
