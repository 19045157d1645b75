package chain

import (
	"bytes"
	"encoding/binary"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate"
)

// Accounting is the contract in which each block of a chain with Options.SmoothedBaseFee leaves its use of gas.
var Accounting = common.HexToAddress("0x1800000000000000000000000000000000000002")

// Limits of a smoothed base fee, in wei.
const (
	leastSmoothedFee = 20 * params.GWei
	mostSmoothedFee  = 20_000 * params.GWei
)

// LeastBaseFee returns the base fee that no block is below, in wei, or 0.
func (o *Options) LeastBaseFee() uint64 {
	if o.SmoothedBaseFee {
		return leastSmoothedFee
	}
	return 0
}

// nextSmoothedFee returns the base fee of the block after parent: that in its extra data, or the parent's own where it
// has none, as in a simulation.
func nextSmoothedFee(parent *types.Header) *big.Int {
	if len(parent.Extra) == 8 {
		return new(big.Int).SetBytes(parent.Extra)
	}
	return withinSmoothedFees(parent.BaseFee)
}

func withinSmoothedFees(fee *big.Int) *big.Int {
	if fee.Cmp(big.NewInt(leastSmoothedFee)) < 0 {
		return big.NewInt(leastSmoothedFee)
	}
	if most := big.NewInt(mostSmoothedFee); fee.Cmp(most) > 0 {
		return most
	}
	return fee
}

// smoothedFee returns the smoothed use of gas after a block, and the base fee that it gives the next: the smoothed use
// is 4/5 of the earlier and 1/5 of the block's, and 1/50 is the most by which the base fee changes.
func smoothedFee(earlier, used, limit uint64, baseFee *big.Int) (smoothed uint64, next *big.Int) {
	smoothed = (80*earlier + 20*used) / 100
	target := int64(limit / 2)
	over := big.NewInt(int64(smoothed) - target)
	change := over.Quo(over.Mul(over, baseFee), big.NewInt(50*target))
	if int64(smoothed) > target && change.Sign() == 0 {
		change.SetInt64(1)
	}
	return smoothed, withinSmoothedFees(change.Add(change, baseFee))
}

// account notes the use of gas of the block that ends with a State, and puts the base fee of the next into its header.
// On other chains it does nothing.
func (d *Draft) account(state *evmstate.State, h *types.Header) (*evmstate.State, error) {
	if !d.chain.SmoothedBaseFee {
		return state, nil
	}
	n := h.Number.Uint64()
	earlier, slot := gasSlot(n-1), gasSlot(n)
	if err := state.Load(Accounting, earlier, slot); err != nil {
		return nil, err
	}
	word := state.Storage(Accounting, earlier)
	smoothed, next := smoothedFee(binary.BigEndian.Uint64(word[16:]), d.GasUsed(), h.GasLimit, h.BaseFee)
	binary.BigEndian.PutUint64(word[24:], d.GasUsed())
	binary.BigEndian.PutUint64(word[16:], smoothed)
	next.FillBytes(word[8:16])
	h.Extra = bytes.Clone(word[8:16])
	return state.WithSlots(Accounting, evmstate.Slot{Key: slot, Value: word}), nil
}

// gasSlot returns the slot of Accounting for block n, which is that of every 64th block.
func gasSlot(n uint64) common.Hash {
	key, mapping := word(n%64), word(1)
	return crypto.Keccak256Hash(key[:], mapping[:])
}
