package preconf_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// asked is a context that answers for itself whether it is done.
type asked struct {
	context.Context
	done func() error
}

func (a asked) Err() error { return a.done() }

// times is a context that is done once it was asked n times.
func times(n int) context.Context {
	return asked{context.Background(), func() error {
		if n == 0 {
			return context.Canceled
		}
		n--
		return nil
	}}
}

// Sealing and advancing end with their context, between two blocks or flashblocks; what was made stays.
func TestLongWorkEndsWithItsContext(t *testing.T) {
	t.Parallel()
	timeline := newTimeline(t, preconf.Config{})
	hashes, err := timeline.SealContext(times(3), 1_000_000)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, hashes, 3)
	require.EqualValues(t, 3, timeline.Moment().Latest().Number())

	for name, c := range map[string]struct {
		cfg    preconf.Config
		blocks uint64
		last   int // flashblock
		at     time.Duration
	}{
		"blocks alone":      {preconf.Config{NoPreconf: true}, 7, -1, 14 * time.Second},
		"flashblocks alone": {preconf.Config{BlockTime: 1000 * time.Hour, FlashblockTime: time.Millisecond}, 0, 6, 7 * time.Millisecond},
		"both":              {preconf.Config{BlockTime: time.Second, FlashblockTime: 500 * time.Millisecond}, 3, 1, 3500 * time.Millisecond},
	} {
		timeline := newTimeline(t, c.cfg)
		feed := timeline.Subscribe()
		_, err := timeline.AdvanceContext(times(7), 900*time.Second)
		feed.Close()
		require.ErrorIs(t, err, context.Canceled, name)
		require.Equal(t, preconf.Progress{Time: start.Add(c.at), BlockNumber: c.blocks, FlashblockIndex: c.last}, advance(t, timeline, 0), name)
	}
}

// Ensure an Advance that would take hours is rejected with how much it would make, and changes nothing, and one that
// makes no blocks is not.
func TestAdvanceIsBounded(t *testing.T) {
	t.Parallel()
	const century = 100 * 365 * 24 * time.Hour
	seconds := newTimeline(t, preconf.Config{BlockTime: time.Hour, NoPreconf: true})
	require.ErrorContains(t, seconds.Set(preconf.TimestampInterval(new(uint64))), "interval of 0 seconds")
	require.NoError(t, seconds.Set(preconf.TimestampInterval(new(uint64(1)))), "which is the distance of slots from now on")
	for want, c := range map[string]struct {
		timeline *preconf.Timeline
		by       time.Duration
	}{
		"flashblocks and blocks, the limit is 15000000":          {newTimeline(t, preconf.Config{}), century},
		"would make 15000001 flashblocks":                        {seconds, 15_000_001 * time.Second},
		"1001000 flashblocks of one block, the limit is 1000000": {newTimeline(t, preconf.Config{BlockTime: 1000 * time.Hour, FlashblockTime: time.Millisecond}), 1001 * time.Second},
	} {
		before := c.timeline.Moment()
		_, err := c.timeline.Advance(c.by)
		require.ErrorContains(t, err, want)
		require.Same(t, before, c.timeline.Moment())
	}
	require.EqualValues(t, 5, advance(t, seconds, 5*time.Second).BlockNumber)
	advance(t, newTimeline(t, preconf.Config{Mode: control.Instant}), century)
}

// A transaction of a block that the clock made was at pending for a flashblock time at least, and it was there within a
// flashblock time of being sent; on an OP-stack chain, whose blocks begin with a flashblock of deposits alone, within
// two.
func TestClockSealsWhatWasPreconfirmed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cfg     preconf.Config
		rollup  bool
		slowest time.Duration // from being sent to pending
	}{
		"by default":                 {preconf.Config{}, false, 200 * time.Millisecond},
		"blocks of a second":         {preconf.Config{BlockTime: time.Second}, false, 200 * time.Millisecond},
		"a tick short of the block":  {preconf.Config{BlockTime: time.Second, FlashblockTime: 300 * time.Millisecond}, false, 400 * time.Millisecond},
		"one flashblock a block":     {preconf.Config{BlockTime: time.Second, FlashblockTime: 3 * time.Second}, false, time.Second},
		"OP stack":                   {preconf.Config{}, true, 400 * time.Millisecond},
		"OP stack, one flashblock":   {preconf.Config{FlashblockTime: 2 * time.Second}, true, 2 * time.Second},
		"OP stack, blocks of 500 ms": {preconf.Config{BlockTime: 500 * time.Millisecond}, true, 500 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeline := newTimeline(t, c.cfg)
			if c.rollup {
				timeline = newJovian(t, c.cfg)
			}
			feed := timeline.Subscribe()
			defer feed.Close()
			drawn := rand.New(rand.NewPCG(1, 2))
			sent, seen := make(map[common.Hash]time.Time), make(map[common.Hash]time.Time)
			sealed, shortest := 0, min(c.slowest, 200*time.Millisecond)
			for nonce := uint64(0); timeline.Moment().Latest().Number() < 8; {
				if drawn.IntN(5) == 0 {
					tx := accounts[0].emit(nonce, 1, 1)
					send(t, timeline, tx)
					sent[tx.Hash()] = timeline.Moment().Now()
					nonce++
				}
				advance(t, timeline, time.Duration(1+drawn.IntN(40))*time.Millisecond/4)
				now := timeline.Moment().Now()
				for {
					e, err := feed.Poll()
					require.NoError(t, err)
					if e == nil {
						break
					}
					switch e.Kind {
					case preconf.FlashblockAdded:
						for _, tx := range e.Flashblock.Transactions {
							if at, ours := sent[tx.Hash()]; ours {
								seen[tx.Hash()] = now
								require.LessOrEqual(t, now.Sub(at), c.slowest+10*time.Millisecond)
							}
						}
					case preconf.HeadAdded:
						for _, tx := range e.View.Transactions() {
							if _, ours := sent[tx.Hash()]; ours {
								require.Contains(t, seen, tx.Hash())
								require.GreaterOrEqual(t, now.Sub(seen[tx.Hash()]), shortest-10*time.Millisecond)
								sealed++
							}
						}
					}
				}
			}
			require.Greater(t, sealed, 15)
		})
	}
}

// A jump makes one block at the time it goes to, of what was waiting; the slots go on from there. One that cannot be
// made changes nothing.
func TestJumpSealsOneBlock(t *testing.T) {
	t.Parallel()
	const month = 30 * 24 * time.Hour
	for name, c := range map[string]struct {
		timeline    *preconf.Timeline
		block, next time.Duration // the clock at the block jumped to, and at the one after
	}{
		"slots":        {newTimeline(t, preconf.Config{}), month + time.Second, month + 3*time.Second},
		"no preconf":   {newTimeline(t, preconf.Config{NoPreconf: true}), month + time.Second, month + 3*time.Second},
		"optimism":     {newJovian(t, preconf.Config{}), month + time.Second, month + 3*time.Second},
		"fixed 200 ms": {newDenim(t, preconf.Config{}), month + 600*time.Millisecond, month + 800*time.Millisecond},
		"instant":      {newTimeline(t, preconf.Config{Mode: control.Instant}), month + 500*time.Millisecond, month + time.Second},
	} {
		at := func() time.Duration { return c.timeline.Moment().Now().Sub(start) }
		before := c.timeline.Moment().Latest().Number()
		p, err := c.timeline.Jump(month + 500*time.Millisecond)
		require.NoError(t, err, name)
		require.Equal(t, before+1, p.BlockNumber, name)
		require.Equal(t, c.block, at(), name)
		_, err = c.timeline.Seal(1)
		require.NoError(t, err, name)
		require.Equal(t, c.next, at(), name)

		moment := c.timeline.Moment()
		_, err = c.timeline.Jump(-1)
		require.ErrorContains(t, err, "-1ns", name)
		_, err = c.timeline.Jump(200 * 365 * 24 * time.Hour)
		var late *control.TimeError
		require.ErrorAs(t, err, &late, name)
		require.Same(t, moment, c.timeline.Moment(), name)
	}
}

// A long Advance of idle time ends as if each flashblock were made: blocks, state, clock, filters, the flashblocks that
// are remembered, and what happens from then on. A transaction sent on the way is in flashblocks as ever.
func TestIdleTimeLeavesWhatItLeavesStepByStep(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	jovian := func(t testing.TB, cfg preconf.Config) *preconf.Timeline {
		return newJovian(t, cfg)
	}
	on := func(fork string, o chain.Options) func(testing.TB, preconf.Config) *preconf.Timeline {
		return func(t testing.TB, cfg preconf.Config) *preconf.Timeline {
			g := *genesis
			config, err := chain.ForkConfig(fork, 31337)
			require.NoError(t, err)
			g.Config, g.Alloc = config, maps.Clone(g.Alloc)
			maps.Copy(g.Alloc, chain.SystemContracts(config))
			cfg.Chain, err = chain.New(&g, o)
			require.NoError(t, err)
			return newTimeline(t, cfg)
		}
	}
	for name, c := range map[string]struct {
		cfg     preconf.Config
		begin   func(testing.TB, preconf.Config) *preconf.Timeline // nil: newTimeline
		prepare func(*preconf.Timeline)
	}{
		"by default":                   {},
		"no flashblocks":               {cfg: preconf.Config{NoPreconf: true}},
		"flashblock and block at once": {cfg: preconf.Config{BlockTime: time.Second, FlashblockTime: time.Second}},
		"Denim":                        {begin: newDenim},
		"Denim with an L1 of other fees": {begin: newDenim, prepare: func(timeline *preconf.Timeline) {
			_, err := timeline.SetL1(func(l1 *optimism.L1) error {
				l1.OperatorFeeConstant, l1.BlobBaseFee = 7, uint256.Int{}
				return nil
			})
			require.NoError(t, err)
		}},
		"Amsterdam":                    {begin: on("amsterdam", chain.Options{})},
		"States that remember changes": {begin: on("osaka", chain.Options{Track: true})},
		"blocks of 12 s":               {cfg: preconf.Config{BlockTime: 12 * time.Second}},
		"odd flashblocks":              {cfg: preconf.Config{BlockTime: time.Second, FlashblockTime: 300 * time.Millisecond}},
		"one flashblock":               {cfg: preconf.Config{FlashblockTime: time.Second}},
		"off the seconds":              {cfg: preconf.Config{BlockTime: 1500 * time.Millisecond}},
		"a pending hash":               {cfg: preconf.Config{Behaviour: preconf.Behaviour{PendingHash: preconf.HashSoFar}}},
		"OP stack":                     {begin: jovian},
		"OP stack of 1 s":              {cfg: preconf.Config{BlockTime: time.Second}, begin: jovian},
		"a fault in the midst": {prepare: func(timeline *preconf.Timeline) {
			fault(t, timeline, control.FlashblockFault{Kind: control.StallFlashblocks, Count: 55})
		}},
		"late blocks": {prepare: func(timeline *preconf.Timeline) {
			fault(t, timeline, control.FlashblockFault{Kind: control.LateBlock, Count: 5})
		}},
		"dropped flashblocks": {prepare: func(timeline *preconf.Timeline) {
			fault(t, timeline, control.FlashblockFault{Kind: control.DropFlashblocks})
		}},
		"a transaction that waits": {prepare: func(timeline *preconf.Timeline) {
			require.NoError(t, timeline.Hold(control.Hold{Senders: []common.Address{accounts[0].address}, For: 100 * time.Second}))
			send(t, timeline, accounts[0].emit(0, 1, 1))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := func(read bool) string {
				begin := newTimeline
				if c.begin != nil {
					begin = c.begin
				}
				timeline := begin(t, c.cfg)
				if read {
					defer timeline.Subscribe().Close()
				}
				id := newBlockFilter(t, timeline)
				advance(t, timeline, 3*time.Second)
				if c.prepare != nil {
					c.prepare(timeline)
				}
				var left strings.Builder
				for _, d := range []time.Duration{laboratory.Budget(t, 120*time.Second, 700*time.Second), 333 * time.Millisecond, 30 * time.Second} {
					p := advance(t, timeline, d)
					feed, recent := timeline.SubscribeAs(preconf.Reader{})
					m := timeline.Moment()
					state, err := m.Pending().State()
					require.NoError(t, err)
					changes, err := timeline.Filters().Changes(id, preconf.Lag{})
					require.NoError(t, err)
					for n := m.Latest().Number(); n > 0; n -= min(n, 61) {
						block, err := m.ByNumber(n)
						require.NoError(t, err)
						state, err := block.State()
						require.NoError(t, err)
						require.Equal(t, block.Header().Root, state.Root())
						receipts, err := json.Marshal(block.Receipts())
						require.NoError(t, err)
						fmt.Fprintln(&left, n, block.Hash(), block.Time(), block.Count(), string(receipts))
						for i, tx := range block.Transactions() {
							encoded, err := tx.MarshalBinary()
							require.NoError(t, err)
							found, err := m.Find(tx.Hash())
							require.NoError(t, err)
							fmt.Fprintln(&left, block.Sender(i), tx.Nonce(), encoded, found.Index)
						}
					}
					fmt.Fprintln(&left, p, m.Latest().Hash(), state.Commit().Root(), m.Pending().Hash(), changes.Hashes)
					for _, f := range recent {
						fmt.Fprintln(&left, f.Number, f.Index, f.Previous, f.First, len(f.Transactions))
					}
					advance(t, timeline, 5*time.Second)
					for e, _ := feed.Poll(); e != nil; e, _ = feed.Poll() {
						fmt.Fprintln(&left, e.Kind, e.View.Number(), e.View.Hash(), e.View.FlashblockIndex())
					}
					feed.Close()
				}
				return left.String()
			}
			require.Equal(t, run(true), run(false))
		})
	}
}
