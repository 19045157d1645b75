package integration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// viemPreconf holds the report of viem_preconf.mjs.
type viemPreconf struct {
	Subscriptions map[string]string
	Heard         int
	Filtered      int
	Seen          []viemPending
	Latest        struct{ Number, Hash string }
}

// viemPending is the pending block, the code of a contract that a transaction in it creates, and that transaction's
// receipt.
type viemPending struct {
	Number, Hash, Timestamp, Code string
	Receipt                       *string
}

// Ensure viem gets what OP Mainnet answers: subscriptions refused, a pending block with a real hash that changes, and
// the contract that is deployed in it.
func TestViemOnOptimism(t *testing.T) {
	t.Parallel()
	got := runScript[viemPreconf](t, fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, Mode: fakenode.Interval}), "viem_preconf.mjs")
	require.Equal(t, map[string]string{
		"newFlashblocks": "-32602 Invalid params", "newFlashblockTransactions": "-32602 Invalid params",
		"pendingLogs": "-32602 Invalid params", "newPendingTransactions": "open",
	}, got.Subscriptions)
	require.Zero(t, got.Heard)
	require.Zero(t, got.Filtered)
	require.Len(t, got.Seen, 3)
	hashes := map[string]bool{got.Latest.Hash: true}
	for _, pending := range got.Seen {
		require.Equal(t, "1", pending.Number)
		hashes[pending.Hash] = true
	}
	require.GreaterOrEqual(t, len(hashes), 3)
	require.Equal(t, "0x00", got.Seen[1].Code)
	require.Equal(t, got.Seen[1].Hash, *got.Seen[1].Receipt)
	require.Equal(t, got.Seen[2].Hash, *got.Seen[2].Receipt)
	require.Equal(t, "0", got.Latest.Number)
}

// Ensure viem gets what Base answers since Denim: silent subscriptions, a pending block that is the latest one, and the
// transaction in the next block.
func TestViemOnBase(t *testing.T) {
	t.Parallel()
	got := runScript[viemPreconf](t, fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Base, Mode: fakenode.Interval}), "viem_preconf.mjs")
	for kind, answer := range got.Subscriptions {
		require.Equal(t, "open", answer, kind)
	}
	require.Zero(t, got.Heard)
	require.Zero(t, got.Filtered)
	require.Len(t, got.Seen, 3)
	require.Equal(t, "0x", got.Seen[0].Code)
	require.Nil(t, got.Seen[0].Receipt)
	require.Equal(t, "1", got.Seen[1].Number)
	require.Equal(t, "0x00", got.Seen[1].Code)
	require.Equal(t, got.Seen[1].Hash, *got.Seen[1].Receipt)
	require.Equal(t, got.Latest, struct{ Number, Hash string }{got.Seen[2].Number, got.Seen[2].Hash})
}
