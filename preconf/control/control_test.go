package control_test

import (
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

// Ensure of the faults in force only the lag is left, and no weather, where nothing disturbs.
func TestUndisturbed(t *testing.T) {
	t.Parallel()
	c := control.Control{Faults: control.Faults{Lag: 2, Stalled: 3, Holds: control.Holds{{}}}, Weather: control.Courses{{First: 4}}, Deposited: 5}
	aside := c.Undisturbed()
	require.Equal(t, control.Control{Faults: control.Faults{Lag: 2}, Deposited: 5, Aside: &control.Aside{Faults: c.Faults, Weather: c.Weather}}, aside)
	aside.Deposited = 6
	c.Deposited = 6
	require.Equal(t, c, aside.Disturbed())
	require.Equal(t, c, c.Disturbed())
	c.Settings.Mode = control.Instant
	require.True(t, c.Undisturbed().Aside.Instant, "transactions made the blocks")
}

func TestImpersonatedAddressesCountBytes(t *testing.T) {
	t.Parallel()
	most := make(control.Addresses, control.MaxHeld/common.AddressLength)
	require.NoError(t, most.Afford())
	require.EqualError(t, append(most, common.Address{}).Afford(), "the impersonated addresses of this network would take more than 67108864 bytes: end those that are not needed")
}
