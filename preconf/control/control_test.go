package control_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a mark is behind the head by its lag, within the chain, and at its own number where one is set.
func TestBehind(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 7, control.Behind(nil, 3, 10, 0))
	require.EqualValues(t, 8, control.Behind(nil, 3, 10, 8), "a chain that begins there")
	require.EqualValues(t, 4, control.Behind(new(uint64(4)), 3, 10, 0))
	require.EqualValues(t, 10, control.Behind(new(uint64(40)), 3, 10, 0), "set beyond the head")
}

// Ensure addresses are a set in order, and one that was returned earlier does not change.
func TestAddresses(t *testing.T) {
	t.Parallel()
	var empty control.Addresses
	one, two, three := common.Address{1}, common.Address{2}, common.Address{3}
	both := empty.With(three).With(one)
	require.Equal(t, control.Addresses{one, three}, both)
	require.Equal(t, both, both.With(one))
	require.Equal(t, control.Addresses{one, two, three}, both.With(two))
	require.Equal(t, control.Addresses{one, three}, both)
	require.True(t, both.Has(three))
	require.False(t, both.Has(two))
	require.Equal(t, control.Addresses{three}, both.Without(one))
	require.Equal(t, both, both.Without(two))
	require.Equal(t, control.Addresses{one, three}, both)
}

// Ensure notes are copies, and nil removes one.
func TestNotes(t *testing.T) {
	t.Parallel()
	var empty control.Notes
	text := []byte("a")
	notes := empty.With("x", text)
	text[0] = 'b'
	require.Equal(t, control.Notes{"x": []byte("a")}, notes)
	require.Equal(t, control.Notes{}, notes.With("x", nil))
	require.Equal(t, control.Notes{"x": []byte("a")}, notes)
	require.Empty(t, empty.With("x", nil))
}

// Ensure a clock starts, jumps, begins blocks and ends as told.
func TestClock(t *testing.T) {
	t.Parallel()
	require.Equal(t, control.Clock{Now: 11, Began: 11}, control.StartClock(11, 10, 2))
	require.Equal(t, control.Clock{Now: 12, Began: 12, Floor: 14}, control.StartClock(12, 10, 2), "an old head")
	c := control.Clock{Now: 100, Began: 90, Ticks: 3}
	require.Equal(t, control.Clock{Now: 150, Began: 140, Ticks: 3, Floor: 150}, c.Jumped(150))
	require.Equal(t, control.Clock{Now: 100, Began: 100}, c.Sealed())
	now, err := c.After(5)
	require.NoError(t, err)
	require.EqualValues(t, 105, now)
	_, err = control.Clock{Now: (control.LatestTime - 1) * 1e9}.After(2 * time.Second)
	var late *control.TimeError
	require.ErrorAs(t, err, &late)
	require.EqualValues(t, control.LatestTime, late.Latest)
	require.NoError(t, control.CheckTime(control.LatestTime))
	require.Error(t, control.CheckTime(control.LatestTime+1))
}

// Ensure a course has its value in each block, and none before and after.
func TestCourses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		weather control.Weather
		want    []int64 // from block 9 on; 0: none
	}{
		{control.Weather{Shape: control.Ramp, From: big.NewInt(10), To: big.NewInt(30), Blocks: 3, Times: 1}, []int64{0, 10, 20, 30, 0}},
		{control.Weather{Shape: control.Spike, From: big.NewInt(10), To: big.NewInt(30), Blocks: 3, Times: 2}, []int64{0, 30, 20, 10, 30, 20, 10, 0}},
		{control.Weather{Shape: control.Sawtooth, From: big.NewInt(10), To: big.NewInt(30), Blocks: 2}, []int64{0, 10, 30, 10, 30, 10}},
		{control.Weather{Shape: control.List, Values: []*big.Int{big.NewInt(7), big.NewInt(5)}}, []int64{0, 7, 5, 0}},
	} {
		test.weather.Of = control.OfBaseFee
		complete, err := test.weather.Completed(nil)
		require.NoError(t, err)
		courses := control.Courses{}.With(complete, 10)
		for i, want := range test.want {
			value := courses.At(uint64(9+i), control.OfBaseFee)
			if want == 0 {
				require.Nil(t, value, "%s, block %d", complete.Shape, 9+i)
			} else {
				require.Equal(t, want, value.Int64(), "%s, block %d", complete.Shape, 9+i)
			}
		}
		require.Nil(t, courses.At(10, control.OfGasLimit))
		require.False(t, courses.OfL1())
		require.Len(t, courses.With(complete, 20), 1, "one of a quantity")
		require.Empty(t, courses.Without(control.OfBaseFee))
		require.Len(t, courses.From(10), 1)
		if complete.Times > 0 {
			require.Empty(t, courses.From(30))
		}
	}
}

// Ensure a hold keeps what it names until it ends, and says until when.
func TestHolds(t *testing.T) {
	t.Parallel()
	hash, sender := common.Hash{1}, common.Address{2}
	timed, err := control.Hold{Hashes: []common.Hash{hash}, For: 50}.Begin(control.Clock{Now: 100}, 7)
	require.NoError(t, err)
	counted, err := control.Hold{Senders: []common.Address{sender}, Blocks: 2}.Begin(control.Clock{Now: 100}, 7)
	require.NoError(t, err)
	holds := control.Holds{timed, counted}
	require.Equal(t, &control.HeldError{Until: time.Unix(0, 150).UTC()}, holds.Keeping(hash, common.Address{}, 149, 7))
	require.Nil(t, holds.Keeping(hash, common.Address{}, 150, 7))
	require.Equal(t, &control.HeldError{Block: 9}, holds.Keeping(common.Hash{}, sender, 149, 8))
	require.Nil(t, holds.Keeping(common.Hash{}, sender, 149, 9))
	require.Nil(t, holds.Keeping(common.Hash{}, common.Address{}, 100, 7))
	require.Equal(t, &control.HeldError{}, control.Holds{{}}.Keeping(hash, sender, 1<<40, 1<<40), "all, until Release")
	require.Equal(t, []control.Hold{{Hashes: []common.Hash{hash}, For: 30}, {Senders: []common.Address{sender}, Blocks: 1}}, holds.Left(120, 8))
	require.Empty(t, holds.Left(150, 9))
	_, _, ok := holds.Ending(149)
	require.False(t, ok)
	left, end, ok := holds.Ending(150)
	require.True(t, ok)
	require.EqualValues(t, 150, end)
	require.Equal(t, control.Holds{counted}, left)
	require.Equal(t, common.Hash{9}, holds.Moved(hash, common.Hash{9})[0].Hashes[0])
	require.Equal(t, hash, holds[0].Hashes[0])
	for _, wrong := range []control.Hold{{For: -1}, {Blocks: 1_000_001}, {For: 1, Blocks: 1}} {
		_, err := wrong.Begin(control.Clock{}, 0)
		require.Error(t, err)
	}
}

// Ensure armed faults are counted by kind, and used up by what they affect.
func TestFaults(t *testing.T) {
	t.Parallel()
	var faults control.Faults
	var all []control.ArmedFault
	for i, kind := range []control.FaultKind{control.OmitTransactions, control.AlterLogs, control.StallFlashblocks, control.LateBlock, control.LagContext} {
		var later bool
		faults, later = faults.With(control.FlashblockFault{Kind: kind, Count: i + 2})
		require.Equal(t, kind != control.LagContext, later)
		all = append(all, control.ArmedFault{Kind: kind, Count: i + 2})
	}
	require.Equal(t, all, faults.Armed())
	one, two := common.Hash{1}, common.Hash{2}
	altered, left := faults.Altered(types.Receipts{{TxHash: one}, {TxHash: two, Logs: []*types.Log{{}}}})
	require.Equal(t, map[common.Hash]bool{two: true}, altered)
	require.Equal(t, faults.Alterations-1, left.Alterations)
	out, rest := control.Omission{Last: 1}.Of([]common.Hash{one, two})
	require.Equal(t, map[common.Hash]bool{two: true}, out)
	require.Nil(t, rest)
	out, rest = control.Omission{Hashes: []common.Hash{one, {3}}}.Of([]common.Hash{one, two})
	require.Equal(t, map[common.Hash]bool{one: true}, out)
	require.Equal(t, &control.Omission{Hashes: []common.Hash{{3}}}, rest)
}
