package integration_test

import (
	"bytes"
	"encoding/json"
	"math/big"
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a block can be named by its hash and as EIP-1898 does, an orphan's too unless the canonical chain is required;
// the bounds of a filter cannot (contract D-blockHash).
func TestContractBlockHashes(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	node.send(0, &counter, nil)
	orphan := node.Seal()
	_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	canonical := node.Moment().Latest().Hash() // block 2, on which the counter is still zero
	asks := map[string]any{"eth_call": object{"to": counter}, "eth_getCode": counter, "eth_simulateV1": payload(object{"calls": []object{{"to": counter}}})}
	counts := func(block any) byte {
		var answer hexutil.Bytes
		node.do(&answer, "eth_call", asks["eth_call"], block)
		var blocks []simulated
		node.do(&blocks, "eth_simulateV1", asks["eth_simulateV1"], block)
		require.Equal(t, answer, blocks[0].Calls[0].ReturnData)
		var code hexutil.Bytes
		node.do(&code, "eth_getCode", asks["eth_getCode"], block)
		require.NotEmpty(t, code)
		return answer[31]
	}
	for _, block := range []any{
		canonical, object{"blockHash": canonical}, object{"blockHash": canonical, "requireCanonical": true},
		object{"blockNumber": "0x2"}, object{"blockNumber": "latest"}, object{"blockNumber": "pending"},
	} {
		require.EqualValues(t, 1, counts(block), block)
	}
	for _, block := range []any{orphan, object{"blockHash": orphan}, object{"blockHash": orphan, "requireCanonical": false}} {
		require.EqualValues(t, 2, counts(block), block)
	}
	for method, argument := range asks {
		node.fails(-32000, method, argument, object{"blockHash": orphan, "requireCanonical": true})
		node.fails(-32001, method, argument, word(1))
		node.fails(-32001, method, argument, object{"blockHash": word(1)})
		node.fails(-32001, method, argument, object{"blockNumber": "0x3"})
		node.fails(-32602, method, argument, object{"blockNumber": "0x2", "blockHash": canonical})
		node.fails(-32602, method, argument, object{})
	}
	for _, bound := range []any{canonical, object{"blockNumber": "0x2"}, object{"blockHash": canonical}} {
		node.fails(-32602, "eth_getLogs", object{"fromBlock": bound})
		node.fails(-32602, "eth_getLogs", object{"toBlock": bound})
	}
}

// Ensure a quantity has no leading zeros, and at least one digit, wherever the contract has one; digits and the prefix
// may be upper case, and an empty string is zero (contract 2-quantity). Bytes may begin with zeros.
func TestContractLeadingZeros(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	call := func(field string, value any) object {
		return object{"from": node.Account(0).Address, "to": counter, field: value}
	}
	for _, quantity := range []any{"0x00", "0x01", "0x", "1", "-0x1", 1} {
		for _, field := range []string{"gas", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "value", "nonce"} {
			node.fails(-32602, "eth_call", call(field, quantity), "latest")
			node.fails(-32602, "eth_simulateV1", payload(object{"calls": []object{call(field, quantity)}}), "latest")
		}
		for _, field := range []string{"number", "timestamp", "time", "gasLimit", "baseFeePerGas"} {
			node.fails(-32602, "eth_simulateV1", payload(object{"blockOverrides": object{field: quantity}}), "latest")
		}
		for _, field := range []string{"balance", "nonce"} {
			node.fails(-32602, "eth_simulateV1", payload(object{"stateOverrides": object{counter.Hex(): object{field: quantity}}}), "latest")
		}
	}
	for _, quantity := range []string{"0x0", "0xa", "0xA", "0XA", ""} {
		node.do(new(hexutil.Bytes), "eth_call", call("value", quantity), "latest")
	}
	var data hexutil.Bytes
	node.do(&data, "eth_call", object{"to": common.BytesToAddress([]byte{4}), "data": "0x0001"}, "latest") // the identity precompile
	require.Equal(t, hexutil.Bytes{0, 1}, data)
	node.fails(-32602, "eth_call", call("data", "0x001"), "latest")
}

// Ensure members that the node does not know are ignored in a request, a filter, a call and the object of EIP-1898, and
// refused in the payload of a simulation and in overrides (contract D-unknownMembers).
func TestContractUnknownMembers(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	sent := node.emit(0, 1, 2)
	node.Seal()
	var logs []types.Log
	node.do(&logs, "eth_getLogs", object{"adress": counter, "limit": "no number"})
	require.Len(t, logs, 1, "a misspelt address filters nothing")
	require.Equal(t, sent, logs[0].TxHash)
	call := object{"to": counter, "gasLimit": "no number"}
	node.do(new(hexutil.Bytes), "eth_call", call, object{"blockNumber": "latest", "more": true})
	require.Len(t, node.simulate(payload(object{"calls": []object{call}}), "latest"), 1)

	answer, err := http.Post(node.URL(), "application/json",
		bytes.NewReader([]byte(`{"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["`+node.Account(0).Address.Hex()+`","latest"],"more":[]}`)))
	require.NoError(t, err)
	defer answer.Body.Close()
	var reply struct{ Result string }
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&reply))
	require.Equal(t, "0x", reply.Result)

	unknown := object{"more": "0x1"}
	for _, refused := range []object{
		{"blockStateCalls": []object{{}}, "more": "0x1"},
		payload(unknown),
		payload(object{"blockOverrides": unknown}),
		payload(object{"stateOverrides": object{counter.Hex(): unknown}}),
		payload(object{"stateOverrides": object{counter.Hex(): object{"storag": object{}}}}),
	} {
		node.fails(-32602, "eth_simulateV1", refused, "latest")
	}
	node.fails(-32602, "eth_call", call, "latest", object{counter.Hex(): unknown})
	node.fails(-32602, "eth_call", call, "latest", object{}, unknown)
}

// Ensure BASEFEE is zero for a call without a price, and the block's for one with, at every tag and with an override;
// in a simulation it is the base fee of the simulated block (contract D-callBaseFee).
func TestContractBaseFeeOfACall(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{PendingLag: 2})
	_, err := node.Timeline().Seal(5)
	require.NoError(t, err)
	asker := common.Address{0xca}
	code := object{asker.Hex(): object{"code": hexutil.Bytes(program.New().Op(vm.BASEFEE).Push0().Op(vm.MSTORE).Return(0, 32).Bytes())}}
	alice := node.Account(0).Address
	sees := func(fields object, rest ...any) *big.Int {
		t.Helper()
		call := object{"from": alice, "to": asker}
		for name, value := range fields {
			call[name] = value
		}
		var answer hexutil.Bytes
		node.do(&answer, "eth_call", append([]any{call}, rest...)...)
		return new(big.Int).SetBytes(answer)
	}
	latest := node.Moment().Latest().Header().BaseFee
	behind, err := node.eth.HeaderByNumber(t.Context(), big.NewInt(4))
	require.NoError(t, err)
	require.NotEqual(t, latest, behind.BaseFee)
	for tag, want := range map[string]*big.Int{"latest": latest, "0x4": behind.BaseFee, "pending": behind.BaseFee} { // pending lags (contract 4-rule3)
		for _, unpriced := range []object{{}, {"gasPrice": "0x0"}, {"maxFeePerGas": "0x0", "maxPriorityFeePerGas": "0x0"}} {
			require.Zero(t, sees(unpriced, tag, code).Sign(), tag)
		}
		for _, priced := range []object{{"gasPrice": "0x77359400"}, {"maxFeePerGas": "0x77359400"}} {
			require.Equal(t, want, sees(priced, tag, code), tag)
		}
	}
	override := object{"baseFeePerGas": "0x69"}
	require.Zero(t, sees(object{}, "latest", code, override).Sign())
	require.EqualValues(t, 0x69, sees(object{"gasPrice": "0x70"}, "latest", code, override).Int64())

	simulates := func(blockOverrides object) *big.Int {
		blocks := node.simulate(payload(object{"stateOverrides": code, "blockOverrides": blockOverrides, "calls": []object{{"to": asker}}}), "latest")
		seen := new(big.Int).SetBytes(blocks[0].Calls[0].ReturnData)
		require.Zero(t, blocks[0].BaseFeePerGas.ToInt().Cmp(seen))
		return seen
	}
	require.Zero(t, simulates(object{}).Sign())
	require.EqualValues(t, 0x69, simulates(override).Int64())
}

// Ensure a revert without a reason has the data "0x", and that other failures of a call share its code and have no data
// (contract D-serverError).
func TestContractServerErrors(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	alice, poor := node.Account(0).Address, common.Address{0x99}
	message, data := node.fails(-32000, "eth_call", object{"to": reverter}, "latest")
	require.Equal(t, "execution reverted", message)
	require.Equal(t, "0x", data)
	for name, call := range map[string]object{
		"out of gas":          {"to": burner, "data": hexutil.Bytes(common.BigToHash(big.NewInt(1_000_000)).Bytes()), "gas": "0xf4240"},
		"invalid instruction": {"data": "0xfe"},
		"stack underflow":     {"data": "0x01"},
		"intrinsic gas":       {"to": counter, "gas": "0x1"},
		"value":               {"from": poor, "to": counter, "value": "0x1"},
		"fees":                {"from": poor, "to": counter, "gasPrice": "0x77359400"},
		"under the base fee":  {"from": alice, "to": counter, "gasPrice": "0x1"},
		"tip above the cap":   {"from": alice, "to": counter, "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x77359401"},
		"both kinds of fees":  {"from": alice, "to": counter, "gasPrice": "0x77359400", "maxFeePerGas": "0x77359400"},
		"another chain":       {"to": counter, "chainId": "0x1"},
	} {
		message, data := node.fails(-32000, "eth_call", call, "latest")
		require.NotContains(t, message, "execution reverted", name)
		require.Nil(t, data, name)
	}
	uncoded := payload(object{"calls": []object{{"from": alice, "to": counter, "blobVersionedHashes": []string{word(2).Hex()}}}})
	node.fails(-32603, "eth_simulateV1", uncoded, "latest") // what no block could include, for a reason without a code
	node.fails(-32000, "eth_simulateV1", payload(object{"calls": []object{{"to": counter, "chainId": "0x1"}}}), "latest")
}
