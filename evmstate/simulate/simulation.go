package simulate

import (
	"context"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
)

// Run simulates blocks of calls as eth_simulateV1 does (contract 4-simulate). v.Header is the parent of the first
// simulated block, and v.State is the state that this block starts from. For the pending block these are the head's
// header and the pre-confirmed state, and p.Pending is the header of the pending block.
//
// A call that reverts or runs out of gas has a result. The error reports why the whole simulation was rejected: one of
// the errors of this package, a *TimeoutError, a *SizeError, or the context's error.
func Run(ctx context.Context, v chain.View, p Payload, l Limits) ([]BlockResult, error) {
	ctx, cancel := l.start(ctx)
	defer cancel()
	if err := p.Check(); err != nil {
		return nil, err
	}
	slots, err := p.schedule(v.Header, p.timing(v))
	if err != nil {
		return nil, err
	}
	s := &simulation{
		payload:   p,
		chain:     v.Chain,
		config:    v.Chain.Config(),
		state:     v.State,
		base:      v.Header,
		ancestors: v.Chain.HashFunc(v.Header),
		parent:    v.Header,
		pending:   p.Pending,
		hashes:    []common.Hash{v.Header.Hash()},
		budget:    l.gasCap(),
		limit:     l.MaxResult,
	}
	for _, slot := range slots {
		merged := v.Header.Difficulty.Sign() == 0 || v.Chain.Config().IsPostMerge(slot.number, slot.time)
		if p.RejectDifficulty && merged && slot.Overrides.Difficulty != nil {
			return nil, fmt.Errorf("block %d: %w", slot.number, ErrDifficulty)
		}
	}
	results := make([]BlockResult, 0, len(slots))
	for i := range slots {
		result, err := s.run(ctx, &slots[i])
		if err != nil {
			return nil, err
		}
		if p.ReportGaps || !slots[i].gap {
			results = append(results, result)
		}
	}
	return results, nil
}

// simulation is a chain of simulated blocks that grows at its end.
type simulation struct {
	payload   Payload
	chain     *chain.Chain
	config    *params.ChainConfig
	base      *types.Header
	ancestors vm.GetHashFunc // hashes of the blocks below base

	state  *evmstate.State // after the last block
	parent *types.Header   // of the next block
	// pending is the block that the next one continues, or nil after the first.
	pending *types.Header
	hashes  []common.Hash // of base and the simulated blocks
	budget  uint64        // gas left to all further calls
	limit   int           // bytes of all results; 0: any
	size    int           // bytes of the results so far
}

// run executes the next block and appends it to the simulation.
func (s *simulation) run(ctx context.Context, next *slot) (BlockResult, error) {
	if ctx.Err() != nil {
		return BlockResult{}, context.Cause(ctx)
	}
	b, err := s.newBlock(next)
	if err != nil {
		return BlockResult{}, err
	}
	defer b.machine.Release()
	for i := range next.Calls {
		if err := b.add(ctx, &next.Calls[i]); err != nil {
			return BlockResult{}, err
		}
	}
	result, err := b.seal(ctx)
	if err != nil {
		return BlockResult{}, err
	}
	s.state, s.parent, s.pending = b.state, result.Block.Header(), nil
	s.hashes = append(s.hashes, result.Block.Hash())
	return result, nil
}

// header returns the header of the next block, without the fields that execution yields.
func (s *simulation) header(next *slot) *types.Header {
	inherited := s.parent
	if s.pending != nil {
		inherited = s.pending
	}
	h := next.header(inherited, s.config)
	h.ParentHash = s.hashes[len(s.hashes)-1]
	switch {
	case next.Overrides.BaseFee != nil: // before London too, as geth does
		h.BaseFee = next.Overrides.BaseFee
	case !s.config.IsLondon(h.Number):
	case s.payload.chargesBaseFee() && s.pending != nil:
		h.BaseFee = s.pending.BaseFee
	case s.payload.chargesBaseFee():
		h.BaseFee = s.chain.NextBaseFee(s.parent)
	default:
		// Calls without a price must not fail for being below the base fee.
		h.BaseFee = new(big.Int)
	}
	if s.config.IsCancun(h.Number, h.Time) {
		var excess uint64
		if s.config.IsCancun(s.parent.Number, s.parent.Time) {
			excess = s.chain.NextExcessBlobGas(s.parent, h.Time)
		}
		h.ExcessBlobGas = &excess
		h.ParentBeaconRoot = new(common.Hash)
		if next.Overrides.BeaconRoot != nil {
			h.ParentBeaconRoot = next.Overrides.BeaconRoot
		}
	}
	if s.config.IsAmsterdam(h.Number, h.Time) {
		h.SlotNumber = chain.NextSlot(s.parent)
	}
	return h
}

// blockHash returns the hash of a block as BLOCKHASH sees it inside the simulation.
func (s *simulation) blockHash(number uint64) common.Hash {
	base := s.base.Number.Uint64()
	if number < base {
		return s.ancestors(number)
	}
	if i := number - base; i < uint64(len(s.hashes)) {
		return s.hashes[i]
	}
	return common.Hash{}
}
