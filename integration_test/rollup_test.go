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
