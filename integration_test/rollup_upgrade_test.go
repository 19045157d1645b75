package integration_test

import (
	"fmt"
	"math/big"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// upgradeRules are the rules of each upgrade of an OP-stack chain.
var upgradeRules = []fakenode.Rules{fakenode.JovianRules, fakenode.AzulRules, fakenode.KarstRules}

func newUpgraded(t *testing.T, rules fakenode.Rules) rollup {
	return rollupOf(t, fakenode.RunConfigT(t, fakenode.Config{Rules: rules}))
}

// Ensure calls, simulations, estimates and transactions meet the limits of a precompile's input: at the limit they
// succeed, with one byte more they fail and use up all gas. On Ethereum there are none.
func TestRollupPrecompileLimits(t *testing.T) {
	t.Parallel()
	limits := map[fakenode.Rules]map[string]int{
		fakenode.JovianRules: {"0x08": 81_984, "0x0c": 288_960, "0x0e": 278_784, "0x0f": 156_672},
		fakenode.AzulRules:   {"0x08": 81_984, "0x0c": 288_960, "0x0e": 278_784, "0x0f": 156_672},
		fakenode.KarstRules:  {"0x08": 57_600, "0x0c": 288_960, "0x0e": 278_784, "0x0f": 156_672},
	}
	ethereum := newUpgraded(t, fakenode.EthereumRules)
	element := map[string]int{"0x08": 192, "0x0c": 160, "0x0e": 288, "0x0f": 384} // bytes
	for rules, of := range limits {
		r := newUpgraded(t, rules)
		for name, limit := range of {
			call := func(r rollup, size int) error {
				input := map[string]any{"to": common.HexToAddress(name), "input": hexutil.Bytes(make([]byte, size))}
				return r.rpc.Call(nil, "eth_call", input, "pending")
			}
			require.NoError(t, call(r, limit), "%s %s", rules, name)
			require.ErrorContains(t, call(r, limit+1), "input of the precompile is too long", "%s %s", rules, name)
			require.ErrorContains(t, call(r, limit+element[name]), fmt.Sprintf("limit %d", limit), "%s %s", rules, name)
			require.NoError(t, call(ethereum, limit+element[name]), name)
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

// Ensure P256VERIFY is there and warm under every upgrade, and costs the gas of that upgrade.
func TestRollupSignaturePrice(t *testing.T) {
	t.Parallel()
	for rules, price := range map[fakenode.Rules]uint64{fakenode.JovianRules: 3_450, fakenode.AzulRules: 6_900, fakenode.KarstRules: 6_900} {
		r := newUpgraded(t, rules)
		// The code returns how much gas a call of 0x100 without input takes, between two readings of the gas.
		const code = "0x5a" + "60006000600060006101005afa" + "505a9003" + "60005260206000f3"
		const warm, otherInstructions = 100, 21
		var answer hexutil.Bytes
		r.call(&answer, "eth_call", map[string]any{"to": common.Address{0xaa}}, "latest", map[string]any{common.Address{0xaa}.Hex(): map[string]string{"code": code}})
		require.Equal(t, price, new(big.Int).SetBytes(answer).Uint64()-warm-otherInstructions, rules)
	}
}

// Ensure a deposit may have more gas than a transaction (EIP-7825), which is limited from Azul on.
func TestRollupTransactionGas(t *testing.T) {
	t.Parallel()
	for _, rules := range upgradeRules {
		r := newUpgraded(t, rules)
		deposit := r.deposit(`{"from": "0x00000000000000000000000000000000000000a1", "to": "0x00000000000000000000000000000000000000a1", "gas": 20000000}`)
		r.Seal()
		require.EqualValues(t, 1, r.receipt(deposit).Status, rules)
		send := func(gas uint64) error {
			return r.rpc.Call(nil, "eth_sendTransaction", map[string]any{
				"from": r.Account(0).Address, "to": r.Account(1).Address, "gas": hexutil.Uint64(gas),
			})
		}
		require.NoError(t, send(16_777_216), rules)
		if rules == fakenode.JovianRules {
			require.NoError(t, send(16_777_217))
			continue
		}
		require.ErrorContains(t, send(16_777_217), "16777216", rules)
	}
}

// Ensure eth_config has the upgrade's precompiles, no blobs, and the system contracts of an OP-stack chain alone.
func TestRollupConfig(t *testing.T) {
	t.Parallel()
	for _, rules := range upgradeRules {
		r := newUpgraded(t, rules)
		var config struct {
			Current struct {
				BlobSchedule                 map[string]uint64
				Precompiles, SystemContracts map[string]common.Address
			}
			Next *struct{}
		}
		r.call(&config, "eth_config")
		require.Equal(t, map[string]uint64{"target": 0, "max": 0, "baseFeeUpdateFraction": 0}, config.Current.BlobSchedule)
		require.Equal(t, map[string]common.Address{
			"BEACON_ROOTS_ADDRESS":    common.HexToAddress("0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02"),
			"HISTORY_STORAGE_ADDRESS": common.HexToAddress("0x0000F90827F1C53a10cb7A02335B175320002935"),
		}, config.Current.SystemContracts)
		require.Equal(t, common.HexToAddress("0x100"), config.Current.Precompiles["P256VERIFY"], rules)
		require.Len(t, config.Current.Precompiles, 18, rules)
		require.Nil(t, config.Next)
	}
}

// Ensure a kept chain has the rules it began with, whatever the preset, and another upgrade is rejected.
func TestRollupUpgradeKept(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "state.db")
	node, err := fakenode.New(fakenode.Config{State: file, Preset: fakenode.Optimism})
	require.NoError(t, err)
	node.Seal()
	head := rollupOf(t, node).block("latest")
	require.NoError(t, node.Close())

	_, err = fakenode.New(fakenode.Config{State: file, Preset: fakenode.Optimism, Rules: fakenode.OptimismRules})
	require.ErrorContains(t, err, `rules "azul" differ from "karst"`)
	node, err = fakenode.New(fakenode.Config{State: file})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, node.Close()) })
	r := rollupOf(t, node)
	require.Equal(t, head, r.block("latest"))
	r.Seal()
	require.Equal(t, head.ExtraData, r.block("latest").ExtraData)
	input := map[string]any{"to": common.HexToAddress("0x08"), "input": hexutil.Bytes(make([]byte, 57_601))}
	require.ErrorContains(t, r.rpc.Call(nil, "eth_call", input, "latest"), "limit 57600")
}
