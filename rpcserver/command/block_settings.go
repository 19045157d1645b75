package command

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// SetCoinbase serves anvil_setCoinbase: the account that receives the tips.
func SetCoinbase(r *api.Request, account common.Address) (any, error) {
	return nil, r.BadInput(r.Network.Timeline.SetCoinbase(account))
}

// SetNextBlockBaseFeePerGas serves anvil_setNextBlockBaseFeePerGas, in wei.
func SetNextBlockBaseFeePerGas(r *api.Request, wei amount) (any, error) {
	return nil, r.BadInput(r.Network.Timeline.SetNextBaseFee(wei.ToBig()))
}

func SetNextBlockPrevRandao(r *api.Request, value common.Hash) (any, error) {
	return nil, r.BadInput(r.Network.Timeline.SetNextPrevRandao(value))
}

func SetBlockGasLimit(r *api.Request, gas api.Number) (any, error) {
	if gas == 0 {
		return nil, api.InvalidParams("%s: a gas limit of 0 leaves no room for any transaction", r.Method)
	}
	if err := r.BadInput(r.Network.Timeline.SetGasLimit(uint64(gas))); err != nil {
		return nil, err
	}
	return true, nil
}

// SetMinGasPrice serves anvil_setMinGasPrice: always rejected, since the base fee decides (EIP-1559).
func SetMinGasPrice(r *api.Request, _ amount) (any, error) {
	return nil, api.InvalidParams("%s is not supported when EIP-1559 is active", r.Method)
}
