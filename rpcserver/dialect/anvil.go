package dialect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/command"
	"github.com/fakenode/fakenode/rpcserver/eth"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// anvilMethods are the methods that anvil answers differently, as of anvil 1.7.1.
func anvilMethods(table methodTable) methodTable {
	own := maps.Clone(table)
	maps.Copy(own, jsonrpc.Aliases(methodTable{
		"evm_setTime anvil_setTime":   jsonrpc.Params1(command.AnvilSetTime, "timestamp"),
		"eth_sendTransactionSync":     jsonrpc.Params2(anvilSendSync, "transaction", "timeout"),
		"eth_callMany":                eth.CallMany(0, anvilFailure),
		"eth_createAccessList":        jsonrpc.Params4(eth.Executing(anvilAccessList), "call", "block", "state overrides", "block overrides"),
		"eth_estimateGas":             jsonrpc.Params4(estimating(eth.Executing(anvilEstimate)), "call", "block", "state overrides", "block overrides"),
		"eth_fillTransaction":         jsonrpc.Params1(anvilFill, "transaction").Mapped(rewriting(withoutNullTime)),
		"eth_sendTransaction":         jsonrpc.Params1(withAnvilGas(eth.SendTransaction), "transaction"),
		"eth_sendUnsignedTransaction": jsonrpc.Params1(withAnvilGas(eth.SendUnsignedTransaction), "transaction"),
		"eth_signTransaction":         jsonrpc.Params1(withAnvilGas(anvilSign), "transaction"),

		"eth_getFilterChanges": jsonrpc.Params1(withAnyID(eth.GetFilterChanges), "filter id"),
		"eth_getFilterLogs":    jsonrpc.Params1(withAnyID(eth.GetFilterLogs), "filter id"),
		"eth_uninstallFilter":  jsonrpc.Params1(withAnyID(eth.UninstallFilter), "filter id"),

		"hardhat_dropTransaction": table["anvil_dropTransaction"],

		"anvil_mine hardhat_mine":     jsonrpc.Params2(command.MineApart, "blocks", "interval"),
		"anvil_snapshot evm_snapshot": jsonrpc.Params0(func(r *api.Request) (any, error) { return hexutil.Uint64(r.Network.Timeline.Snapshot() - 1), nil }),
		"anvil_revert evm_revert": jsonrpc.Params1(func(r *api.Request, id anyID) (any, error) {
			return command.EvmRevert(r, api.Number(id)+1) // without overflow: no snapshot has the id 0
		}, "id"),
		"anvil_increaseTime evm_increaseTime":                 jsonrpc.Params1(command.AnvilIncreaseTime, "seconds"),
		"anvil_setCode hardhat_setCode evm_setAccountCode":    jsonrpc.Params2(command.SetAnyCode, "address", "code"),
		"anvil_setNonce hardhat_setNonce evm_setAccountNonce": jsonrpc.Params2(command.SetAnyNonce, "address", "nonce"),
		"eth_signTypedData eth_signTypedData_v4":              signTypedData,
	}))
	answerAsAnvil(own)
	for _, name := range []string{"eth_getBlockByNumber", "eth_getBlockByHash", "anvil_mine_detailed", "evm_mine_detailed"} {
		own[name] = own[name].Mapped(withMore)
	}
	for _, name := range takesObject {
		own[name] = own[name].Before(canonical)
	}
	return own
}

// signTypedData signs domains of any chain, as both development nodes do.
var signTypedData = jsonrpc.Params2(eth.SignAnyTypedData, "address", "typed data").Within(explain.Begin)

// anvilAccessList serves eth_createAccessList without fees. The failure of the call is the answer.
func anvilAccessList(e eth.Execution) (any, error) {
	e.Call.GasPrice, e.Call.MaxFeePerGas, e.Call.MaxPriorityFeePerGas = nil, nil, nil
	answer, err := e.AccessList()
	if result, ok := answer.(eth.AccessListResult); ok && result.Error != "" {
		return e.Answer() // fails in the same way, with the data of a revert
	}
	return answer, err
}

// anvilEstimate serves eth_estimateGas. Nothing is checked of a transfer to an account without code, and without lists.
// Less gas than any transaction needs is an error; go-ethereum leaves it out.
func anvilEstimate(e eth.Execution) (any, error) {
	gas, err := anvilEstimated(e)
	if err != nil {
		e.Explain(err)
		return nil, err
	}
	return hexutil.Uint64(gas), nil
}

// anvilEstimated returns the estimate of a call. What anvil takes as the least gas of its kind is never enough for it.
func anvilEstimated(e eth.Execution) (uint64, error) {
	c, least := e.Call, params.TxGasContractCreation
	if c.To != nil {
		least = params.TxGas + uint64(len(c.Authorizations))*params.CallNewAccountGas
	}
	if c.To != nil && len(c.Data) == 0 && c.AccessList == nil && c.Authorizations == nil {
		if code := e.State[*c.To].Code; code != nil && len(*code) == 0 || code == nil && len(e.View.State.Code(*c.To)) == 0 {
			return params.TxGas, nil
		}
	}
	if c.Gas != nil && *c.Gas < params.TxGas {
		return 0, api.Refused(fmt.Errorf("%w (%d)", simulate.ErrGasAllowance, *c.Gas))
	}
	gas, err := simulate.EstimateGas(e.Request.Ctx, e.View, c, e.State, e.Block, e.Request.CallLimits())
	switch {
	case errors.Is(err, vm.ErrGasUintOverflow):
		err = fmt.Errorf("%w (%w)", simulate.ErrGasAllowance, err)
	case gas == least && (c.Gas == nil || *c.Gas > gas):
		gas++
	}
	return gas, api.Refused(err)
}

// withMore adds to blocks the totalDifficulty, which only anvil and Hardhat have.
func withMore(_ *api.Request, answer any) any {
	switch answer := answer.(type) {
	case shape.Block:
		return answer.WithTotalDifficulty()
	case command.BlockList:
		for i := range answer {
			answer[i] = answer[i].WithTotalDifficulty()
		}
	}
	return answer
}

// anvilUnknown is the error of a call to a method that does not exist.
func anvilUnknown(string) *jsonrpc.Error {
	return api.Errorf(api.CodeMethodNotFound, "Method not found")
}

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
	case len(data) == 0, bytes.HasPrefix(data, errorSelector), revert.Declared != "":
		return revert.Error()
	case bytes.HasPrefix(data, panicSelector) && len(data) >= 36:
		code := new(uint256.Int).SetBytes(data[4:36])
		if meaning, ok := anvilPanics[code.Uint64()]; ok && code.IsUint64() {
			return fmt.Sprintf("execution reverted: panic: %s (0x%02x)", meaning, code.Uint64())
		}
		return fmt.Sprintf("execution reverted: panic: unknown code: %s", code.Hex())
	}
	if text := revertedText(data); text != "" {
		return "execution reverted: " + text
	}
	if len(data) < 4 {
		return "execution reverted: custom error bytes " + hexutil.Encode(data)
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

// revertedText returns the text that the data of a revert are, encoded as a string or plain ASCII, or "".
func revertedText(data []byte) string {
	if text, err := abi.UnpackRevert(slices.Concat(errorSelector, data)); err == nil && text != "" {
		return text
	}
	if slices.ContainsFunc(data, func(b byte) bool { return b > unicode.MaxASCII }) {
		return ""
	}
	return string(data)
}

// anvilFailure describes a failed call of eth_callMany: the reason of a revert without its beginning, if there is one.
func anvilFailure(failure error) string {
	if revert, ok := errors.AsType[*evmstate.RevertError](failure); ok {
		if _, reason, ok := strings.Cut(anvilRevert(revert), "execution reverted: "); ok {
			return reason
		}
	}
	return "execution failed"
}

// anyID is the id of a filter or snapshot. A value that is none is the id of nothing, and no error.
type anyID uint64

func (id *anyID) UnmarshalJSON(raw []byte) error {
	*id = math.MaxUint64
	if number, err := api.WholeNumber(raw); err == nil && number.IsUint64() {
		*id = anyID(number.Uint64())
	}
	return nil
}

// withAnyID returns a method of an id as one of anyID.
func withAnyID[ID ~uint64](f func(*api.Request, ID) (any, error)) func(*api.Request, anyID) (any, error) {
	return func(r *api.Request, id anyID) (any, error) { return f(r, ID(id)) }
}

// quantities are the members of transaction objects that anvil also takes as plain numbers, in decimal digits, and in
// hex with leading zeros.
var quantities = []string{
	"value", "gas", "gasPrice", "nonce", "maxFeePerGas", "maxPriorityFeePerGas", "maxFeePerBlobGas", "type", "chainId",
	"r", "s", "yParity", // of an authorization
}

// takesObject are the methods whose first parameter is, or holds, transaction objects.
var takesObject = []string{
	"eth_call", "eth_callMany", "eth_createAccessList", "eth_estimateGas", "eth_fillTransaction", "eth_sendTransaction",
	"eth_sendTransactionSync", "eth_sendUnsignedTransaction", "eth_signTransaction", "eth_simulateV1",
}

// canonical returns parameters with the quantities of transaction objects in the first one as eth_ methods want them.
func canonical(_ *api.Request, params [][]byte) ([][]byte, error) {
	if len(params) == 0 {
		return params, nil
	}
	var object any
	decoder := json.NewDecoder(bytes.NewReader(params[0]))
	decoder.UseNumber()
	if decoder.Decode(&object) != nil {
		return params, nil
	}
	everyObject(object, canonicalMembers)
	rewritten, err := json.Marshal(object)
	return append([][]byte{rewritten}, params[1:]...), err
}

// canonicalMembers rewrites the quantities in an object.
func canonicalMembers(o map[string]any) {
	for _, name := range quantities {
		if text := fmt.Sprint(o[name]); text == "0x" {
			o[name] = "0x0"
		} else if number, ok := api.Integer(text); ok && number.Sign() >= 0 {
			o[name] = fmt.Sprintf("%#x", number)
		}
	}
}

func anvilSendSync(r *api.Request, object api.CallObject, timeout *eth.Milliseconds) (any, error) {
	anvilGas(r, &object)
	return eth.SendTransactionSync(r, object, timeout)
}

// withAnvilGas returns a method of a transaction that completes it with anvilGas first.
func withAnvilGas(f func(*api.Request, api.CallObject) (any, error)) func(*api.Request, api.CallObject) (any, error) {
	return func(r *api.Request, object api.CallObject) (any, error) {
		anvilGas(r, &object)
		return f(r, object)
	}
}

// anvilSign serves eth_signTransaction, which answers the signed transaction alone.
func anvilSign(r *api.Request, object api.CallObject) (any, error) {
	signed, err := eth.Signed(r, object)
	if err != nil {
		return nil, err
	}
	return signed.Raw, nil
}

// anvilFill serves eth_fillTransaction, whose transaction has the members of one that is in the pool.
func anvilFill(r *api.Request, object api.CallObject) (any, error) {
	if asked := object; object.Gas == nil {
		v, err := r.Moment().Pending().CallView()
		if err != nil {
			return nil, err
		}
		fromFirst(r, &asked)
		gas, err := anvilEstimated(eth.Execution{Request: r, View: v, Call: asked.Call()})
		if err != nil {
			return nil, err
		}
		object.Gas = (*hexutil.Uint64)(&gas)
	}
	anvilFees(r, &object)
	from := object.Sender()
	if err := cmp.Or(r.Load(from), r.Fill(&object)); err != nil {
		return nil, err
	}
	tx := r.Transaction(&object)
	raw, err := tx.MarshalBinary()
	if err != nil {
		return nil, api.Refused(err)
	}
	return map[string]any{"raw": hexutil.Bytes(raw), "tx": json.RawMessage(shape.PooledOf(tx, from).AppendJSON(nil))}, nil
}

// anvilFees completes an object: the first development account where it has no sender; a fee cap where it has none, the
// base fee and the suggested tip, or its own tip where that is above both, where go-ethereum takes twice the base fee;
// the suggested tip where it has none, also above its fee cap.
func anvilFees(r *api.Request, object *api.CallObject) {
	fromFirst(r, object)
	base := api.NextBaseFee(r.Moment())
	if object.GasPrice != nil || base == nil {
		return
	}
	object.MaxPriorityFeePerGas = cmp.Or(object.MaxPriorityFeePerGas, (*hexutil.Big)(r.Moment().SuggestedTip()))
	if object.MaxFeePerGas != nil {
		return
	}
	limit := new(big.Int).Add(base, r.Moment().SuggestedTip())
	if tip := object.MaxPriorityFeePerGas; tip != nil && tip.ToInt().Cmp(limit) > 0 {
		limit.Add(base, tip.ToInt())
	}
	object.MaxFeePerGas = (*hexutil.Big)(limit)
}

// anvilGas sets fees as anvilFees and a gas limit, estimated on the head as anvil does before there are fees. A
// transaction for which no limit suffices gets the largest one: it is mined and fails.
func anvilGas(r *api.Request, object *api.CallObject) {
	asked := *object
	anvilFees(r, object)
	if object.Gas != nil {
		return
	}
	asked.From = object.From
	gas := api.MostGas(r.Moment())
	if v, err := r.Moment().Latest().CallView(); err == nil {
		next := &simulate.BlockOverrides{FeeRecipient: &r.Moment().NextHeader().Coinbase}
		if least, err := anvilEstimated(eth.Execution{Request: r, View: v, Call: asked.Call(), Block: next}); err == nil {
			gas = least
		}
	}
	object.Gas = new(hexutil.Uint64(gas))
}
