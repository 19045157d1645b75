package integration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure viem with its own definitions of Arc and its test network sends, waits, and finds logs: the native ones with
// 18 decimals, the token's with 6.
func TestViemOnArc(t *testing.T) {
	t.Parallel()
	testnet := fakenode.Arc.Chain()
	testnet.ChainID, testnet.TestnetID = testnet.TestnetID, testnet.ChainID
	for chainID, config := range map[uint64]fakenode.Config{5042: {Preset: fakenode.Arc}, 5042002: {Chain: &testnet}} {
		config.Mode = fakenode.Instant
		got := runScript[map[string]any](t, fakenode.RunConfigT(t, config), "arc.mjs")
		require.Equal(t, map[string]any{
			"chain": float64(chainID), "symbol": "USDC", "native": "1.75", "shown": "1.75",
			"logs":    []any{"0xfffffffffffffffffffffffffffffffffffffffe 250000000000000000", "0x3600000000000000000000000000000000000000 250000"},
			"byTopic": 2.0, "byToken": []any{"250000"}, "heard": []any{"1500000000000000000", "250000000000000000", "250000"},
			"finalized": "1", "pending": "BlockNotFoundError", "pool": "Pending transaction filters are not allowed",
			"send": "Blocked address", "token": "Blocked address",
		}, got)
	}
}
