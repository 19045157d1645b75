package rpcserver

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// anvilMethods are the methods that anvil answers otherwise, as of anvil 1.7.1.
func anvilMethods() map[string]method {
	setNonce := control(inControlAccounts, jsonrpc.Params2(command.SetAnyNonce, "address", "nonce"))
	setCode := control(inControlAccounts, jsonrpc.Params2(command.SetAnyCode, "address", "code"))
	return map[string]method{
		"eth_getTransactionReceipt":  public(inTransactions, jsonrpc.Params1(anvilReceipt, "transaction hash")),
		"eth_sendTransactionSync":    public(inSending, jsonrpc.Params2(anvilSendSync, "transaction", "timeout")),
		"eth_sendRawTransactionSync": public(inSending, jsonrpc.Params2(anvilSendRawSync, "transaction", "timeout")),

		"eth_estimateGas":     public(inFees, jsonrpc.Params4(anvilEstimate, "call", "block", "state overrides", "block overrides")),
		"eth_sendTransaction": public(inSending, jsonrpc.Params1(anvilSend, "transaction")),
		"anvil_setCode":       setCode,
		"hardhat_setCode":     setCode,
		"evm_setAccountCode":  setCode,
		"anvil_setNonce":      setNonce,
		"hardhat_setNonce":    setNonce,
		"evm_setAccountNonce": setNonce,
	}
}

// anvilReceipt serves eth_getTransactionReceipt.
func anvilReceipt(r *api.Request, hash common.Hash) (any, error) {
	return withBlobGasPrice(getTransactionReceipt(r, hash))
}

// anvilSendSync serves eth_sendTransactionSync.
func anvilSendSync(r *api.Request, object api.CallObject, timeout *api.Number) (any, error) {
	return withBlobGasPrice(sendTransactionSync(r, object, timeout))
}

// anvilSendRawSync serves eth_sendRawTransactionSync.
func anvilSendRawSync(r *api.Request, raw hexutil.Bytes, timeout *api.Number) (any, error) {
	return withBlobGasPrice(sendRawTransactionSync(r, raw, timeout))
}

// withBlobGasPrice returns an answer such that a receipt has the price of its block's blob gas, blobs or not.
func withBlobGasPrice(answer any, err error) (any, error) {
	if receipt, ok := answer.(shape.Receipt); ok {
		return receipt.WithBlobGasPrice(), err
	}
	return answer, err
}

// anvilUnknown is the error of a call to a method that does not exist.
func anvilUnknown(string) *jsonrpc.Error {
	return api.Errorf(api.CodeMethodNotFound, "Method not found")
}

// anvilEstimate serves eth_estimateGas. Neither the sender's balance nor the fees are checked.
func anvilEstimate(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	defer r.Caller.MayTakeLong()()
	if err := r.TakeTurn(); err != nil {
		return nil, err
	}
	defer r.EndTurn()
	v, overrides, err := callBlock(r, tag, block)
	if err != nil {
		return nil, err
	}
	call, so, err := unchecked(r, v, object.Call(), state.OrNone())
	if err != nil {
		return nil, err
	}
	gas, err := simulate.EstimateGas(r.Ctx, v, call, so, overrides, r.CallLimits())
	if err != nil {
		explain.FailedCall(r, v, call, so, overrides)
		return nil, api.Refused(err)
	}
	return hexutil.Uint64(gas), nil
}

// anvilSend serves eth_sendTransaction. A transaction without gas for which no gas is enough gets all that it may have:
// it is mined and fails.
func anvilSend(r *api.Request, object api.CallObject) (any, error) {
	if object.Gas == nil {
		filled := object
		if err := r.Fill(&filled); err != nil {
			object.Gas = new(hexutil.Uint64(mostGas(r.Moment())))
		} else {
			object.Gas = filled.Gas
		}
	}
	return sendObject(r, &object)
}
