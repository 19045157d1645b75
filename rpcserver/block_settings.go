package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// setCoinbase serves anvil_setCoinbase: who receives the tips.
func setCoinbase(r *api.Request, account common.Address) (any, error) {
	return nil, r.BadInput(r.Network.Timeline.SetCoinbase(account))
}

// setNextBlockBaseFeePerGas serves anvil_setNextBlockBaseFeePerGas, in wei.
func setNextBlockBaseFeePerGas(r *api.Request, wei amount) (any, error) {
	return nil, r.BadInput(r.Network.Timeline.SetNextBaseFee(wei.ToBig()))
}

// setNextBlockPrevRandao serves anvil_setNextBlockPrevRandao.
func setNextBlockPrevRandao(r *api.Request, value common.Hash) (any, error) {
	return nil, r.BadInput(r.Network.Timeline.SetNextPrevRandao(value))
}

// setBlockGasLimit serves evm_setBlockGasLimit.
func setBlockGasLimit(r *api.Request, gas api.Number) (any, error) {
	if gas == 0 {
		return nil, api.InvalidParams("%s: a gas limit of 0 leaves no room for any transaction", r.Method)
	}
	if err := r.BadInput(r.Network.Timeline.SetGasLimit(uint64(gas))); err != nil {
		return nil, err
	}
	return true, nil
}

// setMinGasPrice serves anvil_setMinGasPrice: always rejected, since the base fee decides (EIP-1559).
func setMinGasPrice(r *api.Request, _ amount) (any, error) {
	return nil, api.InvalidParams("%s is not supported when EIP-1559 is active: set the base fee of the next block", r.Method)
}
