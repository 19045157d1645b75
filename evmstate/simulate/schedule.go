package simulate

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// blockInterval is the default time between simulated blocks, in seconds.
const blockInterval = 12

// slot is a block with its number and time in the simulated chain.
type slot struct {
	Block
	number uint64
	time   uint64 // Unix seconds
	gap    bool   // between the numbers of the payload's blocks
}

// timing describes the timestamps of simulated blocks.
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
