package rpcserver

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/preconf"
)

// suggestedTip is the tip that the node proposes: there is never competition for a place in its blocks,
// so any would do, and a fixed one makes transactions repeatable.
var suggestedTip = big.NewInt(params.GWei)

// gasPrice serves eth_gasPrice: the next block's base fee and the tip, in wei.
func gasPrice(r *request) (any, error) {
	return (*hexutil.Big)(suggestedPrice(r.moment())), nil
}

func suggestedPrice(m *preconf.Moment) *big.Int {
	if fee := nextBaseFee(m); fee != nil {
		return fee.Add(fee, suggestedTip)
	}
	return new(big.Int).Set(suggestedTip)
}

// maxPriorityFeePerGas serves eth_maxPriorityFeePerGas, in wei.
func maxPriorityFeePerGas(*request) (any, error) { return (*hexutil.Big)(suggestedTip), nil }

// baseFee serves eth_baseFee: that of the next block, in wei; null before London.
func baseFee(r *request) (any, error) {
	if fee := nextBaseFee(r.moment()); fee != nil {
		return (*hexutil.Big)(fee), nil
	}
	return nil, nil
}

// nextBaseFee is the base fee of the block being built, in wei, the caller's to change; nil before London.
func nextBaseFee(m *preconf.Moment) *big.Int {
	if v := m.Pending(); v.Pending() {
		if v.Header().BaseFee == nil {
			return nil
		}
		return new(big.Int).Set(v.Header().BaseFee)
	}
	head := m.Latest().Header()
	if !m.Chain().Config().IsLondon(new(big.Int).Add(head.Number, big.NewInt(1))) {
		return nil
	}
	return m.Chain().NextBaseFee(head)
}

// blobBaseFee serves eth_blobBaseFee: that of the newest sealed block, in wei; null before Cancun.
func blobBaseFee(r *request) (any, error) {
	m := r.moment()
	head := m.Latest().Header()
	if head.ExcessBlobGas == nil {
		return nil, nil
	}
	return (*hexutil.Big)(eip4844.CalcBlobFee(m.Chain().Config(), head)), nil
}
