package simulate

import (
	"cmp"
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
	b, err := s.newBlock(ctx, next)
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
	h := next.header(cmp.Or(s.pending, s.parent), s.config)
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
		h.ParentBeaconRoot = cmp.Or(next.Overrides.BeaconRoot, new(common.Hash))
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

// Payload is the input of a simulation (contract 2.5-blocks to 2.5-validation).
type Payload struct {
	Blocks []Block
	// Pending is the header of the block being built if the first simulated block continues it, and nil otherwise. The
	// simulated block then has the same gas limit and fee recipient, with ChargeBaseFee the same base fee, and is not
	// earlier.
	Pending *types.Header
	// BaseMilliseconds is the time of the block that is continued, in Unix milliseconds, where the rules of the chain fix
	// the block time: omitted timestamps then follow its schedule, and may repeat. Ignored elsewhere.
	BaseMilliseconds uint64
	// TraceTransfers adds a log for every transfer of ether (contract 2.5-traceTransfers).
	TraceTransfers bool
	// Validation makes the simulation check nonces, and reject a call whose sender lacks the funds for its value and gas
	// (contract 2.5-validation). Without it such a call fails: its result has the reason, and it used no gas.
	Validation bool
	Rules
}

// Rules are the rules of a simulation in which nodes differ. The zero value has the contract's, a field that is set
// go-ethereum's.
type Rules struct {
	// ChargeBaseFee gives the blocks of a simulation with Validation the chain's base fee, which calls must then pay.
	// Without it the base fee is zero unless overridden.
	ChargeBaseFee bool
	// RejectUnfunded rejects a call whose sender lacks funds without Validation, too.
	RejectUnfunded bool
	// ReportGaps gives results for the empty blocks in the gaps between numbers, too. Without it there is one result for
	// each of Blocks.
	ReportGaps bool
	// ComputeStateRoots fills in the true state roots, on which the block hashes then depend. Without it they are zero
	// (contract 2.6-stateRoot).
	ComputeStateRoots bool
	// GasPriceDecides makes a transaction of type 0 or 1 of every call with a gasPrice and of every call before London, as
	// go-ethereum does, which drops the fields that such a transaction does not have. Without it the fields decide the
	// type.
	GasPriceDecides bool
	// RejectDifficulty rejects an override of a difficulty after the merge, which without it has no effect.
	RejectDifficulty bool
}

// Block is one simulated block.
type Block struct {
	Calls          []Call
	StateOverrides StateOverrides
	// Overrides may be nil.
	Overrides *BlockOverrides
}

// BlockResult is one simulated block with the results of its calls (contract 2.6-fields).
type BlockResult struct {
	// Block holds the header and one unsigned transaction per call.
	Block *types.Block
	// Calls are the results, one per transaction. Their logs carry the simulated block's hash.
	Calls []CallResult
	// Senders are the senders of the transactions.
	Senders []common.Address
}

// Check checks the limits on blocks and calls, as Run does first. It returns nil, ErrEmptyPayload, ErrTooManyBlocks or
// ErrTooManyCalls.
func (p *Payload) Check() error {
	if len(p.Blocks) == 0 {
		return ErrEmptyPayload
	}
	if len(p.Blocks) > MaxBlocks {
		return fmt.Errorf("%w: %d > %d", ErrTooManyBlocks, len(p.Blocks), MaxBlocks)
	}
	total := 0
	for i, block := range p.Blocks {
		if n := len(block.Calls); n > MaxCallsPerBlock {
			return fmt.Errorf("%w in block %d: %d > %d", ErrTooManyCalls, i, n, MaxCallsPerBlock)
		}
		total += len(block.Calls)
	}
	if total > MaxCalls {
		return fmt.Errorf("%w: %d > %d", ErrTooManyCalls, total, MaxCalls)
	}
	return nil
}

func (p *Payload) chargesBaseFee() bool { return p.Validation && p.ChargeBaseFee }

// blockInterval is the default time between simulated blocks, in seconds.
const blockInterval = 12

// slot is a block with its number and time in the simulated chain.
type slot struct {
	Block
	number uint64
	time   uint64 // Unix seconds
	gap    bool   // between the numbers of the payload's blocks
}

type timing struct {
	// due returns the time of a block that names none, after a block at previous.
	due func(number, previous uint64) uint64
	// repeats reports whether a block may have the time of the block before it.
	repeats bool
}

// timing returns the timing of a chain: blocks 12 s apart or, where the rules fix the block time, at the second of the
// block's milliseconds, but never before its parent.
func (p *Payload) timing(v chain.View) timing {
	base := v.Header
	if step := uint64(v.Chain.BlockTime().Milliseconds()); step > 0 {
		return timing{repeats: true, due: func(number, previous uint64) uint64 {
			return max(previous, (p.BaseMilliseconds+step*(number-base.Number.Uint64()))/1000)
		}}
	}
	first := base.Number.Uint64() + 1
	return timing{due: func(number, previous uint64) uint64 {
		if number == first && p.Pending != nil {
			return max(previous+blockInterval, p.Pending.Time)
		}
		return previous + blockInterval
	}}
}

// schedule returns the blocks of the payload with numbers and timestamps that ascend from base, and with empty blocks
// in the gaps between numbers.
func (p *Payload) schedule(base *types.Header, timing timing) ([]slot, error) {
	slots := make([]slot, 0, len(p.Blocks))
	number, time := base.Number.Uint64(), base.Time
	for _, block := range p.Blocks {
		if block.Overrides == nil {
			block.Overrides = new(BlockOverrides)
		}
		next, err := nextNumber(block.Overrides.Number, number, base.Number.Uint64())
		if err != nil {
			return nil, err
		}
		for number+1 < next {
			number++
			time = timing.due(number, time)
			slots = append(slots, slot{Block: Block{Overrides: new(BlockOverrides)}, number: number, time: time, gap: true})
		}
		previous := time
		number, time = next, timing.due(next, previous)
		if block.Overrides.Time != nil {
			time = *block.Overrides.Time
		}
		switch {
		case timing.repeats && time < previous:
			return nil, fmt.Errorf("%w: %d < %d", ErrBlockTimeOrder, time, previous)
		case !timing.repeats && time <= previous:
			return nil, fmt.Errorf("%w: %d <= %d", ErrBlockTimeOrder, time, previous)
		}
		slots = append(slots, slot{Block: block, number: number, time: time})
	}
	return slots, nil
}

// nextNumber returns the number of the block after previous: wanted, or previous + 1 if wanted is nil.
func nextNumber(wanted *big.Int, previous, base uint64) (uint64, error) {
	if wanted == nil {
		wanted = new(big.Int).SetUint64(previous + 1)
	}
	if wanted.Cmp(new(big.Int).SetUint64(previous)) <= 0 {
		return 0, fmt.Errorf("%w: %d <= %d", ErrBlockNumberOrder, wanted, previous)
	}
	if !wanted.IsUint64() || wanted.Uint64()-base > MaxBlocks {
		return 0, fmt.Errorf("%w: block %d is more than %d above block %d", ErrTooManyBlocks, wanted, MaxBlocks, base)
	}
	return wanted.Uint64(), nil
}

// header returns the header of a slot, as far as it does not depend on executing the block before. inherited is the
// header of that block, or of the block that is continued.
func (s *slot) header(inherited *types.Header, config *params.ChainConfig) *types.Header {
	h := &types.Header{
		Number:     new(big.Int).SetUint64(s.number),
		Time:       s.time,
		Coinbase:   inherited.Coinbase,
		Difficulty: inherited.Difficulty,
		GasLimit:   inherited.GasLimit,
	}
	// Without this a simulation on a block before the merge would never reach later forks.
	if config.IsPostMerge(s.number, s.time) {
		h.Difficulty = new(big.Int)
	}
	s.Overrides.header(h)
	return h
}
