package preconf_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
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

// Ensure an Atomically that fails or panics undoes all it did, reports that to readers, and lets the next writer in.
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

// Ensure nothing of what failed is left: neither in the chain nor in snapshots, pool, clock or settings.
func TestAtomicallyUndoesAll(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	first := timeline.Snapshot()
	seal(t, timeline, 1)
	second := timeline.Snapshot()
	send(t, timeline, accounts[0].pay(0, sink, 1))
	preconfirm(t, timeline)
	send(t, timeline, accounts[1].pay(0, sink, 1))
	before := timeline.Moment()
	failure := errors.New("no")
	for name, spoil := range map[string]func(*preconf.Timeline) error{
		"reset":       func(own *preconf.Timeline) error { own.Reset(); return nil },
		"revert":      func(own *preconf.Timeline) error { return own.Revert(first) },
		"revert told": func(own *preconf.Timeline) error { return own.RevertAnnounced(first) },
		"revert once": func(own *preconf.Timeline) error { return own.RevertOnce(first) },
		"restart":     func(own *preconf.Timeline) error { return own.Restart(before) },
		"snapshot":    func(own *preconf.Timeline) error { own.Snapshot(); return nil },
		"mode":        func(own *preconf.Timeline) error { return own.Set(preconf.Mode(control.Instant)) },
		"time":        func(own *preconf.Timeline) error { return own.IncreaseTime(time.Hour) },
		"clear":       func(own *preconf.Timeline) error { own.ClearPool(); return nil },
		"inner":       func(own *preconf.Timeline) error { return own.Atomically(sealOne) },
		"nothing":     func(*preconf.Timeline) error { return nil },
	} {
		require.Equal(t, failure, timeline.Atomically(func(own *preconf.Timeline) error {
			require.NoError(t, spoil(own), name)
			return failure
		}))
		m := timeline.Moment()
		require.Equal(t, before.Latest().Hash(), m.Latest().Hash(), name)
		require.Equal(t, before.Pending().Transactions(), m.Pending().Transactions(), name)
		require.Equal(t, before.Pool(), m.Pool(), name)
		require.Equal(t, before.Now(), m.Now(), name)
		require.Equal(t, before.Mode(), m.Mode(), name)
		clone := timeline.Clone()
		require.Equal(t, second+1, clone.Snapshot(), name)
		require.NoError(t, clone.Revert(second), name)
		require.EqualValues(t, 1, clone.Moment().Latest().Number(), name)
		require.NoError(t, clone.Revert(first), name)
		require.Zero(t, clone.Moment().Latest().Number(), name)
	}
}

func sealOne(timeline *preconf.Timeline) error {
	_, err := timeline.Seal(1)
	return err
}

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
