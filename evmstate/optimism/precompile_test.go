package optimism_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// inputLimits are the bytes that precompiles accept under the rules of each upgrade.
var inputLimits = map[fakenode.Rules]map[byte]int{
	fakenode.JovianRules: {0x08: 81_984, 0x0c: 288_960, 0x0e: 278_784, 0x0f: 156_672},
	fakenode.AzulRules:   {0x08: 81_984, 0x0c: 288_960, 0x0e: 278_784, 0x0f: 156_672},
	fakenode.KarstRules:  {0x08: 57_600, 0x0c: 288_960, 0x0e: 278_784, 0x0f: 156_672},
	fakenode.DenimRules:  {0x08: 81_984, 0x0c: 288_960, 0x0e: 278_784, 0x0f: 156_672},
}

// measured is a contract that calls the precompile of the first word of its input with as many zero bytes as the second
// word says and the gas of the third. It logs, and returns, whether the call succeeds and how much gas it takes.
var measured = common.HexToAddress("0x00000000000000000000000000000000000ca11e")

// measuring returns its code. Memory grows before the gas is read.
func measuring() hexutil.Bytes {
	p := program.New()
	p.Push0().Push(0x20).Op(vm.CALLDATALOAD, vm.MSTORE)          // memory of the input and a word
	p.Op(vm.GAS)                                                 // before
	p.Push0().Push0().Push(0x20).Op(vm.CALLDATALOAD).Push0()     // no output; the input
	p.Push0().Op(vm.CALLDATALOAD).Push(0x40).Op(vm.CALLDATALOAD) // address, gas
	p.Op(vm.STATICCALL).Push0().Op(vm.MSTORE)                    // success
	p.Op(vm.GAS, vm.SWAP1, vm.SUB).Push(0x20).Op(vm.MSTORE)      // before - after
	p.Push(0x40).Push0().Op(vm.LOG0)
	return p.Return(0, 0x40).Bytes()
}

// measuringGas is the gas between the two readings that is not the call's: of the instructions in measuring, and of
// calling a warm account.
const measuringGas = 100 + 30

// measure makes a transaction to measured, checks that eth_call answers the same, and returns both.
func (r rollup) measure(precompile common.Address, size int, gas uint64) (success bool, used uint64) {
	r.t.Helper()
	input := append(common.BytesToHash(precompile[:]).Bytes(), common.BigToHash(big.NewInt(int64(size))).Bytes()...)
	input = append(input, common.BigToHash(new(big.Int).SetUint64(gas)).Bytes()...)
	tx := map[string]any{"from": r.Account(0).Address, "to": measured, "input": hexutil.Bytes(input), "gas": hexutil.Uint64(16_777_216)}
	var hash common.Hash
	r.call(&hash, "eth_sendTransaction", tx)
	r.Seal()
	receipt := r.receipt(hash)
	require.EqualValues(r.t, 1, receipt.Status)
	require.Len(r.t, receipt.Logs, 1)
	var answer hexutil.Bytes
	r.call(&answer, "eth_call", tx, "latest")
	require.Equal(r.t, receipt.Logs[0].Data, []byte(answer))
	return answer[31] == 1, new(big.Int).SetBytes(answer[32:]).Uint64() - measuringGas
}

// withMeasured puts the contract measured on a chain with these rules.
func withMeasured(t *testing.T, rules fakenode.Rules) rollup {
	r := newUpgraded(t, rules)
	r.call(nil, "anvil_setCode", measured, measuring())
	return r
}

// Ensure transactions and calls meet the limits of a precompile's input under each rule set: at the limit the call
// succeeds for its price, with one byte more, and with one element more, it fails and takes all gas it was given. On
// Ethereum one element more is accepted.
func TestRollupPrecompileLimits(t *testing.T) {
	t.Parallel()
	elements := map[byte]int{0x08: 192, 0x0c: 160, 0x0e: 288, 0x0f: 384} // bytes
	const ample, wasted = 15_000_000, 1_000_000                          // gas
	ethereum := withMeasured(t, fakenode.EthereumRules)
	for index, limit := range inputLimits[fakenode.JovianRules] {
		success, _ := ethereum.measure(common.BytesToAddress([]byte{index}), limit+elements[index], ample)
		require.True(t, success, index)
	}
	for _, rules := range upgradeRules {
		require.Len(t, inputLimits[rules], len(elements), rules)
		r := withMeasured(t, rules)
		for index, limit := range inputLimits[rules] {
			precompile, name := common.BytesToAddress([]byte{index}), fmt.Sprintf("%s 0x%02x", rules, index)
			require.Zero(t, limit%elements[index], "whole elements")
			success, used := r.measure(precompile, limit, ample)
			require.True(t, success, name)
			if index == 0x08 {
				require.EqualValues(t, 45_000+34_000*limit/192, used, name)
			}
			for _, size := range []int{limit + 1, limit + elements[index]} {
				success, used = r.measure(precompile, size, wasted)
				require.False(t, success, "%s: %d bytes", name, size)
				require.EqualValues(t, wasted, used, "%s: %d bytes", name, size)
			}
			call := map[string]any{"to": precompile, "input": hexutil.Bytes(make([]byte, limit+1))}
			require.ErrorContains(t, r.rpc.Call(nil, "eth_call", call, "pending"), fmt.Sprintf("%d bytes, limit %d", limit+1, limit))
		}
	}
}

// Ensure a contract that is given too much input for a precompile loses the gas of the call, in a block and in its
// trace, and that eth_simulateV1 with overrides has the same limit.
func TestRollupPrecompileLimitInBlocks(t *testing.T) {
	t.Parallel()
	const limit = 57_600
	r := newUpgraded(t, fakenode.KarstRules)
	pairing := common.HexToAddress("0x08")
	send := func(size int) rollupTransaction {
		var hash common.Hash
		r.call(&hash, "eth_sendTransaction", map[string]any{
			"from": r.Account(0).Address, "to": pairing, "input": hexutil.Bytes(make([]byte, size)), "gas": hexutil.Uint64(16_000_000),
		})
		r.Seal()
		return r.receipt(hash)
	}
	require.EqualValues(t, 1, send(limit).Status)
	failed := send(limit + 192)
	require.Zero(t, failed.Status)
	require.EqualValues(t, 16_000_000, failed.GasUsed)
	var trace struct{ Error string }
	r.call(&trace, "debug_traceTransaction", failed.TransactionHash, map[string]string{"tracer": "callTracer"})
	require.Contains(t, trace.Error, "limit 57600")

	var simulated []struct {
		Calls []struct{ Status hexutil.Uint64 }
	}
	call := func(size int) map[string]any {
		return map[string]any{"to": pairing, "input": hexutil.Bytes(make([]byte, size))}
	}
	moved := map[string]any{"0x0000000000000000000000000000000000000002": map[string]any{"movePrecompileToAddress": "0x0000000000000000000000000000000000123456"}}
	r.call(&simulated, "eth_simulateV1", map[string]any{"blockStateCalls": []any{
		map[string]any{"stateOverrides": moved, "calls": []any{call(limit)}},
		map[string]any{"stateOverrides": moved, "calls": []any{call(limit + 192)}},
	}}, "pending")
	require.EqualValues(t, 1, simulated[0].Calls[0].Status)
	require.Zero(t, simulated[1].Calls[0].Status)
}

// Ensure P256VERIFY is there and warm under every upgrade, and that it and MODEXP cost the gas of that upgrade, which
// also bounds the fields of MODEXP (EIP-7823).
func TestRollupPrecompilePrices(t *testing.T) {
	t.Parallel()
	p256, modexp := common.HexToAddress("0x100"), common.HexToAddress("0x05")
	prices := map[fakenode.Rules]struct{ verify, modexp uint64 }{
		fakenode.JovianRules: {3_450, 200},
		fakenode.AzulRules:   {6_900, 500},
		fakenode.KarstRules:  {6_900, 500},
		fakenode.DenimRules:  {6_900, 500},
	}
	for _, rules := range upgradeRules {
		r, price := withMeasured(t, rules), prices[rules]
		for _, test := range []struct {
			precompile common.Address
			gas        uint64
		}{{p256, price.verify}, {modexp, price.modexp}} {
			success, used := r.measure(test.precompile, 160, 100_000)
			require.True(t, success, rules)
			require.Equal(t, test.gas, used, "%s %s", rules, test.precompile)
			success, used = r.measure(test.precompile, 160, test.gas-1)
			require.False(t, success, rules)
			require.Equal(t, test.gas-1, used, "%s %s", rules, test.precompile)
		}
		field := func(size int) hexutil.Bytes { // an exponent of that size; base and modulus are empty
			return append(append(make([]byte, 32), common.BigToHash(big.NewInt(int64(size))).Bytes()...), make([]byte, 32+size)...)
		}
		call := func(size int) error {
			return r.rpc.Call(nil, "eth_call", map[string]any{"to": modexp, "input": field(size)}, "latest")
		}
		require.NoError(t, call(1_024), rules)
		require.Equal(t, rules == fakenode.JovianRules, call(1_025) == nil, rules)
	}
}

// Ensure tracers know the precompiles of an upgrade, which differ from those of Ethereum at the same hard fork: a call
// of P256VERIFY by a contract has no frame in the flat trace, no entry among selectors, and is one to a JavaScript
// tracer.
func TestRollupTracersKnowPrecompiles(t *testing.T) {
	t.Parallel()
	const script = `{count: 0, step: function() {}, fault: function() {}, enter: function(f) { if (isPrecompiled(f.getTo())) this.count++ },
		exit: function() {}, result: function() { return this.count }}`
	for _, rules := range upgradeRules {
		r := withMeasured(t, rules)
		r.measure(common.HexToAddress("0x100"), 160, 100_000)
		sent := r.block("latest").Transactions
		hash := sent[len(sent)-1].Hash
		var flat []json.RawMessage
		r.call(&flat, "trace_transaction", hash)
		require.Len(t, flat, 1, rules)
		var precompiled int
		r.call(&precompiled, "debug_traceTransaction", hash, map[string]string{"tracer": script})
		require.Equal(t, 1, precompiled, rules)
		var selectors map[string]int
		r.call(&selectors, "debug_traceTransaction", hash, map[string]string{"tracer": "4byteTracer"})
		require.Len(t, selectors, 1, rules) // of the transaction itself
		call := map[string]any{"to": measured, "input": hexutil.Bytes(append(common.HexToHash("0x100").Bytes(), common.HexToHash("0xa0").Bytes()...))}
		r.call(&precompiled, "debug_traceCall", call, "latest", map[string]string{"tracer": script})
		require.Equal(t, 1, precompiled, rules)
	}
}

// Ensure the instruction CLZ (EIP-7939) is there from Azul on.
func TestRollupCountLeadingZeros(t *testing.T) {
	t.Parallel()
	code := program.New().Push(1).Op(vm.CLZ).Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
	for _, rules := range upgradeRules {
		r := newUpgraded(t, rules)
		r.call(nil, "anvil_setCode", measured, hexutil.Bytes(code))
		var answer common.Hash
		err := r.rpc.Call(&answer, "eth_call", map[string]any{"to": measured}, "latest")
		if rules == fakenode.JovianRules {
			require.ErrorContains(t, err, "invalid opcode")
			continue
		}
		require.NoError(t, err, rules)
		require.Equal(t, common.BigToHash(big.NewInt(255)), answer)
	}
}
