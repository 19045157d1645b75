package integration_test

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure each entry gives one result, whatever numbers it jumps over: it stands on empty blocks, 12 s apart, which
// --compat geth answers too (contract D-fillers).
func TestContractFillerBlocks(t *testing.T) {
	t.Parallel()
	call := []object{{"to": counter}}
	jump := payload(object{"blockOverrides": object{"number": "0x3"}, "calls": call}, object{"calls": call})
	asked := openLab(t, fakenode.Config{}).simulate(jump, "latest")
	node := openLab(t, fakenode.Config{Compat: fakenode.Geth})
	blocks := node.simulate(jump, "latest")
	require.Len(t, asked, 2, "two entries")
	require.Len(t, blocks, 4, "two entries, and the two numbers below the first")
	for i, block := range asked {
		require.Equal(t, blocks[i+2].Number, block.Number)
		require.Equal(t, blocks[i+2].Timestamp, block.Timestamp)
		require.Equal(t, blocks[i+2].Calls[0].ReturnData, block.Calls[0].ReturnData)
	}
	require.Equal(t, asked[0].Hash, asked[1].ParentHash)
	parent := node.Moment().Latest().Hash()
	for i, block := range blocks {
		require.EqualValues(t, i+1, block.Number)
		require.EqualValues(t, labTime+12*(i+1), block.Timestamp)
		require.Equal(t, parent, block.ParentHash)
		require.NotNil(t, block.Calls)
		parent = block.Hash
	}
	require.Empty(t, blocks[0].Calls)
	require.Empty(t, blocks[1].Calls)
	require.Equal(t, word(1).Bytes(), []byte(blocks[2].Calls[0].ReturnData))
	require.Equal(t, word(2).Bytes(), []byte(blocks[3].Calls[0].ReturnData))
}

// Ensure a simulated call that its sender cannot pay is a failed call beside others that run, and fails the whole
// request if it is validated, or under --compat geth, while a transfer inside a call that cannot be paid is the call's
// own matter (contract D-unfunded).
func TestContractUnfundedCall(t *testing.T) {
	t.Parallel()
	node, geth := openLab(t, fakenode.Config{}), openLab(t, fakenode.Config{Compat: fakenode.Geth})
	poor := common.Address{0x99}
	fine := object{"to": counter, "maxFeePerGas": "0x77359400", "gas": "0x186a0", "from": node.Account(0).Address}
	for _, unfunded := range []object{
		{"from": poor, "to": counter, "value": "0x1"},
		{"from": poor, "to": counter, "gasPrice": "0x77359400"},
		{"from": poor, "to": counter, "maxFeePerGas": "0x77359400"},
	} {
		beside := object{"calls": []object{fine, unfunded, fine}}
		calls := node.simulate(payload(beside), "latest")[0].Calls
		for i, call := range calls {
			require.Equal(t, i != 1, call.Status == 1)
		}
		require.Contains(t, calls[1].Error, "insufficient funds for gas * price + value: address "+poor.Hex())
		require.Zero(t, calls[1].GasUsed)
		node.fails(-38014, "eth_simulateV1", object{"validation": true, "blockStateCalls": []object{beside}}, "latest")
		geth.fails(-38014, "eth_simulateV1", payload(beside), "latest")
		node.fails(-32000, "eth_call", unfunded, "latest")
	}
	free := node.simulate(payload(object{"calls": []object{{"from": poor, "to": counter}}}), "latest")
	require.EqualValues(t, 1, free[0].Calls[0].Status, "without value and fees there is nothing to pay")

	spend := program.New().Call(nil, node.Account(1).Address, 1, 0, 0, 0, 0).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
	inner := node.simulate(payload(object{
		"stateOverrides": object{poor.Hex(): object{"code": hexutil.Bytes(spend)}},
		"calls":          []object{{"to": poor}},
	}), "latest")
	require.EqualValues(t, 1, inner[0].Calls[0].Status)
	require.Equal(t, word(0).Bytes(), []byte(inner[0].Calls[0].ReturnData), "the inner transfer failed")
}

// Ensure validation checks nonces, under --compat geth also the base fee, and that neither is checked without it
// (contract D-validation).
func TestContractValidation(t *testing.T) {
	t.Parallel()
	node, geth := openLab(t, fakenode.Config{}), openLab(t, fakenode.Config{Compat: fakenode.Geth})
	for _, l := range []*lab{node, geth} {
		l.send(0, &counter, nil)
		l.Seal() // the next nonce is 1
	}
	call := func(fields object) object {
		call := object{"from": node.Account(0).Address, "to": node.Account(1).Address, "gas": "0x5208"}
		for name, value := range fields {
			call[name] = value
		}
		return call
	}
	validated := func(call object) object {
		return object{"validation": true, "blockStateCalls": []object{{"calls": []object{call}}}}
	}
	unpriced := node.simulate(payload(object{"calls": []object{call(nil)}}), "latest")
	require.Zero(t, unpriced[0].BaseFeePerGas.ToInt().Sign(), "without validation the base fee is zero")
	priced := object{"maxFeePerGas": "0x77359400"}
	require.Zero(t, node.simulate(validated(call(priced)), "latest")[0].BaseFeePerGas.ToInt().Sign(), "with it, too")
	baseFee := geth.simulate(validated(call(priced)), "latest")[0].BaseFeePerGas
	require.Equal(t, geth.Moment().Pending().Header().BaseFee, baseFee.ToInt(), "geth: that of the next block")

	for _, wrong := range []struct {
		code   int
		fields object
	}{
		{-38010, object{"nonce": "0x0", "maxFeePerGas": baseFee}},
		{-38011, object{"nonce": "0x2", "maxFeePerGas": baseFee}},
		{-38012, object{"nonce": "0x1"}},
		{-38012, object{"nonce": "0x1", "gasPrice": "0x1"}},
		{-38012, object{"nonce": "0x1", "maxFeePerGas": "0x1"}},
	} {
		geth.fails(wrong.code, "eth_simulateV1", validated(call(wrong.fields)), "latest")
		if wrong.code == -38012 {
			block := node.simulate(validated(call(wrong.fields)), "latest")[0]
			require.EqualValues(t, 1, block.Calls[0].Status, "no base fee is asked for")
		} else {
			node.fails(wrong.code, "eth_simulateV1", validated(call(wrong.fields)), "latest")
		}
		blocks := node.simulate(payload(object{"calls": []object{call(wrong.fields)}}), "latest")
		require.EqualValues(t, 1, blocks[0].Calls[0].Status, wrong.fields)
	}
	hundred, creation := "0x"+strings.Repeat("01", 100), "0x"+strings.Repeat("00", params.MaxInitCodeSize+1)
	for _, wrong := range []struct { // with validation and without
		code   int
		fields object
	}{
		{-38013, object{"gas": "0x5207", "maxFeePerGas": baseFee}},
		{-38013, object{"gas": hexutil.Uint64(24_999), "data": hundred, "maxFeePerGas": baseFee}}, // EIP-7623: at least 25,000
		{-38025, object{"to": nil, "gas": "0xf42400", "data": creation, "maxFeePerGas": baseFee}},
		{-32602, object{"maxFeePerGas": baseFee, "maxPriorityFeePerGas": "0x77359401"}},
	} {
		node.fails(wrong.code, "eth_simulateV1", validated(call(wrong.fields)), "latest")
		node.fails(wrong.code, "eth_simulateV1", payload(object{"calls": []object{call(wrong.fields)}}), "latest")
	}
	right := node.simulate(validated(call(object{"nonce": "0x1", "maxFeePerGas": baseFee})), "latest")
	require.EqualValues(t, 1, right[0].Calls[0].Status)
	node.fails(-38012, "eth_simulateV1", payload(object{
		"blockOverrides": object{"baseFeePerGas": "0x5"}, "calls": []object{call(object{"gasPrice": "0x1"})},
	}), "latest") // an overridden base fee holds for calls with a price, validated or not
}

// Ensure maxUsedGas is the gas that a call needs, and gasUsed what is left of it to pay after refunds (contract
// D-maxUsedGas).
func TestContractMaxUsedGas(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	var blocks []struct {
		Calls []struct{ GasUsed, MaxUsedGas hexutil.Uint64 }
	}
	node.do(&blocks, "eth_simulateV1", payload(object{"calls": []object{
		{"to": cleaner, "data": word(0)}, {"to": node.Account(1).Address},
	}}), "latest")
	cleaned, plain := blocks[0].Calls[0], blocks[0].Calls[1]
	const refund = 4800 // of a slot that becomes zero (EIP-3529)
	require.EqualValues(t, refund, cleaned.MaxUsedGas-cleaned.GasUsed)
	require.Equal(t, plain.GasUsed, plain.MaxUsedGas)
}

// Ensure a call has the gas that it asks for: at most 50,000,000 in eth_call, and in a simulation at most the gas that
// its block and the request have left (contract D-callGas).
func TestContractCallGas(t *testing.T) {
	t.Parallel()
	node := openLab(t, fakenode.Config{})
	gauge := common.Address{0xca} // returns the gas it has, and used under 100 until then
	override := object{gauge.Hex(): object{"code": hexutil.Bytes(program.New().Op(vm.GAS).Push0().Op(vm.MSTORE).Return(0, 32).Bytes())}}
	has := func(want uint64, answer hexutil.Bytes) {
		t.Helper()
		got := common.BytesToHash(answer).Big().Uint64() + 21_000
		require.LessOrEqual(t, got, want)
		require.Greater(t, got, want-100)
	}
	for gas, want := range map[any]uint64{nil: 50_000_000, "0x186a0": 100_000, "0xffffffffffffffff": 50_000_000} {
		var answer hexutil.Bytes
		node.do(&answer, "eth_call", object{"to": gauge, "gas": gas}, "latest", override)
		has(want, answer)
	}

	calls := node.simulate(payload(object{"stateOverrides": override, "calls": []object{
		{"to": gauge}, {"to": gauge, "gas": "0x186a0"}, {"to": gauge},
	}}), "latest")[0].Calls
	const limit = 30_000_000 // of a block
	has(limit, calls[0].ReturnData)
	has(100_000, calls[1].ReturnData)
	has(limit-uint64(calls[0].GasUsed+calls[1].GasUsed), calls[2].ReturnData)
	node.fails(-38015, "eth_simulateV1", payload(object{"calls": []object{{"to": gauge, "gas": "0x1c9c381"}}}), "latest")

	const request = 200_000
	capped := openLab(t, fakenode.Config{Limits: fakenode.Limits{GasCap: request}})
	blocks := capped.simulate(payload(object{"stateOverrides": override, "calls": []object{{"to": gauge}}}, object{"calls": []object{{"to": gauge}}}), "latest")
	has(request, blocks[0].Calls[0].ReturnData)
	has(request-uint64(blocks[0].Calls[0].GasUsed), blocks[1].Calls[0].ReturnData)
}
