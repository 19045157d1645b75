package dialect

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// anvilMethods are the methods that anvil answers differently, as of anvil 1.7.1.
func anvilMethods(methodTable) methodTable {
	setNonce := jsonrpc.Params2(command.SetAnyNonce, "address", "nonce")
	setCode := jsonrpc.Params2(command.SetAnyCode, "address", "code")
	return methodTable{
		"eth_getTransactionReceipt":  jsonrpc.Params1(anvilReceipt, "transaction hash"),
		"eth_sendTransactionSync":    jsonrpc.Params2(anvilSendSync, "transaction", "timeout"),
		"eth_sendRawTransactionSync": jsonrpc.Params2(anvilSendRawSync, "transaction", "timeout"),

		"eth_estimateGas":     jsonrpc.Params4(anvilEstimate, "call", "block", "state overrides", "block overrides"),
		"eth_sendTransaction": jsonrpc.Params1(anvilSend, "transaction"),
		"anvil_setCode":       setCode,
		"hardhat_setCode":     setCode,
		"evm_setAccountCode":  setCode,
		"anvil_setNonce":      setNonce,
		"hardhat_setNonce":    setNonce,
		"evm_setAccountNonce": setNonce,

		"eth_signTypedData":    signTypedData,
		"eth_signTypedData_v4": signTypedData,
	}
}

// signTypedData signs domains of any chain, as both development nodes do.
var signTypedData = jsonrpc.Params2(eth.SignAnyTypedData, "address", "typed data")

// anvilReceipt serves eth_getTransactionReceipt.
func anvilReceipt(r *api.Request, hash common.Hash) (any, error) {
	return withBlobGasPrice(eth.GetTransactionReceipt(r, hash))
}

// anvilSendSync serves eth_sendTransactionSync.
func anvilSendSync(r *api.Request, object api.CallObject, timeout *api.Number) (any, error) {
	return withBlobGasPrice(eth.SendTransactionSync(r, object, timeout))
}

// anvilSendRawSync serves eth_sendRawTransactionSync.
func anvilSendRawSync(r *api.Request, raw hexutil.Bytes, timeout *api.Number) (any, error) {
	return withBlobGasPrice(eth.SendRawTransactionSync(r, raw, timeout))
}

// withBlobGasPrice adds to a receipt in an answer the price of its block's blob gas, with blobs or without.
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
	return eth.Execute(r, object, tag, state, block, unchecked(eth.Execution.Estimate))
}

// anvilSend serves eth_sendTransaction. A transaction without a gas limit for which no limit suffices gets the largest
// one: it is mined and fails.
func anvilSend(r *api.Request, object api.CallObject) (any, error) {
	if object.Gas == nil {
		filled := object
		if err := r.Fill(&filled); err != nil {
			object.Gas = new(hexutil.Uint64(mostGas(r.Moment())))
		} else {
			object.Gas = filled.Gas
		}
	}
	return eth.SendObject(r, &object)
}

// anvilError is api.ToWire with anvil's texts, which tests of clients read.
func anvilError(profile shape.Profile, err error) *jsonrpc.Error {
	wire := api.ToWire(profile, err)
	if wire == nil {
		return nil
	}
	said := *wire
	var revert *evmstate.RevertError
	switch {
	case errors.As(err, &revert):
		said.Message = anvilRevert(revert)
	case errors.Is(err, core.ErrInsufficientFunds):
		said.Message = "Insufficient funds for gas * price + value"
	case errors.Is(err, core.ErrIntrinsicGas):
		said.Message = "intrinsic gas too low"
	case errors.Is(err, txpool.ErrGasLimit):
		said.Message = "intrinsic gas too high -- tx.gas_limit > env.block.gas_limit"
	}
	return &said
}

// anvilPanics are the meanings of the codes of Panic(uint256).
var anvilPanics = map[uint64]string{
	0x00: "generic/unspecified error",
	0x01: "assertion failed",
	0x11: "arithmetic underflow or overflow",
	0x12: "division or modulo by zero",
	0x21: "failed to convert value into enum type",
	0x22: "storage byte array incorrectly encoded",
	0x31: "called `.pop()` on an empty array",
	0x32: "array out-of-bounds access",
	0x41: "memory allocation error",
	0x51: "called an invalid internal function",
}

// anvilRevert describes the data of a revert without knowledge of the contract's source.
func anvilRevert(revert *evmstate.RevertError) string {
	data := revert.Data
	switch {
	case len(data) < 4, bytes.HasPrefix(data, errorSelector), revert.Declared != "":
		return revert.Error()
	case bytes.HasPrefix(data, panicSelector) && len(data) >= 36:
		code := new(uint256.Int).SetBytes(data[4:36])
		if meaning, ok := anvilPanics[code.Uint64()]; ok && code.IsUint64() {
			return fmt.Sprintf("execution reverted: panic: %s (0x%02x)", meaning, code.Uint64())
		}
		return fmt.Sprintf("execution reverted: panic: unknown code: %s", code.Hex())
	}
	said, arguments := "execution reverted: custom error "+hexutil.Encode(data[:4]), data[4:]
	switch {
	case len(arguments) == 0:
		return said
	case utf8.Valid(arguments):
		return said + ": " + string(arguments)
	}
	return said + ": " + fmt.Sprintf("%x", arguments)
}
