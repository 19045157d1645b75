package chain

import (
	"cmp"
	"errors"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

const (
	// defaultHistory is the number of blocks that keep their State if Options.History is zero.
	defaultHistory = 10_000
	// maxHistory is more blocks than any chain has, and low enough that sums with it do not overflow.
	maxHistory = 1 << 60
)

// Options configures a chain. The zero value works.
type Options struct {
	// History is the number of newest blocks that keep their State, counted from the highest head reached: a reorg to a
	// lower head does not bring States back. 0 means 10,000; math.MaxUint64 means all. Older blocks keep everything
	// but their State.
	History uint64
	// Lenient makes Import accept headers that only a node under a test's control makes: a timestamp equal to the
	// parent's, any gas limit, any base fee and any excess blob gas. Execution is checked as usual.
	Lenient bool
	// Track makes State.Changes of every block's State yield the differences from the State of the block before, and
	// State.Changes of the genesis State the changes of WithState.
	Track bool
	// Optimism makes this an OP-stack chain with these rules. The genesis must hold the contracts that the rules need: see
	// package optimism. Nil: Ethereum's rules.
	Optimism *optimism.Rules
	// CodeLimit is how large the code of a contract may be. Zero: as in EIP-170 and EIP-3860.
	CodeLimit evmstate.CodeLimit
	// TxGasLimit is the most gas that a transaction may ask for. Zero: as in EIP-7825.
	TxGasLimit TxGasLimit
	// NativeToken is the contract that shows the native coin as a token. What moves then has a log (EIP-7708), no fee is
	// burned, and neither the zero address nor an account that the contract blocks takes part. Zero: there is none.
	NativeToken common.Address
	// SmoothedBaseFee makes the base fee follow the smoothed use of gas, and puts that of the next block into the extra
	// data. False: it follows from the parent (EIP-1559).
	SmoothedBaseFee bool
	// ChargeGasLimit charges a transaction its gas limit, whatever it uses. False: the gas that it uses.
	ChargeGasLimit bool
	// ReserveBalance in wei, or what it had if that is less, a transaction that is charged its gas limit must leave each
	// account that can send; else it fails with evmstate.ErrReserve. Nil: nothing.
	ReserveBalance *uint256.Int
	// Tip to propose for a transaction, in wei, by Ethereum's rules. Zero: 1 gwei.
	Tip uint64
	Calls
	// Errors decodes the data of a revert as an error that a contract declares; it returns "" if it knows none. It is
	// called from many goroutines at once. Nil: no errors are known.
	Errors func(data []byte) string
}

// Calls are options of calls and simulations.
type Calls struct {
	// CallsSeeBaseFee gives calls without a fee the base fee of their block. False: they see a base fee of zero.
	CallsSeeBaseFee bool
	// CallsBelowBaseFee lets calls pay less than the base fee of their block, and drops a gas price beside other fees.
	// False: both are errors.
	CallsBelowBaseFee bool
	// FixedPrecompiles lets precompiles run whatever state overrides make of their accounts. False: these replace or move
	// them.
	FixedPrecompiles bool
	// CallsFree gives blocks that calls run in a base fee of zero, and senders what a call may cost. False: neither.
	CallsFree bool
}

// Chain holds a chain of sealed blocks and the States of the newest ones. It is immutable and safe for concurrent use:
// every change returns a new Chain that shares structure with the old one. To take a snapshot keep the pointer; to
// revert to it use the pointer again.
type Chain struct {
	Options // never changed; History is not 0
	config  *params.ChainConfig
	genesis *Genesis // nil on a fork
	fork    *below   // the blocks below the first one; nil if that is the genesis
	base    uint64   // number of the first block

	recovered map[string]common.Address // see WithRecovered

	stateByteGas uint64 // price of a byte of state from Amsterdam on; 0: go-ethereum's

	blocks vector[*Block]               // canonical, by number from base on
	calm   *evmstate.State              // State of the head if its end changed no queue of requests (Draft.calms), or another
	state  *evmstate.State              // State of the head; nil if it is pruned (after Truncate below the kept States)
	states window                       // States of the blocks below the head
	cut    *branch                      // orphans whose States are kept
	kept   func(*Block) *evmstate.State // States of the blocks that Restore brought; nil if there are none
	index  index
}

// New returns a chain that consists of the genesis block. The genesis is computed once for each pointer and then
// shared, so a further chain from the same pointer costs next to nothing. The caller must not modify g, its Config or
// its Alloc afterwards. The error names the fault in the genesis.
func New(g *Genesis, o Options) (*Chain, error) {
	c, err := originOf(g)
	if err != nil {
		return nil, err
	}
	o.History = min(cmp.Or(o.History, defaultHistory), maxHistory)
	next := *c
	next.Options = o
	if o.Optimism != nil && (g.Number != 0 || !c.config.IsPrague(new(big.Int), g.Timestamp)) {
		return nil, errors.New("the rules of optimism need a genesis of number 0 in which prague is active")
	}
	if o.Track {
		next.state = c.state.Tracked()
	}
	return &next, nil
}

// Config returns the fork rules. The caller must not modify them.
func (c *Chain) Config() *params.ChainConfig { return c.config }

// Reverted returns the error of a call that reverted with these data.
func (c *Chain) Reverted(data []byte) *evmstate.RevertError {
	reverted := &evmstate.RevertError{Data: data}
	if c.Errors != nil {
		reverted.Declared = c.Errors(data)
	}
	return reverted
}

// Machine returns a Machine that executes by the chain's rules, in a block with that context, from the given State on.
// Release must be called afterwards.
func (c *Chain) Machine(state *evmstate.State, block vm.BlockContext, cfg vm.Config) *evmstate.Machine {
	m := evmstate.NewMachine(state, block, c.config, cfg)
	m.SetCodeLimit(c.CodeLimit)
	switch rules := m.EVM().GetRules(); {
	case c.NativeToken != common.Address{}:
		m.SetNativeToken(c.NativeToken, c.Precompiles(rules))
	case len(c.recovered) > 0:
		m.SetPrecompiles(c.Precompiles(rules))
	case c.Optimism != nil:
		m.SetPrecompiles(c.Optimism.Upgrade.Precompiles(rules)) // without a copy: the machine only reads them
	}
	return m
}

// Genesis returns the genesis that the chain was made from, or nil for a fork. The caller must not modify it.
func (c *Chain) Genesis() *Genesis { return c.genesis }

// Head returns the newest block.
func (c *Chain) Head() *Block { return c.blocks.items[c.blocks.len()-1] }

// Base returns the number of the first block: that of the genesis, or the fork block's.
func (c *Chain) Base() uint64 { return c.base }

// BlockByNumber returns the canonical block n, or nil if n is above the head or below Base.
func (c *Chain) BlockByNumber(n uint64) *Block {
	if n < c.base || n-c.base >= uint64(c.blocks.len()) {
		return nil
	}
	return c.blocks.items[n-c.base]
}

// BlockByHash returns the block with hash h, which may be an orphan, and reports whether it is canonical. It returns
// nil if the hash is unknown, and for blocks below Base.
func (c *Chain) BlockByHash(h common.Hash) (b *Block, canonical bool) {
	for e := range c.index.hashes.find(h) {
		if b := c.candidate(e); b != nil && e.index < 0 && b.hash == h {
			return b, true
		}
	}
	b, _ = c.index.orphans.Get(h)
	return b, false
}

// candidate returns the canonical block that e may be of, or nil.
func (c *Chain) candidate(e hashEntry) *Block { return c.BlockByNumber(c.base + uint64(e.block)) }

// Canonical reports whether b is on the chain from the genesis to the head.
func (c *Chain) Canonical(b *Block) bool {
	at := c.BlockByNumber(b.Number())
	return at != nil && at.hash == b.hash
}

// Find returns the block that holds the transaction with hash h, and its index there. canonical is false if that is an
// orphan, the newest one; b is nil if there is none. Find does not look for the transactions of a fork block and below
// it.
func (c *Chain) Find(h common.Hash) (b *Block, index int, canonical bool) {
	for e := range c.index.hashes.find(h) {
		i := int(e.index)
		if b := c.candidate(e); b != nil && i >= 0 {
			if in := b.own().transactions; i < in.count() && in.at(i).Hash() == h {
				return b, i, true
			}
		}
	}
	p, _ := c.index.lost.Get(h)
	return p.block, p.index, false
}

// Truncate returns the chain with block n as its head, or c itself if n is not below the head, or is below Base. The
// blocks above n stay readable by hash as orphans, and their States as long as Options.History allows. If the State
// of block n is pruned, no block can be built on the returned chain.
func (c *Chain) Truncate(n uint64) *Chain {
	head := c.Head().Number()
	if n >= head || n < c.base {
		return c
	}
	next := *c
	next.cut = c.cutAbove(n)
	for _, b := range c.blocks.items[n+1-c.base:] {
		next.index = next.index.withOrphan(b)
	}
	next.blocks = c.blocks.truncate(int(n + 1 - c.base))
	next.state = c.stateOf(next.Head())
	next.states = c.states.below(n)
	return &next
}

// Discard is Truncate, but nothing is left of the blocks above n.
func (c *Chain) Discard(n uint64) *Chain {
	next := *c.Truncate(n)
	next.cut, next.index.orphans, next.index.lost = c.cut, c.index.orphans, c.index.lost
	return &next
}

// WithState returns the chain with another State of the head. It is for changes that no transaction makes, such as a
// balance set on command. The head keeps its header, so the header's state root is no longer the root of its State, and
// the blocks that Export writes no longer lead to it. s must be committed.
func (c *Chain) WithState(s *evmstate.State) *Chain {
	next := *c
	next.state = s
	return &next
}

// append returns the chain with b, whose State is s, as its new head. The transactions are b's.
func (c *Chain) append(b *Block, s *evmstate.State, transactions evmstate.Transactions) *Chain {
	next := *c
	if head := c.blocks.len(); head > 1 {
		c.Head().shorten(c.blocks.items[head-2])
	}
	next.blocks = c.blocks.append(b)
	next.state = s
	next.index = c.index.with(b, transactions, b.Number()-c.base)
	var compacted bool
	next.states, compacted = c.states.push(c.state, c.History)
	if compacted {
		next.cut = c.cut.trim(b.Number(), c.History)
	}
	return &next
}
