package chain

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
)

// MostIdle is how many blocks an Idle may seal.
const MostIdle = 128

// Idle seals blocks without transactions one after the other, in less time than Drafts take: it makes the State of the
// last one alone. StateAt makes that of another one from the nearest below. It is not safe for concurrent use.
type Idle struct {
	chain   *Chain
	run     *evmstate.Run
	history *evmstate.Storage
	times   []uint64         // of the blocks still to come
	roots   chan common.Hash // of the storage of EIP-4788's contract after each, which another goroutine computes ahead
}

// Idle returns an Idle on the head, for blocks at these times, in Unix seconds, at most MostIdle. It returns nil for a
// chain whose blocks may change more than the ring buffers of EIP-2935 and EIP-4788 by themselves, or whose States
// remember changes.
func (c *Chain) Idle(times []uint64) *Idle {
	s := c.state
	if c.track || c.calm == nil || c.calm != s || !hasRings(s) || slices.ContainsFunc(times, func(t uint64) bool {
		return s.Storage(params.BeaconRootsAddress, word(t%ringLength+ringLength)) != common.Hash{}
	}) {
		return nil
	}
	run, of := s.Run(params.BeaconRootsAddress, params.HistoryStorageAddress)
	i := &Idle{chain: c, run: run, history: of[1], times: times, roots: make(chan common.Hash, len(times))}
	go func() {
		for _, t := range times {
			i.roots <- of[0].Set(word(t%ringLength), word(t))
		}
	}()
	return i
}

// Seal seals the next block, and returns the chain with it, whose head has no State yet, and the block. It returns nil
// if env asks for a block of another kind, or for another time. The error names the fault in env.
func (i *Idle) Seal(env Env) (*Chain, *Block, error) {
	h, err := i.chain.NextHeader(env)
	if err != nil {
		return nil, nil, err
	}
	d := &Draft{chain: i.chain, header: h, withdrawals: types.Withdrawals{}}
	if !d.isPlain() || h.Time != i.times[0] || len(env.Withdrawals) > 0 || *h.ParentBeaconRoot != (common.Hash{}) {
		return nil, nil, nil
	}
	i.times = i.times[1:]
	history := i.history.Set(word((h.Number.Uint64()-1)%ringLength), h.ParentHash)
	h.Root = i.run.Root(<-i.roots, history)
	block := newBlock(d, &finished{header: h, requests: noRequests.Requests}, i.chain.Head())
	i.chain = i.chain.append(block, leftOut)
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

// leftOut stands for the State of a block that an Idle did not make.
var leftOut = evmstate.NewState()

// replayed returns a State that was left out, made from the nearest one below.
func (c *Chain) replayed(b *Block) *evmstate.State {
	s, after := leftOut, []*Block{b}
	for at := b; s == leftOut; after = append(after, at) {
		at, _ = c.BlockByHash(at.header.parent)
		s = c.held(at)
	}
	for _, b := range slices.Backward(after[:len(after)-1]) {
		s = ringed(s, b.Time(), common.Hash{}, b.Number(), b.header.parent)
	}
	return s.Commit()
}
