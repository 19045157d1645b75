package chain

import (
	"cmp"
	"encoding/binary"
	"math/big"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// MostIdle is how many blocks an Idle may seal.
const MostIdle = 256

// Idle seals blocks in which nothing happens one after the other, in less time than Drafts take: it makes the State of
// the last one alone. StateAt makes that of another one from the nearest below. It is not safe for concurrent use.
type Idle struct {
	chain   *Chain
	run     *evmstate.Run
	history *evmstate.Storage
	system  *idleSystem         // nil by Ethereum's rules
	others  []*evmstate.Storage // that the system's deposits change
	times   []uint64            // of the blocks still to come
	ahead   chan ahead          // of each, from another goroutine
	astray  bool                // a block had other deposits than those made ahead
}

// ahead holds the parts of a block that do not depend on its parent.
type ahead struct {
	root     common.Hash           // of the storage of EIP-4788's contract
	deposits *quietBody            // where L1 moves by the rules; nil by Ethereum's, or if they cannot be executed
	list     evmstate.Transactions // the deposits
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
	i := &Idle{chain: c, times: times, ahead: make(chan ahead, len(times))}
	rules, system := c.Optimism(), (*idleSystem)(nil)
	if rules != nil {
		last, ok := rules.SystemIn(s)
		if !ok {
			return nil
		}
		changed = append(changed, last.Accounts()...)
		system, i.system = newIdleSystem(s, last), newIdleSystem(s, last)
	}
	run, of := s.Run(changed...)
	i.run, i.history, i.others = run, of[1], of[2:]
	go func() {
		h, at := *c.Head().Header(), c.Time(c.Head())
		for _, t := range times {
			of[0].Set(word(t%ringLength), word(t))
			next := ahead{root: of[0].Root()}
			if rules != nil {
				step := cmp.Or(c.BlockTime(), time.Duration(t-h.Time)*time.Second)
				h.Number, h.Time, at = new(big.Int).Add(h.Number, common.Big1), t, at.Add(step)
				l1, sequence := rules.NextL1(*system.last.L1, system.last.Sequence, step)
				next.deposits, next.list = system.next(c, &h, l1, sequence, uint16(at.Nanosecond()/int(time.Millisecond)))
			}
			i.ahead <- next
		}
	}()
	return i
}

// Seal seals the next block, and returns the chain with it, whose head has no State yet, and the block. It returns nil
// if env asks for a block of another kind, or for another time, and then must not be called again. The error names the
// fault in env.
func (i *Idle) Seal(env Env) (*Chain, *Block, error) {
	env, h, err := i.chain.timedHeader(env)
	if err != nil {
		return nil, nil, err
	}
	d := &Draft{chain: i.chain, header: h, withdrawals: types.Withdrawals{}}
	if !d.isPlain() || h.Time != i.times[0] || len(env.Withdrawals)+len(env.Deposits) > 0 || i.system != nil && env.Unbegun || *h.ParentBeaconRoot != (common.Hash{}) {
		return nil, nil, nil
	}
	next := <-i.ahead
	if i.system != nil && !i.include(&next, h, env) {
		return nil, nil, nil
	}
	i.times = i.times[1:]
	i.history.Set(word((h.Number.Uint64()-1)%ringLength), h.ParentHash)
	roots := []common.Hash{next.root, i.history.Root()}
	for _, a := range i.others {
		roots = append(roots, a.Root())
	}
	h.Root = i.run.Root(roots...)
	var block *Block
	if i.system == nil {
		block = newBlock(d, &finished{header: h, requests: noRequests.Requests}, i.chain.Head())
		i.chain = i.chain.append(block, leftOut, nil)
	} else {
		block = &Block{hash: h.Hash(), totalDifficulty: i.chain.Head().totalDifficulty}
		block.setHeader(h)
		block.kept.quiet.Store(next.deposits)
		i.chain = i.chain.append(block, leftOut, next.list)
	}
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

// include gives the block with header h its deposits, made anew unless those in next are the same, and reports whether
// it could.
func (i *Idle) include(next *ahead, h *types.Header, env Env) bool {
	l1, sequence := i.chain.nextL1(env)
	parent, before := i.chain.Head().Header(), i.system.last
	i.astray = i.astray || next.deposits == nil || *next.deposits.system.L1 != l1 || next.deposits.system.Sequence != sequence ||
		next.deposits.system.Millis != env.Millis || h.GasLimit != parent.GasLimit || h.Coinbase != parent.Coinbase
	if i.astray {
		next.deposits, next.list = i.system.next(i.chain, h, l1, sequence, env.Millis)
	}
	if next.deposits == nil {
		return false
	}
	i.system.last = next.deposits.system
	i.system.last.Write(&before, i.others)
	next.deposits.in(h)
	h.WithdrawalsHash = &i.system.withdrawals
	return true
}

// idleSystem makes the deposits of an OP-stack chain's system in the blocks of an Idle.
type idleSystem struct {
	base        *evmstate.State // before the Idle
	last        optimism.System // of the last block
	withdrawals common.Hash     // root in the headers
	gas         map[gasKey][2]uint64
	receipts    types.Receipts // of the last block, as far as the header depends on them
}

func newIdleSystem(s *evmstate.State, last optimism.System) *idleSystem {
	return &idleSystem{
		base: s, last: last, withdrawals: s.StorageRoot(optimism.MessagePasser), gas: make(map[gasKey][2]uint64),
		receipts: types.Receipts{{Status: types.ReceiptStatusSuccessful}, {Status: types.ReceiptStatusSuccessful}}[:last.Count()],
	}
}

// gasKey holds all that the gas of the deposits depends on, and whether they can be executed.
type gasKey struct {
	optimism.GasKey
	limit    uint64
	coinbase common.Address
}

// next makes the deposits of the block with header h, which refers so to L1. It returns nil if they cannot be executed.
func (i *idleSystem) next(on *Chain, h *types.Header, l1 optimism.L1, sequence uint64, millis uint16) (*quietBody, evmstate.Transactions) {
	next := i.last
	next.Sequence, next.Nonce, next.Millis = sequence, i.last.Nonce+uint64(i.last.Count()), millis
	if l1 != *next.L1 {
		next.L1 = &l1
	}
	included := next.Transactions(h.Number.Uint64())
	key := gasKey{next.GasKey(&i.last), h.GasLimit, h.Coinbase}
	if next.Gas = i.gas[key]; next.Gas[0] == 0 {
		from := i.last.After(i.base)
		m := on.Machine(from, on.BlockContext(h), vm.Config{NoBaseFee: true})
		defer m.Release()
		if next.Measure(m, from, included, core.NewGasPool(h.GasLimit)) != nil {
			return nil, nil
		}
		i.gas[key] = next.Gas
	}
	i.last = next
	list, used := make(evmstate.Transactions, len(included)), uint64(0)
	for at, tx := range included {
		used += next.Gas[at]
		list[at], i.receipts[at].CumulativeGasUsed = tx, used
	}
	return &quietBody{next, listRoot(list), listRoot(evmstate.Receipts{Transactions: list, List: i.receipts})}, list
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

// Most blocks of a test's chain are empty, and the system calls of an empty block are most of its work. Where a
// contract has the code that its EIP publishes, the effect of its call is known without the EVM. From Amsterdam on the
// calls are made all the same, as their accesses are part of the block (EIP-7928), and on a fork, where storage is
// fetched.

// ringLength is the length of the ring buffers of EIP-2935 and EIP-4788, in blocks and seconds.
const ringLength = 8191

// published holds the hash of the published code of each contract that the system calls.
var published = map[common.Address]common.Hash{
	params.BeaconRootsAddress:        crypto.Keccak256Hash(params.BeaconRootsCode),
	params.HistoryStorageAddress:     crypto.Keccak256Hash(params.HistoryStorageCode),
	params.WithdrawalQueueAddress:    crypto.Keccak256Hash(params.WithdrawalQueueCode),
	params.ConsolidationQueueAddress: crypto.Keccak256Hash(params.ConsolidationQueueCode),
}

// isPlain reports whether the effect of d's system calls can be known without the EVM.
func (d *Draft) isPlain() bool {
	config, h := d.chain.config, d.header
	return d.chain.fork == nil && config.IsPrague(h.Number, h.Time) && !config.IsAmsterdam(h.Number, h.Time) && h.ParentBeaconRoot != nil
}

// begun returns base after the system calls that open a plain block, or nil if these must be made.
func (d *Draft) begun(base *evmstate.State) *evmstate.State {
	h := d.header
	if !d.isPlain() || !hasRings(base) {
		return nil
	}
	at := h.Time % ringLength
	return base.WithSlots(params.BeaconRootsAddress,
		evmstate.Slot{Key: word(at), Value: word(h.Time)}, evmstate.Slot{Key: word(at + ringLength), Value: *h.ParentBeaconRoot},
	).WithSlots(params.HistoryStorageAddress, evmstate.Slot{Key: word((h.Number.Uint64() - 1) % ringLength), Value: h.ParentHash})
}

// hasRings reports whether the ring buffers of EIP-4788 and EIP-2935 have the published code.
func hasRings(s *evmstate.State) bool {
	beacon, history := params.BeaconRootsAddress, params.HistoryStorageAddress
	return s.CodeHash(beacon) == published[beacon] && s.CodeHash(history) == published[history]
}

func word(n uint64) (w common.Hash) {
	binary.BigEndian.PutUint64(w[24:], n)
	return w
}

// endsAsParent reports whether the system calls that end a plain block would change nothing and return no request:
// those of the parent did so, with the same storage.
func (d *Draft) endsAsParent() bool {
	c := d.chain
	return c.calm != nil && c.calm == c.state && d.isPlain() && len(d.withdrawals) == 0 && d.logs.len() == 0 &&
		sameQueues(d.state, c.state)
}

// calms reports whether the end of d, which leads to a State, changed no queue of requests and returned none, so that
// the next block may end likewise.
func (d *Draft) calms(end *finished) bool {
	withdrawals, consolidations := params.WithdrawalQueueAddress, params.ConsolidationQueueAddress
	return d.isPlain() && d.chain.settles() && len(end.requests) == 0 && sameQueues(d.state, end.state) &&
		end.state.CodeHash(withdrawals) == published[withdrawals] && end.state.CodeHash(consolidations) == published[consolidations]
}

// sameQueues reports whether two States have the same contracts that collect requests to the consensus layer.
func sameQueues(a, b *evmstate.State) bool {
	return a.Shares(b, params.WithdrawalQueueAddress) && a.Shares(b, params.ConsolidationQueueAddress)
}
