package chain

import (
	"cmp"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
)

const (
	// defaultHistory is how many blocks keep their State when Options says nothing.
	defaultHistory = 10_000
	// maxHistory is more than any chain has, and sums with it do not wrap.
	maxHistory = 1 << 60
)

// Options of a chain. The zero value works.
type Options struct {
	// History is how many of the newest blocks keep their State, counted from the highest head reached: a reorg to a lower
	// one does not bring States back. 0 means 10,000, the highest number all. Older blocks keep everything else.
	History uint64
	// Lenient lets Import take what a node on command makes of a header: the parent's timestamp again, any gas limit, any
	// base fee. Execution is checked all the same.
	Lenient bool
}

// Chain is a chain of sealed blocks and the States of the newest ones. It is immutable and safe for concurrent use: every
// change returns a new Chain sharing structure with the old one. Snapshot = keep the pointer; revert = put it back.
type Chain struct {
	config  *params.ChainConfig
	genesis *Genesis
	history uint64
	lenient bool

	blocks vector[*Block]  // canonical, by number
	state  *evmstate.State // of the head; nil when pruned (after Truncate below the kept States)
	states window          // of the blocks below
	cut    *branch         // orphans whose States are kept
	index  index
}

// New returns the chain of just the genesis block. The genesis is computed once for each pointer and then shared, so a
// further chain from the same pointer costs next to nothing: do not change g, its Config or its Alloc afterwards. An
// error names what is wrong with the genesis.
func New(g *Genesis, o Options) (*Chain, error) {
	c, err := originOf(g)
	if err != nil {
		return nil, err
	}
	history := min(cmp.Or(o.History, c.history), maxHistory)
	if history == c.history && o.Lenient == c.lenient {
		return c, nil
	}
	next := *c
	next.history, next.lenient = history, o.Lenient
	return &next, nil
}

// Config returns the fork rules, shared: do not modify.
func (c *Chain) Config() *params.ChainConfig { return c.config }

// Genesis returns what the chain was made from, shared: do not modify.
func (c *Chain) Genesis() *Genesis { return c.genesis }

// Head returns the newest block.
func (c *Chain) Head() *Block { return c.blocks.items[c.blocks.len()-1] }

// BlockByNumber returns the canonical block n, nil above the head.
func (c *Chain) BlockByNumber(n uint64) *Block {
	if n >= uint64(c.blocks.len()) {
		return nil
	}
	return c.blocks.items[n]
}

// BlockByHash returns a block, orphans included, and whether it is canonical; nil when the hash is unknown.
func (c *Chain) BlockByHash(h common.Hash) (b *Block, canonical bool) {
	b, ok := c.index.blocks.Get(h)
	if !ok {
		return nil, false
	}
	return b, c.canonical(b)
}

// canonical tells whether b is on the chain from genesis to head.
func (c *Chain) canonical(b *Block) bool {
	at := c.BlockByNumber(b.Number())
	return at != nil && at.hash == b.hash
}

// Transaction finds a transaction in the canonical blocks.
func (c *Chain) Transaction(h common.Hash) (b *Block, index int, ok bool) {
	p, ok := c.index.transactions.Get(h)
	if !ok || !c.canonical(p.block) {
		return nil, 0, false
	}
	return p.block, p.index, true
}

// OrphanedTransaction finds a transaction whose newest block was removed from the chain; ok is false for one in a
// canonical block.
func (c *Chain) OrphanedTransaction(h common.Hash) (b *Block, index int, ok bool) {
	p, ok := c.index.transactions.Get(h)
	if !ok || c.canonical(p.block) {
		return nil, 0, false
	}
	return p.block, p.index, true
}

// Truncate makes block n the head; at or above the head it returns c. The blocks cut off stay readable by hash, their
// States while they are in History. If block n's State is pruned, so is that of the new head and nothing can be built.
func (c *Chain) Truncate(n uint64) *Chain {
	head := c.Head().Number()
	if n >= head {
		return c
	}
	next := *c
	next.cut = c.cutAbove(n)
	next.blocks = c.blocks.truncate(int(n + 1))
	next.state = c.states.at(n)
	next.states = c.states.below(n)
	return &next
}

// WithState replaces the State of the head, for edits from outside (a balance set by hand). The head keeps its header,
// so its state root no longer tells this State, and an exported chain no longer explains it. s must be committed.
func (c *Chain) WithState(s *evmstate.State) *Chain {
	next := *c
	next.state = s
	return &next
}

// append returns the chain with b, whose State is s, on top.
func (c *Chain) append(b *Block, s *evmstate.State) *Chain {
	next := *c
	next.blocks = c.blocks.append(b)
	next.state = s
	next.index = c.index.with(b)
	var compacted bool
	next.states, compacted = c.states.push(c.state, c.history)
	if compacted {
		next.cut = c.cut.trim(b.Number(), c.history)
	}
	return &next
}
