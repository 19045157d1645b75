package dialect_test

import (
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure Hardhat's network mines a transaction that can be mined at once, and refuses one that would have to wait, for
// its nonce or for a base fee.
func TestHardhatRefusesWhatWouldWait(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat})
	to := n.Account(1).Address
	send := func(members map[string]any) (message string) {
		members["to"] = to
		if err := n.rpc.CallContext(t.Context(), nil, "eth_sendTransaction", n.object(members)); err != nil {
			return err.Error()
		}
		return ""
	}
	const wait = "Note that transactions can't be queued when automining."
	require.Equal(t, "Nonce too high. Expected nonce to be 0 but got 1. "+wait, send(map[string]any{"nonce": "0x1"}))
	require.Empty(t, send(map[string]any{"nonce": "0x0"}))
	require.Equal(t, "Nonce too low. Expected nonce to be 1 but got 0. "+wait, send(map[string]any{"nonce": "0x0"}))
	for _, member := range []string{"gasPrice", "maxFeePerGas"} {
		fee := func(wei string) map[string]any { return map[string]any{member: wei, "maxPriorityFeePerGas": "0x0"} }
		if member == "gasPrice" {
			fee = func(wei string) map[string]any { return map[string]any{member: wei} }
		}
		answer[any](n, "hardhat_setNextBlockBaseFeePerGas", "0x64")
		require.Equal(t, "Transaction "+member+" (99) is too low for the next block, which has a baseFeePerGas of 100", send(fee("0x63")))
		require.Empty(t, send(fee("0x64")))
	}
}

// Ensure that at pending a nonce is that of the block which would be mined, as on Hardhat's network, while a send that
// has none comes after all that waits.
func TestHardhatPendingNonce(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat, Mode: fakenode.Manual})
	alice := n.Account(0).Address
	send := func(feeCap string) common.Hash {
		return answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": alice, "maxFeePerGas": feeCap, "maxPriorityFeePerGas": "0x0"}))
	}
	send("0x77359400")
	send("0x1") // below the base fee: it waits for another block
	last := send("0x77359400")
	require.Equal(t, "0x1", answer[string](n, "eth_getTransactionCount", alice, "pending"))
	require.Equal(t, "0x0", answer[string](n, "eth_getTransactionCount", alice))
	require.Equal(t, "0x2", answer[map[string]any](n, "eth_getTransactionByHash", last)["nonce"])
}

// Ensure an estimate of Hardhat's network is enough, and too high by no more than Hardhat's own may be.
func TestHardhatEstimates(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat})
	for _, c := range []struct{ needs, tolerance uint64 }{
		{3_000, 200}, {12_000, 300}, {40_000, 500}, {150_000, 1_000}, {1_500_000, 10_000}, {5_000_000, 50_000},
	} {
		picky := n.deploy(fmt.Sprintf("63%08x5a10600b57005b5f5ffd", c.needs)) // reverts with less gas left
		call := func(gas uint64) error {
			return n.rpc.CallContext(t.Context(), nil, "eth_call", n.object(map[string]any{"to": picky, "gas": hexutil.Uint64(gas)}))
		}
		estimate := uint64(answer[hexutil.Uint64](n, "eth_estimateGas", n.object(map[string]any{"to": picky})))
		require.NoError(t, call(estimate))
		require.Error(t, call(estimate-c.tolerance-1), "%d is enough, and the estimate is %d", estimate-c.tolerance-1, estimate)
		bounded := answer[hexutil.Uint64](n, "eth_estimateGas", n.object(map[string]any{"to": picky, "gas": hexutil.Uint64(estimate)}))
		require.LessOrEqual(t, uint64(bounded), estimate, "it is at most the gas given")
		require.Error(t, n.rpc.CallContext(t.Context(), nil, "eth_estimateGas", n.object(map[string]any{"to": picky, "gas": hexutil.Uint64(21_000 + c.needs)})))
	}
}

// Ensure what waits is dropped when a command leaves its sender too poor for it alone, or blocks too small, as with
// Hardhat; what follows it waits on.
func TestHardhatDropsWhatCannotBe(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		method string
		params func(*devNode) []any
		want   []string
	}{
		"poor":       {"hardhat_setBalance", func(n *devNode) []any { return []any{n.Account(0).Address, "0x500000000000"} }, []string{"0x1", "0x9"}},
		"poorer":     {"hardhat_setBalance", func(n *devNode) []any { return []any{n.Account(0).Address, "0x1"} }, nil},
		"rich":       {"hardhat_setBalance", func(n *devNode) []any { return []any{n.Account(0).Address, "0xde0b6b3a7640000"} }, []string{"0x0", "0x1", "0x9"}},
		"another":    {"hardhat_setBalance", func(n *devNode) []any { return []any{n.Account(1).Address, "0x1"} }, []string{"0x0", "0x1", "0x9"}},
		"small":      {"evm_setBlockGasLimit", func(*devNode) []any { return []any{"0xffff"} }, []string{"0x1", "0x9"}},
		"not so":     {"evm_setBlockGasLimit", func(*devNode) []any { return []any{"0x186a0"} }, []string{"0x0", "0x1", "0x9"}},
		"very small": {"evm_setBlockGasLimit", func(*devNode) []any { return []any{"0x5207"} }, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat})
			answer[bool](n, "evm_setAutomine", false)
			for gas, nonce := range map[string]string{"0x186a0": "0x0", "0x5208": "0x1", "0x5209": "0x9"} {
				answer[any](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "gas": gas, "nonce": nonce, "maxFeePerGas": "0x3b9aca00"}))
			}
			require.True(t, answer[bool](n, test.method, test.params(n)...))
			var left []string
			for _, tx := range answer[[]struct{ Nonce string }](n, "eth_pendingTransactions") {
				left = append(left, tx.Nonce)
			}
			require.ElementsMatch(t, test.want, left)
		})
	}
}
