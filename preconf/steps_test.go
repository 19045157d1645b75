package preconf_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// Ensure a writer does not wait until a million blocks are made.
func TestOthersWriteBetweenBlocks(t *testing.T) {
	t.Parallel()
	for name, work := range map[string]func(context.Context, *preconf.Timeline) error{
		"seal": func(ctx context.Context, timeline *preconf.Timeline) error {
			_, err := timeline.SealContext(ctx, 1_000_000)
			return err
		},
		"advance": func(ctx context.Context, timeline *preconf.Timeline) error {
			_, err := timeline.AdvanceContext(ctx, 300*time.Hour)
			return err
		},
	} {
		timeline := newTimeline(t, preconf.Config{})
		ctx, cancel := context.WithCancel(t.Context())
		feed := timeline.Subscribe()
		defer feed.Close()
		done := make(chan error, 1)
		go func() { done <- work(ctx, timeline) }()
		_, err := feed.Next(ctx)
		require.NoError(t, err)
		send(t, timeline, accounts[0].pay(0, sink, 1))
		timeline.Snapshot()
		require.Empty(t, done, name)
		cancel()
		require.ErrorIs(t, <-done, context.Canceled, name)
	}
}

// Ensure steps that fail are undone as one, also where another writer came in between: then its transaction stays.
func TestInSteps(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	seal(t, timeline, 1)
	before, failure := timeline.Moment(), errors.New("no")
	require.ErrorIs(t, timeline.InSteps(10, func(own *preconf.Timeline, i int) error {
		if i == 9 {
			return failure
		}
		seal(t, own, 1)
		return nil
	}), failure)
	require.Equal(t, before.Latest().Hash(), timeline.Moment().Latest().Hash())
	require.Equal(t, before.Now(), timeline.Moment().Now())
	require.Panics(t, func() {
		_ = timeline.InSteps(1, func(own *preconf.Timeline, _ int) error {
			seal(t, own, 1)
			panic("no")
		})
	})
	require.Equal(t, before.Latest().Hash(), timeline.Moment().Latest().Hash())

	paid := accounts[0].pay(0, sink, 1)
	sent := make(chan error, 1)
	require.ErrorIs(t, timeline.InSteps(1_000_000, func(own *preconf.Timeline, i int) error {
		if i == 0 {
			go func() { sent <- timeline.Send(paid) }()
		}
		select {
		case err := <-sent:
			require.NoError(t, err)
			seal(t, own, 1)
			return failure
		default:
			seal(t, own, 1)
			return nil
		}
	}), failure)
	require.Equal(t, before.Latest().Hash(), timeline.Moment().Latest().Hash())
	require.Equal(t, preconf.Pooled, timeline.Moment().Place(paid.Hash()).Where)

	require.NoError(t, timeline.InSteps(3, func(own *preconf.Timeline, _ int) error {
		seal(t, own, 1)
		return nil
	}))
	require.EqualValues(t, 4, timeline.Moment().Latest().Number())
	require.Equal(t, preconf.Sealed, timeline.Moment().Place(paid.Hash()).Where)
}
