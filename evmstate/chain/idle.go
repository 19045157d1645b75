package chain

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// MostIdle is how many blocks an Idle may seal.
const MostIdle = 128

// Idle seals blocks in which nothing happens one after the other, in less time than Drafts take: it makes the State of
// the last one alone. StateAt makes that of another one from the nearest below. It is not safe for concurrent use.
type Idle struct {
	chain   *Chain
	run     *evmstate.Run
	history *evmstate.Storage
	system  *idleSystem      // nil by Ethereum's rules
	times   []uint64         // of the blocks still to come
	roots   chan common.Hash // of the storage of EIP-4788's contract after each, which another goroutine computes ahead
}

// Idle returns an Idle on the head, for blocks at these times, in Unix seconds, at most MostIdle. It returns nil for a
// chain whose blocks may change more by themselves than the ring buffers of EIP-2935 and EIP-4788 and what the deposits
// of an OP-stack chain's system do, or whose States remember changes.
func (c *Chain) Idle(times []uint64) *Idle {
	s := c.state
	if c.track || c.fork != nil || s == nil || c.settles() && c.calm != s || !hasRings(s) || slices.ContainsFunc(times, func(t uint64) bool {
		return s.Storage(params.BeaconRootsAddress, word(t%ringLength+ringLength)) != common.Hash{}
	}) {
		return nil
	}
	changed := []common.Address{params.BeaconRootsAddress, params.HistoryStorageAddress}
	i := &Idle{chain: c, times: times, roots: make(chan common.Hash, len(times))}
	if rules := c.Optimism(); rules != nil {
		if i.system = c.idleSystem(rules); i.system == nil {
			return nil
		}
		changed = append(changed, rules.SystemAccounts()...)
	}
	run, of := s.Run(changed...)
	i.run, i.history = run, of[1]
	if i.system != nil {
		i.system.accounts = of[2:]
	}
	go func() {
		for _, t := range times {
			of[0].Set(word(t%ringLength), word(t))
			i.roots <- of[0].Root()
		}
	}()
	return i
}

// Seal seals the next block, and returns the chain with it, whose head has no State yet, and the block. It returns nil
// if env asks for a block of another kind, or for another time. The error names the fault in env.
func (i *Idle) Seal(env Env) (*Chain, *Block, error) {
	env, err := i.chain.timed(env)
	if err != nil {
		return nil, nil, err
	}
	h, err := i.chain.nextHeader(env)
	if err != nil {
		return nil, nil, err
	}
	d := &Draft{chain: i.chain, header: h, withdrawals: types.Withdrawals{}}
	if !d.isPlain() || h.Time != i.times[0] || len(env.Withdrawals)+len(env.Deposits) > 0 || *h.ParentBeaconRoot != (common.Hash{}) ||
		i.system != nil && !i.system.include(i.chain, h, env) {
		return nil, nil, nil
	}
	i.times = i.times[1:]
	i.history.Set(word((h.Number.Uint64()-1)%ringLength), h.ParentHash)
	roots := []common.Hash{<-i.roots, i.history.Root()}
	if i.system != nil {
		for _, a := range i.system.accounts {
			roots = append(roots, a.Root())
		}
	}
	h.Root = i.run.Root(roots...)
	if i.system == nil {
		block := newBlock(d, &finished{header: h, requests: noRequests.Requests}, i.chain.Head())
		i.chain = i.chain.append(block, leftOut)
		return i.chain, block, nil
	}
	block := &Block{hash: h.Hash(), totalDifficulty: i.chain.Head().totalDifficulty}
	block.setHeader(h)
	block.kept.quiet.Store(&quietBody{i.system.last, h.TxHash, h.ReceiptHash})
	i.chain = i.chain.appendOf(block, leftOut, i.system.transactions)
	return i.chain, block, nil
}

// End returns the chain with the State of its head. The Idle must not be used afterwards.
func (i *Idle) End() *Chain {
	next := *i.chain
	switch {
	case next.state != leftOut: // there is no block
	case len(i.times) == 0:
		next.state = i.run.State()
	default:
		next.state = next.replayed(next.Head())
	}
	next.calm = next.state
	return &next
}

// idleSystem includes the deposits of an OP-stack chain's system in blocks of an Idle.
type idleSystem struct {
	base        *evmstate.State // before the Idle
	rules       *optimism.Rules
	last        optimism.System     // of the last block
	accounts    []*evmstate.Storage // that the deposits change
	withdrawals common.Hash         // root of the header
	gas         map[optimism.GasKey][2]uint64
	like        *types.Header // the first one: gas was measured in its block

	transactions evmstate.Transactions // of the last block
	receipts     types.Receipts
}

// idleSystem returns an idleSystem for the blocks after the head, or nil if the effect of the deposits is not known.
func (c *Chain) idleSystem(rules *optimism.Rules) *idleSystem {
	last, ok := rules.SystemIn(c.state)
	if !ok {
		return nil
	}
	i := &idleSystem{
		base: c.state, rules: rules, last: last, withdrawals: c.state.StorageRoot(optimism.MessagePasser),
		gas: make(map[optimism.GasKey][2]uint64),
	}
	for range last.Count() {
		i.receipts = append(i.receipts, &types.Receipt{Status: types.ReceiptStatusSuccessful})
	}
	return i
}

// include makes the deposits those of the block with header h, and reports whether it could.
func (i *idleSystem) include(on *Chain, h *types.Header, env Env) bool {
	l1, sequence := on.nextL1(env)
	next := optimism.System{
		L1: i.last.L1, Sequence: sequence, Nonce: i.last.Nonce + uint64(i.last.Count()), Millis: env.Millis, HasTime: i.last.HasTime,
	}
	if l1 != *next.L1 {
		next.L1 = &l1
	}
	deposits := next.Transactions(h.Number.Uint64())
	if i.like == nil {
		i.like = h
	}
	key := next.GasKey(&i.last, deposits)
	gas, known := i.gas[key]
	if !known {
		from := i.last.After(i.base)
		m := on.Machine(from, on.BlockContext(h), vm.Config{NoBaseFee: true})
		defer m.Release()
		if next.Measure(m, from, deposits, i.rules, core.NewGasPool(h.GasLimit)) != nil {
			return false
		}
		gas = next.Gas
		i.gas[key] = gas
	}
	if next.Gas = gas; h.GasLimit != i.like.GasLimit || h.Coinbase != i.like.Coinbase || env.Unbegun {
		return false
	}
	i.transactions = i.transactions[:0]
	for at, tx := range deposits {
		i.transactions = append(i.transactions, tx)
		h.GasUsed += gas[at]
		i.receipts[at].CumulativeGasUsed = h.GasUsed
	}
	next.Write(&i.last, i.accounts)
	i.last = next
	h.TxHash, h.ReceiptHash = listRoot(i.transactions), listRoot(evmstate.Receipts{Transactions: i.transactions, List: i.receipts})
	h.WithdrawalsHash = &i.withdrawals
	return true
}

// leftOut stands for the State of a block that an Idle did not make.
var leftOut = evmstate.NewState()

// replayed returns a State that was left out, made from the nearest one below.
func (c *Chain) replayed(b *Block) *evmstate.State {
	s, after := leftOut, []*Block{b}
	for at := b; s == leftOut; after = append(after, at) {
		at, _ = c.BlockByHash(at.header.parent)
		s = c.held(at)
	}
	var times, parents []evmstate.Slot
	for _, b := range slices.Backward(after[:len(after)-1]) {
		times = append(times, evmstate.Slot{Key: word(b.Time() % ringLength), Value: word(b.Time())})
		parents = append(parents, evmstate.Slot{Key: word((b.Number() - 1) % ringLength), Value: b.header.parent})
	}
	s = s.WithSlots(params.BeaconRootsAddress, times...).WithSlots(params.HistoryStorageAddress, parents...)
	if quiet := b.kept.quiet.Load(); quiet != nil {
		s = quiet.system.After(s)
	}
	return s.Commit()
}
