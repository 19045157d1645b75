package integration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// viemRollup holds the report of viem_rollup.mjs.
type viemRollup struct {
	Transactions, Blocks         int
	Kinds                        map[string]int
	WrongFees, WrongFloors       []any
	WrongRoots, WrongDeposits    []string
	Deposits                     int
	Worst                        float64 // how far an estimate of viem is from the fee, as a part of it
	OperatorFee, TotalFee, L1Gas bool
	L1BaseFee                    string
	Withdrawal                   struct {
		Value string
		Root  bool
		Nodes int
	}
	Deposit struct{ Type, Mint, Status, Version string }
}

// Ensure the L1 fee of 200 random transactions of every type, at three settings of L1, is that of the Fjord formula
// with another FastLZ, to the wei; that viem's actions for OP-stack chains work; and that the roots of every block, and
// encoding, hash and source hash of its deposits, follow from what the node answers, by other libraries. It does so for
// Base with flashblocks and since Denim.
func TestViemRollup(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.BaseFlashblocks, fakenode.Base} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			testViemRollup(t, preset)
		})
	}
}

func testViemRollup(t *testing.T, preset fakenode.Preset) {
	const count = 200
	got := runScript[viemRollup](t, fakenode.RunConfigT(t, fakenode.Config{Preset: preset}), "viem_rollup.mjs", "200")
	require.Equal(t, count, got.Transactions)
	require.Len(t, got.Kinds, 4)
	require.Empty(t, got.WrongFees)
	require.Empty(t, got.WrongFloors)
	require.Less(t, got.Worst, 0.05)
	require.Empty(t, got.WrongRoots)
	require.Empty(t, got.WrongDeposits)
	system := map[fakenode.Preset]int{fakenode.BaseFlashblocks: 1, fakenode.Base: 2} // deposits of every block
	require.Equal(t, system[preset]*got.Blocks+1, got.Deposits)
	require.Greater(t, got.Blocks, 12)
	require.True(t, got.OperatorFee)
	require.True(t, got.TotalFee)
	require.True(t, got.L1Gas)
	require.Equal(t, "7", got.L1BaseFee)
	require.Equal(t, "5", got.Withdrawal.Value)
	require.True(t, got.Withdrawal.Root)
	require.Positive(t, got.Withdrawal.Nodes)
	require.Equal(t, struct{ Type, Mint, Status, Version string }{"deposit", "5", "0x1", "0x1"}, got.Deposit)
}

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
