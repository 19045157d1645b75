package rollup

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// MaxSequencerDrift is the most by which the protocol lets a block with transactions be later than its origin.
const MaxSequencerDrift = 30 * time.Minute

// Derivation implements preconf.Derivation by the protocol's rules: the origin of a block is its parent's, or the next
// L1 block as soon as that is not later than the block itself. It is immutable.
type Derivation struct {
	// Portal makes deposits, and SystemConfig holds the operator's settings.
	Portal, SystemConfig common.Address
	// Distance is the number of blocks by which the newest origin is behind the L1's head, less than MaxSequencerDrift.
	// Zero: none.
	Distance uint64
}

func (d Derivation) Newest(l1 *chain.Chain) uint64 {
	head := l1.Head().Number()
	return head - min(d.Distance, head)
}

// Next implements preconf.Derivation. An origin that the L1 does not have is kept.
func (d Derivation) Next(l1, l2 *chain.Chain, time uint64) chain.Env {
	parent := l2.Head().Header()
	config := optimism.SystemConfig{L1: l2.L1(l2.Head()), GasLimit: parent.GasLimit, Fees: l2.Optimism().After(parent)}
	b := l1.BlockByNumber(config.L1.Number + 1)
	if b == nil || b.Number() > d.Newest(l1) || b.Time() > time || b.Header().ParentHash != config.L1.Hash {
		env := chain.Env{L1: &config.L1}
		if origin, _ := l1.BlockByHash(config.L1.Hash); origin != nil {
			env.PrevRandao = origin.Header().MixDigest
		}
		return env
	}
	config.L1 = Origin(l1, b, config.L1)
	env := chain.Env{L1: &config.L1, PrevRandao: b.Header().MixDigest}
	for _, log := range b.Logs() {
		switch log.Address {
		case d.SystemConfig:
			config.Apply(log)
		case d.Portal:
			if deposit, err := optimism.DepositOf(log, b.Hash()); err == nil {
				env.Deposits = append(env.Deposits, deposit)
			}
		}
	}
	env.GasLimit, env.Fees = config.GasLimit, &config.Fees
	return env
}

// Origin returns the L1 block b of a chain as an L2 refers to it, with the operator's settings from before, the origin
// of the L2's parent block.
func Origin(l1 *chain.Chain, b *chain.Block, before optimism.L1) optimism.L1 {
	header := b.Header()
	before.Number, before.Time, before.Hash = b.Number(), b.Time(), b.Hash()
	before.L1BaseFee, before.BlobBaseFee = *uint256.NewInt(0), *uint256.NewInt(1)
	if header.BaseFee != nil {
		before.L1BaseFee.SetFromBig(header.BaseFee)
	}
	if fee := l1.BlobBaseFee(header); fee != nil {
		before.BlobBaseFee.SetFromBig(fee)
	}
	return before
}
