package optimism

import (
	"encoding/binary"
	"math/big"

	"github.com/ethereum/go-ethereum/core/types"
)

// Rules are the rules of an OP-stack chain: its upgrade, and the parameters of the base fee.
type Rules struct {
	Upgrade *Upgrade
	BaseFeeRules
	// BaseFeeScalar and BlobBaseFeeScalar are the scalars of the L1 fee in DefaultL1. Zero: Base's.
	BaseFeeScalar, BlobBaseFeeScalar uint32
}

// BaseFeeRules are the parameters of the base fee, which the extra data of every header repeats.
type BaseFeeRules struct {
	Denominator uint32 // a block changes the base fee by at most (Elasticity-1)/Denominator
	Elasticity  uint32 // a block's target is its gas limit divided by this
	MinBaseFee  uint64 // wei; the base fee does not fall below
}

// DefaultRules returns the rules of an upgrade with its own parameters of the base fee.
func (u *Upgrade) DefaultRules() *Rules { return &Rules{Upgrade: u, BaseFeeRules: u.Fees} }

const (
	extraSize    = 17 // bytes
	extraVersion = 1  // Jovian
)

// ExtraData returns the extra data of a header: version, denominator, elasticity and least base fee.
func (r BaseFeeRules) ExtraData() []byte {
	extra := make([]byte, 0, extraSize)
	extra = append(extra, extraVersion)
	extra = binary.BigEndian.AppendUint32(extra, r.Denominator)
	extra = binary.BigEndian.AppendUint32(extra, r.Elasticity)
	return binary.BigEndian.AppendUint64(extra, r.MinBaseFee)
}

// RulesIn returns the rules of an upgrade with the parameters in a header's extra data, or nil if it has none.
func RulesIn(extra []byte, upgrade *Upgrade) *Rules {
	if len(extra) != extraSize || extra[0] != extraVersion {
		return nil
	}
	r := &Rules{Upgrade: upgrade, BaseFeeRules: BaseFeeRules{
		Denominator: binary.BigEndian.Uint32(extra[1:]),
		Elasticity:  binary.BigEndian.Uint32(extra[5:]),
		MinBaseFee:  binary.BigEndian.Uint64(extra[9:]),
	}}
	if r.Denominator == 0 || r.Elasticity == 0 {
		return nil
	}
	return r
}

// After returns the parameters that a block after parent has, unless the operator sets others.
func (r *Rules) After(parent *types.Header) BaseFeeRules {
	if said := RulesIn(parent.Extra, r.Upgrade); said != nil {
		return said.BaseFeeRules
	}
	return r.BaseFeeRules
}

// NextBaseFee returns the base fee in wei of the block after parent: EIP-1559 with the parameters in the parent's extra
// data, for the larger of its gas and its DA footprint, and never below the least base fee.
func (r *Rules) NextBaseFee(parent *types.Header) *big.Int {
	rules := r.After(parent)
	used := parent.GasUsed
	if parent.BlobGasUsed != nil {
		used = max(used, *parent.BlobGasUsed)
	}
	fee := new(big.Int).Set(parent.BaseFee)
	target := parent.GasLimit / uint64(rules.Elasticity)
	if target > 0 && used != target {
		difference := new(big.Int).SetUint64(max(used, target) - min(used, target))
		difference.Mul(difference, parent.BaseFee)
		difference.Div(difference, new(big.Int).SetUint64(target))
		difference.Div(difference, new(big.Int).SetUint64(uint64(rules.Denominator)))
		if used > target {
			if difference.Sign() == 0 {
				difference.SetUint64(1)
			}
			fee.Add(fee, difference)
		} else {
			fee.Sub(fee, difference)
		}
	}
	if least := new(big.Int).SetUint64(rules.MinBaseFee); fee.Cmp(least) < 0 {
		return least
	}
	return fee
}
