package preconf_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// drain reads what has happened, one word each.
func drain(t testing.TB, feed *preconf.Feed) (events []string) {
	t.Helper()
	for {
		e, err := feed.Poll()
		require.NoError(t, err)
		if e == nil {
			return events
		}
		switch e.Kind {
		case preconf.FlashblockAdded:
			events = append(events, fmt.Sprintf("flashblock %d.%d", e.Flashblock.Number, e.Flashblock.Index))
		case preconf.HeadAdded:
			events = append(events, fmt.Sprintf("head %d", e.View.Number()))
		case preconf.LogsAdded:
			events = append(events, fmt.Sprintf("logs %d: %v", e.View.Number(), names(e.Logs)))
		case preconf.LogsRemoved:
			events = append(events, fmt.Sprintf("removed %d: %v", e.View.Number(), names(e.Logs)))
		case preconf.LogsRetracted:
			events = append(events, fmt.Sprintf("retracted: %v", names(e.Logs)))
		case preconf.TransactionPooled:
			events = append(events, fmt.Sprintf("pooled %d", e.Transaction.Nonce()))
		}
	}
}

func TestAdvanceRunsWhatIsDueInOrder(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{BlockTime: time.Second, FlashblockTime: 300 * time.Millisecond})
	feed := timeline.Subscribe()
	defer feed.Close()

	advance(t, timeline, 299*time.Millisecond)
	require.Empty(t, drain(t, feed))
	advance(t, timeline, 2001*time.Millisecond)
	require.Equal(t, []string{
		"flashblock 1.0", "flashblock 1.1", "head 1", // none at 900 ms: it would be at pending for 100 ms
		"flashblock 2.0", "flashblock 2.1", "flashblock 2.2", "head 2",
		"flashblock 3.0", "flashblock 3.1",
	}, drain(t, feed))
	require.Equal(t, start.Add(2300*time.Millisecond), timeline.Moment().Now())

	_, err := timeline.Advance(-1)
	require.Error(t, err)
}

// One long step and many short ones come to the same chain.
func TestAdvanceInAnyStepsIsTheSame(t *testing.T) {
	t.Parallel()
	script := func(step time.Duration) common.Hash {
		timeline := newTimeline(t, preconf.Config{})
		send(t, timeline, accounts[0].emit(0, 1, 1))
		for passed := time.Duration(0); passed < time.Minute; passed += step {
			advance(t, timeline, step)
		}
		require.EqualValues(t, 30, timeline.Moment().Latest().Number())
		return timeline.Moment().Latest().Hash()
	}
	want := script(time.Minute)
	for _, step := range []time.Duration{200 * time.Millisecond, 500 * time.Millisecond, 30 * time.Second} {
		require.Equal(t, want, script(step), "steps of %s", step)
	}
}

func TestSealClosesSlotsEarly(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	advance(t, timeline, 2200*time.Millisecond)
	seal(t, timeline, 3)
	m := timeline.Moment()
	require.EqualValues(t, 4, m.Latest().Number())
	require.EqualValues(t, start.Unix()+8, m.Latest().Time())
	require.Equal(t, start.Add(8*time.Second), m.Now())
	require.EqualValues(t, 4, advance(t, timeline, 1999*time.Millisecond).BlockNumber)
	require.EqualValues(t, 5, advance(t, timeline, time.Millisecond).BlockNumber)
}

func TestTimestamps(t *testing.T) {
	t.Parallel()
	unix := uint64(start.Unix())
	for _, test := range []struct {
		name   string
		config preconf.Config
		do     func(*preconf.Timeline)
		want   []uint64 // seconds after start, of blocks 1, 2, …
		now    time.Duration
	}{
		{"slots", preconf.Config{}, func(tl *preconf.Timeline) { seal(t, tl, 3) }, []uint64{2, 4, 6}, 6 * time.Second},
		{"start within a second", preconf.Config{Start: start.Add(700 * time.Millisecond)},
			func(tl *preconf.Timeline) { advance(t, tl, 1300*time.Millisecond) }, []uint64{2}, 2 * time.Second},
		{"start long after the head", preconf.Config{Start: start.Add(time.Hour)},
			func(tl *preconf.Timeline) { advance(t, tl, 4*time.Second) }, []uint64{3602, 3604}, time.Hour + 4*time.Second},
		{"time increased", preconf.Config{}, func(tl *preconf.Timeline) {
			seal(t, tl, 1)
			require.NoError(t, tl.IncreaseTime(time.Hour))
			seal(t, tl, 2)
		}, []uint64{2, 3602, 3604}, 3604 * time.Second},
		{"time set", preconf.Config{}, func(tl *preconf.Timeline) {
			preconfirm(t, tl)
			require.NoError(t, tl.SetTime(start.Add(99*time.Second)))
			require.EqualValues(t, unix+99, tl.Moment().Pending().Time())
			seal(t, tl, 2)
		}, []uint64{99, 101}, 101 * time.Second},
		{"next block time", preconf.Config{}, func(tl *preconf.Timeline) {
			preconfirm(t, tl)
			require.NoError(t, tl.Set(preconf.NextBlockTime(unix+50)))
			require.EqualValues(t, unix+50, tl.Moment().Pending().Time())
			seal(t, tl, 2)
		}, []uint64{50, 52}, 52 * time.Second},
		{"next block time under interval mode", preconf.Config{Mode: control.Interval}, func(tl *preconf.Timeline) {
			require.NoError(t, tl.Set(preconf.NextBlockTime(unix+3600)))
			advance(t, tl, 2*time.Second)
		}, []uint64{3600}, 3600 * time.Second},
		{"interval of timestamps", preconf.Config{}, func(tl *preconf.Timeline) {
			require.NoError(t, tl.Set(preconf.TimestampInterval(new(uint64(7)))))
			seal(t, tl, 2)
			require.NoError(t, tl.Set(preconf.TimestampInterval(nil)))
			seal(t, tl, 1)
		}, []uint64{7, 14, 16}, 16 * time.Second},
		{"blocks under a second", preconf.Config{BlockTime: 400 * time.Millisecond},
			func(tl *preconf.Timeline) { advance(t, tl, 2*time.Second) }, []uint64{0, 0, 1, 1, 2}, 2 * time.Second},
		{"blocks under a second, sealed", preconf.Config{BlockTime: 400 * time.Millisecond},
			func(tl *preconf.Timeline) { seal(t, tl, 3) }, []uint64{0, 0, 1}, 1200 * time.Millisecond},
		{"instant", preconf.Config{Mode: control.Instant}, func(tl *preconf.Timeline) {
			send(t, tl, accounts[0].pay(0, sink, 1), accounts[0].pay(1, sink, 1))
			advance(t, tl, 10*time.Second)
			send(t, tl, accounts[0].pay(2, sink, 1))
		}, []uint64{1, 2, 12}, 12 * time.Second},
		{"instant, a burst on a manual clock", preconf.Config{Mode: control.Instant}, func(tl *preconf.Timeline) {
			seal(t, tl, 3)
			advance(t, tl, time.Second)
			seal(t, tl, 1)
		}, []uint64{1, 2, 3, 4}, 4 * time.Second},
		{"instant, a burst ahead of a real clock", preconf.Config{Mode: control.Instant, Real: true}, func(tl *preconf.Timeline) {
			seal(t, tl, 3)
			advance(t, tl, time.Second)
			seal(t, tl, 1)
		}, []uint64{1, 2, 3, 4}, time.Second},
		{"instant, time increased after a burst", preconf.Config{Mode: control.Instant, Real: true}, func(tl *preconf.Timeline) {
			seal(t, tl, 10)
			require.NoError(t, tl.IncreaseTime(time.Minute))
			seal(t, tl, 1)
		}, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 70}, 70 * time.Second},
		{"interval after a burst of instant mode", preconf.Config{Mode: control.Instant}, func(tl *preconf.Timeline) {
			seal(t, tl, 3)
			require.NoError(t, tl.Set(preconf.Mode(control.Interval)))
			advance(t, tl, 2*time.Second)
		}, []uint64{1, 2, 3, 5}, 5 * time.Second},
		{"interval from the middle of a slot on", preconf.Config{Mode: control.Instant}, func(tl *preconf.Timeline) {
			seal(t, tl, 1)
			advance(t, tl, 1500*time.Millisecond)
			require.NoError(t, tl.Set(preconf.Mode(control.Interval)))
			advance(t, tl, 4500*time.Millisecond)
		}, []uint64{1, 5, 7}, 7 * time.Second},
		{"by hand, without slots", preconf.Config{Behaviour: preconf.Behaviour{PendingPool: true}, Real: true}, func(tl *preconf.Timeline) {
			seal(t, tl, 3)
			require.NoError(t, tl.IncreaseTime(time.Second))
			seal(t, tl, 1)
			require.NoError(t, tl.IncreaseTime(9*time.Second))
			seal(t, tl, 2)
		}, []uint64{1, 2, 3, 4, 13, 14}, 13 * time.Second},
		{"instant, time and interval by hand", preconf.Config{Mode: control.Instant}, func(tl *preconf.Timeline) {
			require.NoError(t, tl.Set(preconf.NextBlockTime(unix+7)))
			seal(t, tl, 2)
			require.NoError(t, tl.Set(preconf.TimestampInterval(new(uint64(10)))))
			seal(t, tl, 1)
			require.NoError(t, tl.Set(preconf.TimestampInterval(nil)))
			seal(t, tl, 1)
		}, []uint64{7, 8, 18, 19}, 19 * time.Second},
		{"instant, a time set before what the clock was set to", preconf.Config{Mode: control.Instant, Real: true}, func(tl *preconf.Timeline) {
			require.NoError(t, tl.Set(preconf.NextBlockTime(unix+7)))
			require.NoError(t, tl.IncreaseTime(time.Hour))
			seal(t, tl, 2)
		}, []uint64{7, 8}, 7 * time.Second},
		{"instant, reorganized", preconf.Config{Mode: control.Instant}, func(tl *preconf.Timeline) {
			seal(t, tl, 2)
			reorg(t, tl, control.ReorgOptions{Depth: 1, Length: new(3)})
		}, []uint64{1, 2, 3, 4}, 4 * time.Second},
		{"instant with equal timestamps", preconf.Config{Mode: control.Instant, Behaviour: preconf.Behaviour{EqualTimestamps: true}}, func(tl *preconf.Timeline) {
			seal(t, tl, 2)
			require.NoError(t, tl.Set(preconf.NextBlockTime(unix)))
			seal(t, tl, 1)
			reorg(t, tl, control.ReorgOptions{Depth: 1})
			advance(t, tl, 10*time.Second)
			seal(t, tl, 1)
		}, []uint64{0, 0, 0, 0, 10}, 10 * time.Second},
		{"blocks of a second and a half", preconf.Config{BlockTime: 1500 * time.Millisecond}, func(tl *preconf.Timeline) {
			seal(t, tl, 4)
		}, []uint64{1, 3, 4, 6}, 6 * time.Second},
		{"instant after an empty flashblock", preconf.Config{Mode: control.Instant}, func(tl *preconf.Timeline) {
			preconfirm(t, tl)
			advance(t, tl, time.Hour)
			send(t, tl, accounts[0].pay(0, sink, 1))
		}, []uint64{3600}, time.Hour},
		{"interval from an empty flashblock of instant mode on", preconf.Config{Mode: control.Instant}, func(tl *preconf.Timeline) {
			preconfirm(t, tl)
			advance(t, tl, time.Hour)
			require.NoError(t, tl.Set(preconf.Mode(control.Interval)))
			advance(t, tl, 4*time.Second)
		}, []uint64{3602, 3604}, time.Hour + 4*time.Second},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			timeline := newTimeline(t, test.config)
			test.do(timeline)
			m := timeline.Moment()
			require.EqualValues(t, len(test.want), m.Latest().Number())
			for i, want := range test.want {
				v, err := m.ByNumber(uint64(i + 1))
				require.NoError(t, err)
				require.Equal(t, unix+want, v.Time(), "block %d", i+1)
			}
			require.Equal(t, start.Add(test.now), m.Now())
		})
	}
}

func TestTimeDoesNotGoBack(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	seal(t, timeline, 5)
	before := timeline.Moment()
	instant := newTimeline(t, preconf.Config{Mode: control.Instant})
	seal(t, instant, 1)
	unslotted := newTimeline(t, preconf.Config{BlockTime: 1500 * time.Millisecond})
	seal(t, unslotted, 1)
	for name, set := range map[string]func() error{
		"clock":            func() error { return timeline.SetTime(start.Add(9 * time.Second)) },
		"next block":       func() error { return timeline.Set(preconf.NextBlockTime(uint64(start.Unix()) + 10)) },
		"before the epoch": func() error { return timeline.SetTime(time.Unix(-5, 0)) },
		"next block at the head's time, instant": func() error {
			return instant.Set(preconf.NextBlockTime(uint64(start.Unix()) + 1))
		},
		"next block at the head's time, no slots": func() error {
			return unslotted.Set(preconf.NextBlockTime(unslotted.Moment().Latest().Time()))
		},
		"increase by less":   func() error { return timeline.IncreaseTime(-time.Second) },
		"block time of zero": func() error { return timeline.Set(preconf.BlockTime(0)) },
	} {
		require.Error(t, set(), name)
	}
	require.Same(t, before, timeline.Moment())
	require.NoError(t, timeline.SetTime(start.Add(10*time.Second)), "now is not back")
}
