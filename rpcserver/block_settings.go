package rpcserver

import "github.com/ethereum/go-ethereum/common"

// setCoinbase serves anvil_setCoinbase: who receives the tips.
func setCoinbase(r *request, account common.Address) (any, error) {
	return nil, r.badInput(r.network.Timeline.SetCoinbase(account))
}

// setNextBlockBaseFeePerGas serves anvil_setNextBlockBaseFeePerGas, in wei.
func setNextBlockBaseFeePerGas(r *request, wei amount) (any, error) {
	return nil, r.badInput(r.network.Timeline.SetNextBaseFee(wei.ToBig()))
}

// setNextBlockPrevRandao serves anvil_setNextBlockPrevRandao.
func setNextBlockPrevRandao(r *request, value common.Hash) (any, error) {
	return nil, r.badInput(r.network.Timeline.SetNextPrevRandao(value))
}

// setBlockGasLimit serves evm_setBlockGasLimit.
func setBlockGasLimit(r *request, gas Number) (any, error) {
	if gas == 0 {
		return nil, invalidParams("%s: a gas limit of 0 leaves no room for any transaction", r.method)
	}
	if err := r.badInput(r.network.Timeline.SetGasLimit(uint64(gas))); err != nil {
		return nil, err
	}
	return true, nil
}

// setMinGasPrice serves anvil_setMinGasPrice: always rejected, since the base fee decides (EIP-1559).
func setMinGasPrice(r *request, _ amount) (any, error) {
	return nil, invalidParams("%s is not supported when EIP-1559 is active: set the base fee of the next block", r.method)
}
