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
	WrongRoots                   []string
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
// with another FastLZ, to the wei; that viem's actions for OP-stack chains work; and that the roots of every block
// follow from what the node answers, by other libraries.
func TestViemRollup(t *testing.T) {
	t.Parallel()
	const count = 200
	got := runScript[viemRollup](t, fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.BaseFlashblocks}), "viem_rollup.mjs", "200")
	require.Equal(t, count, got.Transactions)
	require.Len(t, got.Kinds, 4)
	require.Empty(t, got.WrongFees)
	require.Empty(t, got.WrongFloors)
	require.Less(t, got.Worst, 0.05)
	require.Empty(t, got.WrongRoots)
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
