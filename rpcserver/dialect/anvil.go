package dialect

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// anvilMethods are the methods that anvil answers differently, as of anvil 1.7.1.
func anvilMethods(table methodTable) methodTable {
	setNonce := jsonrpc.Params2(command.SetAnyNonce, "address", "nonce")
	setCode := jsonrpc.Params2(command.SetAnyCode, "address", "code")
	revert := jsonrpc.Params1(anvilRevertTo, "id")
	mineDetailed := jsonrpc.Params1(anvilMineDetailed, "options")
	mine := jsonrpc.Params2(command.MineApart, "blocks", "interval")
	own := methodTable{
		"eth_getBlockByNumber":       jsonrpc.Params2(summedBlockByNumber, "block", "full transactions"),
		"eth_getBlockByHash":         jsonrpc.Params2(summedBlockByHash, "block hash", "full transactions"),
		"eth_getBlockReceipts":       jsonrpc.Params1(anvilBlockReceipts, "block"),
		"eth_getTransactionReceipt":  jsonrpc.Params1(anvilReceipt, "transaction hash"),
		"eth_sendTransactionSync":    jsonrpc.Params2(anvilSendSync, "transaction", "timeout"),
		"eth_sendRawTransactionSync": jsonrpc.Params2(anvilSendRawSync, "transaction", "timeout"),

		"eth_call":                    jsonrpc.Params4(anvilCall, "call", "block", "state overrides", "block overrides"),
		"eth_createAccessList":        jsonrpc.Params4(anvilAccessList, "call", "block", "state overrides", "block overrides"),
		"eth_estimateGas":             jsonrpc.Params4(anvilEstimate, "call", "block", "state overrides", "block overrides"),
		"eth_fillTransaction":         jsonrpc.Params1(anvilFill, "transaction"),
		"eth_sendTransaction":         jsonrpc.Params1(anvilSend, "transaction"),
		"eth_sendUnsignedTransaction": jsonrpc.Params1(anvilSendUnsigned, "transaction"),
		"eth_signTransaction":         jsonrpc.Params1(anvilSign, "transaction"),

		"eth_getFilterChanges": jsonrpc.Params1(anvilFilterChanges, "filter id"),
		"eth_getFilterLogs":    jsonrpc.Params1(anvilFilterLogs, "filter id"),
		"eth_uninstallFilter":  jsonrpc.Params1(anvilUninstall, "filter id"),

		"hardhat_dropTransaction": table["anvil_dropTransaction"],

		"anvil_mine":          mine,
		"hardhat_mine":        mine,
		"anvil_mine_detailed": mineDetailed,
		"evm_mine_detailed":   mineDetailed,
		"anvil_revert":        revert,
		"evm_revert":          revert,
		"anvil_setCode":       setCode,
		"hardhat_setCode":     setCode,
		"evm_setAccountCode":  setCode,
		"anvil_setNonce":      setNonce,
		"hardhat_setNonce":    setNonce,
		"evm_setAccountNonce": setNonce,

		"eth_signTypedData":    signTypedData,
		"eth_signTypedData_v4": signTypedData,
	}
	for _, name := range takesObject {
		method, ok := own[name]
		if !ok {
			method = table[name]
		}
		own[name] = method.Rereading(canonical)
	}
	return own
}

// signTypedData signs domains of any chain, as both development nodes do.
var signTypedData = jsonrpc.Params2(eth.SignAnyTypedData, "address", "typed data")

// anvilCall serves eth_call. Too low fees are not checked.
func anvilCall(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	return eth.Execute(r, object, tag, state, block, func(e eth.Execution) (any, error) {
		withoutLowFees(&e)
		return e.Answer()
	})
}

// anvilAccessList serves eth_createAccessList. The failure of the call is the answer.
func anvilAccessList(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	answer, err := eth.CreateAccessList(r, object, tag, state, block)
	if failing, ok := answer.(interface{ Failure() error }); ok && failing.Failure() != nil {
		return anvilCall(r, object, tag, state, block) // fails in the same way, with the data of a revert
	}
	return answer, err
}

// anvilBlockReceipts serves eth_getBlockReceipts.
func anvilBlockReceipts(r *api.Request, tag api.BlockTag) (any, error) {
	return withMore(eth.GetBlockReceipts(r, tag))
}

// anvilReceipt serves eth_getTransactionReceipt.
func anvilReceipt(r *api.Request, hash common.Hash) (any, error) {
	return withMore(eth.GetTransactionReceipt(r, hash))
}

// anvilSendRawSync serves eth_sendRawTransactionSync.
func anvilSendRawSync(r *api.Request, raw hexutil.Bytes, timeout *api.Number) (any, error) {
	return withMore(eth.SendRawTransactionSync(r, raw, timeout))
}

// summedBlockByNumber serves eth_getBlockByNumber.
func summedBlockByNumber(r *api.Request, tag api.NumberTag, full bool) (any, error) {
	return withMore(eth.GetBlockByNumber(r, tag, full))
}

// summedBlockByHash serves eth_getBlockByHash.
func summedBlockByHash(r *api.Request, hash common.Hash, full bool) (any, error) {
	return withMore(eth.GetBlockByHash(r, hash, full))
}

// withMore adds to an answer the members that only anvil has, and of blocks Hardhat: to a receipt the price of its
// block's blob gas, with blobs or without; to a block totalDifficulty.
func withMore(answer any, err error) (any, error) {
	switch answer := answer.(type) {
	case shape.Receipt:
		return answer.WithBlobGasPrice(), err
	case shape.Receipts:
		for i := range answer {
			answer[i] = answer[i].WithBlobGasPrice()
		}
	case shape.Block:
		return answer.WithTotalDifficulty(), err
	case command.BlockList:
		for i := range answer {
			answer[i] = answer[i].WithTotalDifficulty()
		}
	}
	return answer, err
}

// anvilMineDetailed serves anvil_mine_detailed.
func anvilMineDetailed(r *api.Request, options *command.MineOptions) (any, error) {
	return withMore(command.MineDetailed(r, options))
}

// anvilUnknown is the error of a call to a method that does not exist.
func anvilUnknown(string) *jsonrpc.Error {
	return api.Errorf(api.CodeMethodNotFound, "Method not found")
}

// anvilEstimate serves eth_estimateGas. Too low fees are not checked, and of a transfer to an account without code, and
// without lists, nothing is.
func anvilEstimate(r *api.Request, object api.CallObject, tag *api.BlockTag, state *api.StateOverrides, block *api.BlockOverrides) (any, error) {
	return eth.Execute(r, object, tag, state, block, func(e eth.Execution) (any, error) {
		withoutLowFees(&e)
		c := e.Call
		if c.To != nil && len(c.Data) == 0 && c.AccessList == nil && c.Authorizations == nil && len(e.View.State.Code(*c.To)) == 0 {
			return hexutil.Uint64(params.TxGas), nil
		}
		return e.Estimate()
	})
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
