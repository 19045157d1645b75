package preconf_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// Ensure nobody else's change comes between those of one Atomically.
func TestAtomically(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	sealed := make(chan error)
	require.NoError(t, timeline.Atomically(func(own *preconf.Timeline) error {
		go func() {
			_, err := timeline.Seal(1)
			sealed <- err
		}()
		for range 200 {
			before := own.Moment().Latest().Number()
			seal(t, own, 1)
			require.Equal(t, before+1, timeline.Moment().Latest().Number(), "readers see each step")
		}
		require.EqualValues(t, 200, own.Moment().Latest().Number())
		return nil
	}))
	require.NoError(t, <-sealed)
	require.EqualValues(t, 201, timeline.Moment().Latest().Number())
}

// Ensure what fails, or panics, undoes all it did, tells of it, and lets the next writer in.
func TestAtomicallyUndoes(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	seal(t, timeline, 1)
	before := timeline.Moment().Latest().Hash()
	feed := timeline.Subscribe()
	defer feed.Close()
	failure := errors.New("no")
	require.Equal(t, failure, timeline.Atomically(func(own *preconf.Timeline) error {
		seal(t, own, 2)
		return failure
	}))
	require.Panics(t, func() {
		_ = timeline.Atomically(func(own *preconf.Timeline) error {
			seal(t, own, 2)
			panic("no")
		})
	})
	require.Equal(t, before, timeline.Moment().Latest().Hash())
	var heads []uint64
	for len(heads) < 6 {
		event, err := feed.Next(t.Context())
		require.NoError(t, err)
		if event.Kind == preconf.HeadAdded {
			heads = append(heads, event.View.Number())
		}
	}
	require.Equal(t, []uint64{2, 3, 1, 2, 3, 1}, heads)
	seal(t, timeline, 1)
}
