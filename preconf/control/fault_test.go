package control_test

import (
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure faults with hashes add up, by what each kind affects, and what is used up of one leaves the one before as it
// was.
func TestFaultsByHash(t *testing.T) {
	t.Parallel()
	one, two := common.Hash{1}, common.Hash{2}
	first, _ := control.Faults{}.With(control.FlashblockFault{Kind: control.AlterLogs, Hashes: []common.Hash{one}})
	second, _ := first.With(control.FlashblockFault{Kind: control.AlterLogs, Hashes: []common.Hash{two}})
	third, _ := second.With(control.FlashblockFault{Kind: control.OmitTransactions, Hashes: []common.Hash{one, two}, Gone: true})
	require.Equal(t, []control.ArmedFault{{Kind: control.OmitTransactions, Count: 2}, {Kind: control.AlterLogs, Count: 2}}, third.Armed())
	require.Equal(t, []control.Omission{{Hashes: []common.Hash{one, two}, Gone: true}}, third.Omissions)
	altered, left := third.Altered(types.Receipts{{TxHash: two}})
	require.Equal(t, map[common.Hash]bool{two: true}, altered, "also without logs")
	require.Equal(t, []common.Hash{one}, left.Alter)
	require.Equal(t, []common.Hash{one, two}, third.Alter)
	require.Equal(t, []common.Hash{one}, first.Alter)
	altered, left = left.Altered(types.Receipts{{TxHash: two}})
	require.Empty(t, altered)
	require.Equal(t, []common.Hash{one}, left.Alter)
	altered, _ = control.Faults{}.Altered(types.Receipts{{TxHash: two, Logs: []*types.Log{{}}}})
	require.Empty(t, altered, "of no faults")
	_, later := control.Faults{}.With(control.FlashblockFault{Kind: control.DropFlashblocks, Count: 1})
	require.False(t, later, "all of it happens at once")
	_, rest := control.Omission{Last: 2}.Of(nil)
	require.Equal(t, &control.Omission{Last: 2}, rest, "of an empty block")
}

// Ensure a fault with a field that is out of range or does not apply to its kind is rejected, by an error that names
// the limit or the kinds that have it.
func TestCheckFault(t *testing.T) {
	t.Parallel()
	none, one := []common.Hash{}, []common.Hash{{1}}
	for want, fault := range map[string]control.FlashblockFault{
		`unknown fault kind "hail": want one of [alterLogs drop duplicate lag lateBlock omit replace stall]`: {Kind: "hail"},
		"fault count -1 is not between 1 and 1000000":                                                        {Kind: control.StallFlashblocks, Count: -1},
		"fault count 1000001 is not between 1 and 1000000":                                                   {Kind: control.StallFlashblocks, Count: 1_000_001},
		`a fault "stall" loses no transactions: gone is for drop and omit`:                                   {Kind: control.StallFlashblocks, Gone: true},
		`a fault "lag" retracts nothing: retract is for drop, omit and stall`:                                {Kind: control.LagContext, Retract: true},
		`a fault "drop" has no hashes: they are for omit and alterLogs`:                                      {Kind: control.DropFlashblocks, Hashes: one},
		`hashes of a fault "omit" are empty: leave them out to go by count`:                                  {Kind: control.OmitTransactions, Hashes: none},
		`a fault "alterLogs" has hashes or a count, not both`:                                                {Kind: control.AlterLogs, Hashes: one, Count: 1},
	} {
		require.EqualError(t, fault.Check(), want)
	}
	for _, kind := range control.FaultKinds() {
		for _, count := range []int{0, 1_000_000} {
			require.NoError(t, control.FlashblockFault{Kind: kind, Count: count}.Check())
		}
		require.Equal(t, slices.Contains([]control.FaultKind{control.DropFlashblocks, control.OmitTransactions}, kind),
			control.FlashblockFault{Kind: kind, Gone: true}.Check() == nil, kind)
	}
}

// Ensure faults of a kind add up, but the lag, which is the newest; altering uses up one for a flashblock with logs and
// none for another, and an omission by count takes the last of a block.
func TestFaultsAddUp(t *testing.T) {
	t.Parallel()
	a, b, c := common.Hash{1}, common.Hash{2}, common.Hash{3}
	var faults control.Faults
	for _, fault := range []control.FlashblockFault{
		{Kind: control.StallFlashblocks, Count: 2}, {Kind: control.LateBlock, Count: 3}, {Kind: control.AlterLogs, Count: 2},
		{Kind: control.LagContext, Count: 5}, {Kind: control.OmitTransactions, Count: 2, Retract: true},
		{Kind: control.StallFlashblocks, Count: 1}, {Kind: control.LateBlock, Count: 1}, {Kind: control.AlterLogs, Count: 2},
		{Kind: control.LagContext, Count: 4}, {Kind: control.OmitTransactions, Hashes: []common.Hash{a, b}},
		{Kind: control.DropFlashblocks, Count: 1}, {Kind: control.DuplicateFlashblock, Count: 1},
		{Kind: control.AlterLogs, Hashes: []common.Hash{c}},
	} {
		faults, _ = faults.With(fault)
	}
	require.Equal(t, []control.ArmedFault{
		{Kind: control.OmitTransactions, Count: 4}, {Kind: control.AlterLogs, Count: 5}, {Kind: control.StallFlashblocks, Count: 3},
		{Kind: control.LateBlock, Count: 4}, {Kind: control.LagContext, Count: 4},
	}, faults.Armed())
	require.Equal(t, []control.Omission{{Last: 2, Retract: true}, {Hashes: []common.Hash{a, b}}}, faults.Omissions)
	require.Empty(t, control.Faults{}.Armed())

	with := func(hash common.Hash, logs int) *types.Receipt {
		return &types.Receipt{TxHash: hash, Logs: make([]*types.Log, logs)}
	}
	altered, left := faults.Altered(types.Receipts{with(a, 0), with(b, 0)})
	require.Empty(t, altered)
	require.Equal(t, 4, left.Alterations, "of a flashblock without logs")
	altered, left = left.Altered(types.Receipts{with(a, 1), with(b, 2), with(c, 0)})
	require.Equal(t, map[common.Hash]bool{a: true, b: true, c: true}, altered)
	require.Equal(t, 3, left.Alterations)
	require.Empty(t, left.Alter)
	altered, left = control.Faults{Alter: []common.Hash{a}}.Altered(types.Receipts{with(b, 1), with(a, 0)})
	require.Equal(t, map[common.Hash]bool{a: true}, altered, "by hash alone")
	require.Equal(t, control.Faults{}, left)

	block := []common.Hash{a, b, c}
	for last, want := range map[int]map[common.Hash]bool{1: {c: true}, 2: {b: true, c: true}, 3: {a: true, b: true, c: true}, 9: {a: true, b: true, c: true}} {
		out, rest := control.Omission{Last: last, Gone: true}.Of(block)
		require.Equal(t, want, out)
		require.Nil(t, rest)
	}
	out, rest := control.Omission{Hashes: []common.Hash{c, {7}, {8}}, Gone: true}.Of(block)
	require.Equal(t, map[common.Hash]bool{c: true}, out)
	require.Equal(t, &control.Omission{Hashes: []common.Hash{{7}, {8}}, Gone: true}, rest)
}

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
	require.EqualError(t, &control.Held{Free: 9}, "it is held on command, until block 9")
	require.EqualError(t, &control.Held{}, "it is held on command, until released")
	until := time.Date(2030, 1, 2, 3, 4, 5, 60_000_000, time.UTC)
	require.EqualError(t, &control.Held{Until: until.UnixNano()}, "it is held on command, until 2030-01-02T03:04:05.06Z")
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
	require.Equal(t, &holds[0], holds.Keeping(a, common.Address{}, 0, 8))
	require.Equal(t, &holds[0], holds.Keeping(common.Hash{}, from, 0, 8))
	require.Nil(t, holds.Keeping(common.Hash{}, common.Address{}, 0, 8))
	require.Equal(t, &holds[1], holds.Keeping(a, from, 0, 9), "the first is over")
	require.Nil(t, holds.Keeping(a, from, 0, 12))
	timed := control.Holds{{Hashes: []common.Hash{a}, Until: 150}}
	require.Equal(t, &timed[0], timed.Keeping(a, from, 149, 7))
	require.Nil(t, timed.Keeping(a, from, 150, 7))
}
