package integration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure viem with its own definitions of Monad and its test network sends, waits, and finds logs, and that after a
// proposal was replaced it knows neither block nor receipt, and hears of no removal.
func TestViemOnMonad(t *testing.T) {
	t.Parallel()
	testnet := fakenode.Monad.Chain()
	testnet.ChainID, testnet.TestnetID = testnet.TestnetID, testnet.ChainID
	for chainID, config := range map[uint64]fakenode.Config{143: {Preset: fakenode.Monad}, 10143: {Chain: &testnet}} {
		config.Mode = fakenode.Instant
		node := fakenode.RunConfigT(t, config)
		got := runScript[map[string]any](t, node, "monad.mjs")
		require.Equal(t, map[string]any{
			"chain": float64(chainID), "gasUsed": "30000", "balance": "1.5", "maxFeePerGas": "122000000000", "maxPriorityFeePerGas": "2000000000",
			"values": []any{"25", "25"}, "states": []any{"1 Proposed", "2 Proposed", "1 Voted", "2 Proposed"},
			"same": false, "block": "BlockNotFoundError", "receipt": "TransactionReceiptNotFoundError", "removed": 0.0,
		}, got)
	}
}
