package optimism_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// measured is a contract whose code a test sets.
var measured = common.HexToAddress("0x00000000000000000000000000000000000ca11e")

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

// Ensure tracers know the precompiles of an upgrade, which differ from those of Ethereum at the same hard fork: a call
// of P256VERIFY by a contract has no frame in the flat trace, no entry among selectors, and is one to a JavaScript
// tracer.
func TestRollupTracersKnowPrecompiles(t *testing.T) {
	t.Parallel()
	const script = `{count: 0, step: function() {}, fault: function() {}, enter: function(f) { if (isPrecompiled(f.getTo())) this.count++ },
		exit: function() {}, result: function() { return this.count }}`
	for _, rules := range upgradeRules {
		r := newUpgraded(t, rules)
		verifies := program.New().StaticCall(nil, common.HexToAddress("0x100"), 0, 160, 0, 0).Bytes()
		r.call(nil, "anvil_setCode", measured, hexutil.Bytes(verifies))
		call := map[string]any{"from": r.Account(0).Address, "to": measured, "input": "0x01020304"}
		var hash common.Hash
		r.call(&hash, "eth_sendTransaction", call)
		r.Seal()
		var flat []json.RawMessage
		r.call(&flat, "trace_transaction", hash)
		require.Len(t, flat, 1, rules)
		var precompiled int
		r.call(&precompiled, "debug_traceTransaction", hash, map[string]string{"tracer": script})
		require.Equal(t, 1, precompiled, rules)
		var selectors map[string]int
		r.call(&selectors, "debug_traceTransaction", hash, map[string]string{"tracer": "4byteTracer"})
		require.Len(t, selectors, 1, rules) // of the transaction itself
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
