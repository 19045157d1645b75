package preconf_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

func TestSafeAndFinalized(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	numbers := func() [2]uint64 {
		m := timeline.Moment()
		return [2]uint64{m.Safe().Number(), m.Finalized().Number()}
	}
	require.Equal(t, [2]uint64{0, 0}, numbers())
	seal(t, timeline, 70)
	require.Equal(t, [2]uint64{38, 6}, numbers())
	require.NoError(t, timeline.Set(preconf.Safe(69)))
	require.NoError(t, timeline.Set(preconf.Finalized(68)))
	seal(t, timeline, 1)
	require.Equal(t, [2]uint64{69, 68}, numbers())
	require.ErrorAs(t, timeline.Set(preconf.Safe(72)), new(*preconf.UnknownBlockError))
	require.ErrorAs(t, timeline.Set(preconf.Finalized(72)), new(*preconf.UnknownBlockError))
	require.Equal(t, [2]uint64{69, 68}, numbers())
	reorg(t, timeline, control.ReorgOptions{Depth: 4, Length: new(0), Force: true})
	require.Equal(t, [2]uint64{67, 67}, numbers(), "never above the head")
}

// What is finalized stays so, however short a reorg leaves the chain.
func TestFinalizedNeverGoesBack(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	finalized := func() uint64 { return timeline.Moment().Finalized().Number() }
	seal(t, timeline, 100)
	require.EqualValues(t, 36, finalized())
	id := timeline.Snapshot()
	reorg(t, timeline, control.ReorgOptions{Depth: 64, Length: new(0)})
	require.EqualValues(t, 36, finalized())
	require.EqualValues(t, 36, timeline.Moment().Safe().Number())
	var deep *control.DepthError
	_, err := timeline.Reorg(control.ReorgOptions{Depth: 1})
	require.ErrorAs(t, err, &deep)
	require.True(t, deep.Finalized)
	require.Zero(t, deep.Max)
	seal(t, timeline, 65)
	require.EqualValues(t, 37, finalized(), "the lag counts again")

	reorg(t, timeline, control.ReorgOptions{Depth: 81, Length: new(2), Force: true})
	require.EqualValues(t, 20, finalized(), "by force it does")
	require.NoError(t, timeline.Set(preconf.Finalized(5)))
	require.EqualValues(t, 5, finalized())
	require.NoError(t, timeline.Revert(id))
	require.EqualValues(t, 36, finalized())
}

func TestSafeIsNotBelowFinalized(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{Behaviour: preconf.Behaviour{Lags: preconf.Lags{SafeLag: new(uint64(100)), FinalizedLag: new(uint64(1))}}})
	seal(t, timeline, 10)
	require.EqualValues(t, 9, timeline.Moment().Finalized().Number())
	require.EqualValues(t, 9, timeline.Moment().Safe().Number())
	require.NoError(t, timeline.Set(preconf.Safe(0)))
	require.NoError(t, timeline.Set(preconf.Finalized(5)))
	require.EqualValues(t, 5, timeline.Moment().Safe().Number())
	span, err := timeline.Moment().LogRange(safe, latest)
	require.NoError(t, err)
	require.EqualValues(t, 5, span.First)
}
