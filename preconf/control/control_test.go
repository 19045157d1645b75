package control_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
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
	both := empty.With(three, true).With(one, true)
	require.Equal(t, control.Addresses{one, three}, both)
	require.Equal(t, both, both.With(one, true))
	require.Equal(t, control.Addresses{one, two, three}, both.With(two, true))
	require.True(t, both.Has(three))
	require.False(t, both.Has(two))
	require.Equal(t, control.Addresses{three}, both.With(one, false))
	require.Equal(t, both, both.With(two, false))
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

// Ensure of the faults in force only the lag is left, and no weather, where nothing disturbs.
func TestWithoutFaults(t *testing.T) {
	t.Parallel()
	c := control.Control{Faults: control.Faults{Lag: 2, Stalled: 3, Holds: control.Holds{{}}}, Weather: control.Courses{{First: 4}}, Deposited: 5}
	suspended := c.WithoutFaults()
	require.Equal(t, control.Control{Faults: control.Faults{Lag: 2}, Deposited: 5, Suspended: &control.Suspended{Faults: c.Faults, Weather: c.Weather}}, suspended)
	suspended.Deposited = 6
	c.Deposited = 6
	require.Equal(t, c, suspended.RestoreFaults())
	require.Equal(t, c, c.RestoreFaults())
	c.Settings.Mode = control.Instant
	require.True(t, c.WithoutFaults().Suspended.Instant, "transactions made the blocks")
}

// Ensure each kind of thing that is held may take 64 MiB and no more, counted by entry and by what is in it.
func TestBudgets(t *testing.T) {
	t.Parallel()
	const entries = 64
	check := func(c control.Control) error { return c.CheckBudget() }
	holds := func(hashes, senders int) error {
		held := make(control.Holds, entries)
		held[0].Hashes, held[1].Senders = make([]common.Hash, hashes), make([]common.Address, senders)
		return check(control.Control{Faults: control.Faults{Holds: held}})
	}
	omissions := func(hashes, altered int) error {
		armed := make([]control.Omission, entries)
		armed[1].Hashes = make([]common.Hash, hashes)
		return check(control.Control{Faults: control.Faults{Omissions: armed, Alter: make([]common.Hash, altered)}})
	}
	courses := func(values int) error {
		return check(control.Control{Weather: control.Courses{
			{Weather: control.Weather{Values: make([]*big.Int, 1<<19)}}, {Weather: control.Weather{Values: make([]*big.Int, values)}},
		}})
	}
	notes := func(n control.Notes) error { return check(control.Control{Notes: n}) }
	note := make([]byte, control.MaxHeld/2)
	for kind, test := range map[string]struct{ fits, over []error }{
		"holds": {
			[]error{holds(1_597_024, 800_000), check(control.Control{})},
			[]error{holds(1_597_025, 800_000), holds(1_597_024, 800_001)},
		},
		"flashblock faults": {
			[]error{omissions(1_097_024, 1_000_000)},
			[]error{omissions(1_097_025, 1_000_000), omissions(1_097_024, 1_000_001)},
		},
		"courses of the weather": {[]error{courses(1 << 19)}, []error{courses(1<<19 + 1)}},
		"notes": {
			[]error{notes(control.Notes{"ab": note[66:], "c": note[65:]})},
			[]error{notes(control.Notes{"ab": note[66:], "c": note[64:]}), notes(control.Notes{"abc": note[66:], "c": note[65:]})},
		},
	} {
		for _, err := range test.fits {
			require.NoError(t, err, kind)
		}
		for _, err := range test.over {
			require.EqualError(t, err, "the "+kind+" of this network would take more than 67108864 bytes: end those that are not needed")
		}
	}
	require.NoError(t, control.CheckBudget(control.Orphans, control.MaxHeld))
	require.EqualError(t, control.CheckBudget(control.Orphans, control.MaxHeld+1), "the removed blocks of this network "+
		"would take more than 67108864 bytes: evm_revert to a snapshot before them, or a reset")
}
