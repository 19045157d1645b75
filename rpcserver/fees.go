package rpcserver

import (
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// gasPrice serves eth_gasPrice: the next block's base fee and the tip, in wei.
func gasPrice(r *api.Request) (any, error) {
	return (*hexutil.Big)(api.SuggestedPrice(r.Moment())), nil
}

// maxPriorityFeePerGas serves eth_maxPriorityFeePerGas, in wei.
func maxPriorityFeePerGas(*api.Request) (any, error) { return (*hexutil.Big)(api.SuggestedTip), nil }

// baseFee serves eth_baseFee: that of the next block, in wei; null before London.
func baseFee(r *api.Request) (any, error) {
	if fee := api.NextBaseFee(r.Moment()); fee != nil {
		return (*hexutil.Big)(fee), nil
	}
	return nil, nil
}

// blobBaseFee serves eth_blobBaseFee: that of the newest sealed block, in wei; null before Cancun.
func blobBaseFee(r *api.Request) (any, error) {
	m := r.Moment()
	head := m.Latest().Header()
	if head.ExcessBlobGas == nil {
		return nil, nil
	}
	return (*hexutil.Big)(eip4844.CalcBlobFee(m.Chain().Config(), head)), nil
}
