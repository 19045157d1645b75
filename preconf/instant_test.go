package preconf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a change to sealing at once seals what is pre-confirmed, and what waits in the pool unless it is to wait.
func TestInstantFromPending(t *testing.T) {
	t.Parallel()
	for _, waits := range []bool{false, true} {
		timeline := newTimeline(t, preconf.Config{Behaviour: preconf.Behaviour{KeepPoolOnInstant: waits}})
		send(t, timeline, accounts[0].pay(0, emitter, 0))
		preconfirm(t, timeline)
		send(t, timeline, accounts[1].pay(0, emitter, 0))
		require.NoError(t, timeline.Set(preconf.Mode(control.Instant)))
		m := timeline.Moment()
		require.EqualValues(t, 1, find(t, m, accounts[0].pay(0, emitter, 0).Hash()).View.Number())
		require.Equal(t, waits, m.PoolSize() == 1)
		if waits {
			require.EqualValues(t, 1, m.Latest().Number())
		} else {
			require.EqualValues(t, 2, m.Latest().Number())
		}
	}
}
