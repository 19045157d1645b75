package rollup

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Derivation is a preconf.Derivation by the protocol's rules: the origin of a block is that of its parent, or the next
// L1 block as soon as that is not later than the block itself. It is immutable.
type Derivation struct {
	// Portal makes deposits, and SystemConfig the changes of the operator.
	Portal, SystemConfig common.Address
	// Distance is how many blocks behind the L1's head the newest origin is. Zero: none.
	Distance uint64
}

// Newest implements preconf.Derivation.
func (d Derivation) Newest(l1 *chain.Chain) uint64 {
	head := l1.Head().Number()
	return head - min(d.Distance, head)
}

// Next implements preconf.Derivation. An origin that the L1 does not have stays.
func (d Derivation) Next(l1 *chain.Chain, origin optimism.L1, time uint64) (optimism.L1, []*optimism.Deposit) {
	b := l1.BlockByNumber(origin.Number + 1)
	if b == nil || b.Number() > d.Newest(l1) || b.Time() > time || b.Header().ParentHash != origin.Hash {
		return origin, nil
	}
	next := Origin(l1, b, origin)
	var deposits []*optimism.Deposit
	for _, log := range b.Logs() {
		switch log.Address {
		case d.SystemConfig:
			optimism.Configure(&next, log)
		case d.Portal:
			if deposit, err := optimism.DepositOf(log, b.Hash()); err == nil {
				deposits = append(deposits, deposit)
			}
		}
	}
	return next, deposits
}

// Origin returns the L1 block b of a chain as an L2 refers to it, with what the operator had set before.
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
