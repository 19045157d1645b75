package control_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure the modes have names, the zero mode stands for manual, and others are rejected.
func TestMode(t *testing.T) {
	t.Parallel()
	require.Equal(t, "interval instant manual Mode(0)", fmt.Sprint(control.Interval, control.Instant, control.Manual, control.Mode(0)))
	require.Equal(t, control.Manual, control.Mode(0).OrManual())
	for _, mode := range []control.Mode{control.Interval, control.Instant, control.Manual} {
		require.NoError(t, mode.Check())
		require.Equal(t, mode, mode.OrManual())
	}
	for _, mode := range []control.Mode{0, 4, -1} {
		require.EqualError(t, mode.Check(), fmt.Sprintf("unknown seal mode %d", int(mode)))
	}
}
