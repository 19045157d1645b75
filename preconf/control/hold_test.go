package control_test

import (
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a hold has its limits, and is told by the one that is over it; nothing is held past the last time.
func TestHoldLimits(t *testing.T) {
	t.Parallel()
	began := control.Clock{Now: 100}
	for want, hold := range map[string]control.Hold{
		"hold for -1ns is not between 0 and 876600h0m0s":             {For: -1},
		"hold for 876600h0m0.000000001s is not between 0 and 876600": {For: control.LongestTime + 1},
		"hold for 1000001 blocks is over the limit of 1000000":       {Blocks: 1_000_001},
		"hold for 1ns and for 1 blocks: want one of them":            {For: 1, Blocks: 1},
	} {
		_, err := hold.Begin(began, 0)
		require.ErrorContains(t, err, want)
	}
	held, err := control.Hold{For: control.LongestTime}.Begin(began, 7)
	require.NoError(t, err)
	require.Equal(t, control.Held{Until: 100 + int64(control.LongestTime)}, held)
	held, err = control.Hold{Blocks: 1_000_000}.Begin(began, 7)
	require.NoError(t, err)
	require.Equal(t, control.Held{Free: 1_000_007}, held)
	held, err = control.Hold{}.Begin(began, 7)
	require.NoError(t, err)
	require.Equal(t, control.Held{}, held, "until released")
	var late *control.TimeError
	_, err = control.Hold{For: 2}.Begin(control.Clock{Now: control.LatestTime*int64(time.Second) - 1}, 7)
	require.ErrorAs(t, err, &late)
	require.EqualError(t, &control.HeldError{Block: 9}, "it is held on command, until block 9")
	require.EqualError(t, &control.HeldError{}, "it is held on command, until released")
	until := time.Date(2030, 1, 2, 3, 4, 5, 60_000_000, time.UTC)
	require.EqualError(t, &control.HeldError{Until: until}, "it is held on command, until 2030-01-02T03:04:05.06Z")
}

// Ensure holds end one at a time, the first to end first and of equal ones the oldest, and those without an end stay.
func TestHoldsEnd(t *testing.T) {
	t.Parallel()
	a, b := common.Hash{1}, common.Hash{2}
	open, counted := control.Held{}, control.Held{Free: 9}
	late, soon, same := control.Held{Until: 200}, control.Held{Until: 150, Hashes: []common.Hash{a}}, control.Held{Until: 150}
	holds := control.Holds{open, late, soon, same, counted}
	left, end, ok := holds.Ending(200)
	require.True(t, ok)
	require.EqualValues(t, 150, end)
	require.Equal(t, control.Holds{open, late, same, counted}, left)
	left, _, _ = left.Ending(200)
	left, end, ok = left.Ending(200)
	require.True(t, ok)
	require.EqualValues(t, 200, end)
	require.Equal(t, control.Holds{open, counted}, left)
	left, end, ok = left.Ending(1 << 62)
	require.False(t, ok)
	require.Zero(t, end)
	require.Equal(t, control.Holds{open, counted}, left)
	require.Equal(t, control.Holds{open, late, soon, same, counted}, holds, "holds are immutable")
	require.Equal(t, []control.Hold{{}, {For: 50}, {Blocks: 1}}, holds.Left(150, 8))
	require.Equal(t, []control.Hold{{}}, holds.Left(200, 9))
	moved := control.Holds{{Hashes: []common.Hash{b, a}}, {Hashes: []common.Hash{b}}}.Moved(a, common.Hash{3})
	require.Equal(t, control.Holds{{Hashes: []common.Hash{b, {3}}}, {Hashes: []common.Hash{b}}}, moved)
}

// Ensure a transaction is kept by what names it or its sender, or by a hold of all; the oldest one says until when.
func TestHoldsKeep(t *testing.T) {
	t.Parallel()
	a, from := common.Hash{1}, common.Address{2}
	holds := control.Holds{{Hashes: []common.Hash{a}, Senders: []common.Address{from}, Free: 9}, {Hashes: []common.Hash{a}, Free: 12}}
	require.Equal(t, &control.HeldError{Block: 9}, holds.Keeping(a, common.Address{}, 0, 8))
	require.Equal(t, &control.HeldError{Block: 9}, holds.Keeping(common.Hash{}, from, 0, 8))
	require.Nil(t, holds.Keeping(common.Hash{}, common.Address{}, 0, 8))
	require.Equal(t, &control.HeldError{Block: 12}, holds.Keeping(a, from, 0, 9), "the first is over")
	require.Nil(t, holds.Keeping(a, from, 0, 12))
	timed := control.Holds{{Hashes: []common.Hash{a}, Until: 150}}
	require.Equal(t, &control.HeldError{Until: time.Unix(0, 150).UTC()}, timed.Keeping(a, from, 149, 7))
	require.Nil(t, timed.Keeping(a, from, 150, 7))
}
