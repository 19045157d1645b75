package preconf

import (
	"cmp"
	"crypto/rand"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/feed"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/preconf/pace"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Timeline is a chain node without its wire. It is safe for concurrent use: writers take turns, readers never wait.
type Timeline struct {
	*shared
	turn *turn // held while a writer works
}

// shared holds the state that a Timeline and the one inside its Atomically have in common. Writers change it.
type shared struct {
	cfg     *Config // never changed
	present atomic.Pointer[present]

	feeds     feed.Writer[Event]
	audience  feed.Audience // the Feeds that miss no flashblock
	filters   Filters
	begin     *Moment // for Reset
	instance  atomic.Pointer[common.Hash]
	keep      func(*Moment) // nil: nobody keeps Moments
	snapshots snapshots

	below *Timeline // the L1 below; nil: there is none
	above *shared   // of the L2 above; nil: there is none

	clockStops int                   // while it is not 0 the clock does not follow the wall clock
	followed   time.Time             // how far the clock has followed the wall clock; zero: it does not follow
	delay      time.Duration         // by how much later than told the clock began to follow
	pace       *pace.Pace[*Timeline] // also that of the L2 above
	lacking    remote.Lacking        // what the pool holds and cannot execute
}

// present holds the state that readers see. It is immutable but for replaced and next.
type present struct {
	moment   *Moment
	newest   *feed.Link[Event] // of the last event that led to moment
	recent   []*Flashblock     // that were announced last, oldest first
	past     []instant         // that readers who are behind see, oldest first; the last has the head and flashblock of moment
	replaced feed.Signal       // raised when next is set
	next     *present          // the one that replaced it
}

// New starts a Timeline on cfg.Chain. Nothing is pre-confirmed yet.
func New(cfg Config) (*Timeline, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	if cfg.Saved != nil {
		return restored(&cfg)
	}
	t := newTimeline(&cfg, cfg.first(), filter.New(cfg.Filters, cfg.Real))
	t.attach(cfg.Below)
	return t, nil
}

// first returns the Moment at which a timeline with this configuration, which is complete, begins.
func (c *Config) first() *Moment {
	head := c.Chain.Time(c.Chain.Head())
	now := head
	if c.Start.After(now) {
		now = c.Start
	}
	return newMoment(world{
		cfg:   c,
		chain: c.Chain,
		pool:  pool.Empty,
		control: control.Control{
			Clock: control.StartClock(now.UnixNano(), head.UnixNano(), c.BlockTime),
			Settings: control.Settings{
				Mode: c.Mode, BlockTime: c.BlockTime, GasLimit: c.GasLimit, Coinbase: cmp.Or(c.Chain.FirstCoinbase(), *cmp.Or(c.FeeRecipient, new(common.Address))),
			},
			Next:   control.Next{BaseFee: c.BaseFee},
			Faults: control.Faults{Lag: c.PendingLag}, Replicas: c.Replicas,
		},
		below: c.Below.moment(),
	})
}

func newTimeline(cfg *Config, m *Moment, set filter.Set) *Timeline {
	t := &Timeline{turn: new(turn), shared: &shared{
		cfg:     cfg,
		filters: Filters{set: set},
		begin:   m,
		pace:    &pace.Pace[*Timeline]{Wall: time.Now},
	}}
	t.filters.timeline = t
	t.renew()
	begin := new(feed.Link[Event])
	t.present.Store(&present{moment: m, newest: begin, past: remember(nil, instant{Moment: m, noted: set.Noted(), newest: t.passed(m, begin)})})
	return t
}

// Keep calls f with the present Moment and then with each further one, in order, until the next call of Keep; nil ends
// it. Writers wait for f, so it must return at once, and it must not write to the timeline. A Clone is not kept.
func (t *Timeline) Keep(f func(*Moment)) {
	t.turn.Lock()
	defer t.turn.Unlock()
	t.keep = f
	if f != nil {
		f(t.present.Load().kept())
	}
}

// Moment returns the node as it is now.
func (t *Timeline) Moment() *Moment { return t.present.Load().moment }

// Instance returns a number that is drawn anew for each timeline, and by each Reset and ResetTo.
func (t *Timeline) Instance() common.Hash { return *t.instance.Load() }

func (s *shared) renew() { s.instance.Store(new(crypto.Keccak256Hash([]byte(rand.Text())))) }

// Config returns the timeline's configuration, with defaults filled in.
func (t *Timeline) Config() Config { return *t.cfg }
