package chain

import (
	"encoding/binary"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// Accounting is the contract in which each block of a chain with Options.SmoothedBaseFee leaves its use of gas, this
// smoothed, and the base fee of the next.
var Accounting = common.HexToAddress("0x1800000000000000000000000000000000000002")

// LeastSmoothedFee is the least base fee with Options.SmoothedBaseFee, in wei.
const LeastSmoothedFee = 20 * params.GWei

// nextSmoothedFee returns the base fee of the block after parent: that in its extra data, or the parent's own where it
// has none, as the genesis block and those of simulations.
func nextSmoothedFee(parent *types.Header) *big.Int {
	if len(parent.Extra) == 8 {
		return new(big.Int).SetBytes(parent.Extra)
	}
	return new(big.Int).SetUint64(smoothedFeeWithin(parent.BaseFee.Uint64()))
}

// smoothedFeeWithin returns the fee in wei that is within the limits and next to one.
func smoothedFeeWithin(fee uint64) uint64 { return min(max(fee, LeastSmoothedFee), 20_000*params.GWei) }

// smoothedFee returns the smoothed use of gas after a block, and the base fee that it gives the next: the smoothed use
// is 4/5 of the earlier and 1/5 of the block's, the target is half the limit, and the fee changes by 2 % at most.
func smoothedFee(earlier, used, limit, baseFee uint64) (smoothed, next uint64) {
	smoothed = (80*earlier + 20*used) / 100
	target := max(limit/2, 1)
	change := uint256.NewInt(max(smoothed, target) - min(smoothed, target))
	change.Div(change.Mul(change, uint256.NewInt(baseFee)), new(uint256.Int).Mul(uint256.NewInt(target), uint256.NewInt(50)))
	if smoothed > target {
		return smoothed, smoothedFeeWithin(baseFee + max(change.Uint64(), 1))
	}
	return smoothed, smoothedFeeWithin(baseFee - change.Uint64())
}

// account notes the smoothed use of gas of the block that ends with a State, and puts the base fee of the next into its
// header. On other chains it does nothing.
func (d *Draft) account(state *evmstate.State, h *types.Header) (*evmstate.State, error) {
	if !d.chain.SmoothedBaseFee || h.BaseFee == nil {
		return state, nil
	}
	before := accountingSlot(h.Number.Uint64() - 1)
	if err := state.Load(Accounting, before); err != nil {
		return nil, err
	}
	values := state.Storage(Accounting, before)
	smoothed, next := smoothedFee(binary.BigEndian.Uint64(values[16:]), d.GasUsed(), h.GasLimit, smoothedFeeWithin(h.BaseFee.Uint64()))
	h.Extra = binary.BigEndian.AppendUint64(nil, next)
	binary.BigEndian.PutUint64(values[8:], next)
	binary.BigEndian.PutUint64(values[16:], smoothed)
	binary.BigEndian.PutUint64(values[24:], d.GasUsed())
	return state.WithSlots(Accounting, evmstate.Slot{Key: accountingSlot(h.Number.Uint64()), Value: values}), nil
}

// accountingSlot returns the slot of Accounting for a block, which that 64 blocks later overwrites.
func accountingSlot(number uint64) common.Hash {
	key := uint256.NewInt(number % 64).Bytes32()
	return crypto.Keccak256Hash(key[:], common.Hash{31: 1}.Bytes())
}
