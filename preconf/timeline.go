package preconf

import (
	"cmp"
	"sync"
	"sync/atomic"
	"time"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// Timeline is a chain node without its wire. It is safe for concurrent use:
// writers take turns, readers never wait.
type Timeline struct {
	*shared
	turn sync.Locker // held while a writer works; inside Atomically the writer has it already
}

// shared is what a Timeline and the one inside its Atomically share.
type shared struct {
	cfg     *Config // never changed
	present atomic.Pointer[present]

	feeds        feeds
	begin        *Moment            // for Reset
	snapshots    map[uint64]*Moment // nil before the first
	lastSnapshot uint64
}

// present is what readers see. Immutable.
type present struct {
	moment   *Moment
	newest   *link         // of the last event that led to moment
	replaced chan struct{} // closed when the next present is there
}

// nobody is the empty set of addresses.
var nobody = immutable.NewMap[common.Address, struct{}](addressHasher{})

// New starts a Timeline on cfg.Chain. Nothing is pre-confirmed yet.
func New(cfg Config) (*Timeline, error) {
	cfg, err := cfg.complete()
	if err != nil {
		return nil, err
	}
	now := time.Unix(int64(cfg.Chain.Head().Time()), 0)
	if cfg.Start.After(now) {
		now = cfg.Start
	}
	return newTimeline(&cfg, newMoment(world{
		cfg:          &cfg,
		chain:        cfg.Chain,
		pool:         emptyPool,
		clock:        startClock(now.UnixNano(), cfg.Chain.Head().Time(), cfg.BlockTime),
		settings:     settings{mode: cfg.Mode, blockTime: cfg.BlockTime},
		faults:       faults{lag: cfg.PendingLag},
		impersonated: nobody,
		filters:      immutable.NewSortedMap[uint64, *filter](nonceOrder{}),
		dropped:      emptyDropLog,
	})), nil
}

func newTimeline(cfg *Config, m *Moment) *Timeline {
	t := &Timeline{turn: new(sync.Mutex), shared: &shared{
		cfg:   cfg,
		begin: m,
	}}
	t.present.Store(&present{moment: m, newest: newLink(nil), replaced: make(chan struct{})})
	return t
}

// Moment is the node as it is now.
func (t *Timeline) Moment() *Moment { return t.present.Load().moment }

// Config is what the timeline was made with, defaults filled in.
func (t *Timeline) Config() Config { return *t.cfg }

// world is all that a node remembers, as one value: keeping a copy is a
// snapshot, putting it back a revert. All it points to is immutable.
type world struct {
	cfg *Config

	chain *chain.Chain // sealed and announced
	late  *late        // a sealed block that is not announced yet; nil: none
	tip   *slice       // newest flashblock of the block being built; nil: none

	pool    pool
	arrived int64 // arrivals so far
	front   int64 // the lowest arrival given out, at most 0
	dropped dropLog

	clock    clock
	settings settings
	next     overrides
	faults   faults

	safe, finalized *uint64 // as set by number; nil: behind the head by the lag
	final           uint64  // what reorgs left finalized, however far behind the head
	reorgs          uint64  // makes the blocks of each branch differ
	edited          bool    // EditState was called

	impersonated   *immutable.Map[common.Address, struct{}]
	impersonateAll bool

	filters    *immutable.SortedMap[uint64, *filter]
	lastFilter uint64
}

// change is one writer's turn: a working copy of the world and the events that
// tell of the difference.
type change struct {
	world
	timeline *Timeline
	events   []*Event
}

// change runs f on a copy of the world and publishes it unless f fails; then
// all that f did since it last published itself is forgotten.
func (t *Timeline) change(f func(*change) error) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	c := &change{world: t.Moment().world, timeline: t}
	if err := f(c); err != nil {
		return err
	}
	c.publish()
	return nil
}

// set is change for what cannot fail.
func (t *Timeline) set(f func(*change)) {
	_ = t.change(func(c *change) error { f(c); return nil })
}

// publish shows readers the world as it is, then tells them what happened.
func (c *change) publish() {
	c.timeline.show(newMoment(c.world), c.events)
	c.events = nil
}

// show makes m what readers see, then tells feeds of the events that led to it.
// Caller holds mu.
func (t *Timeline) show(m *Moment, events []*Event) {
	t.feeds.cut()
	first, last := t.feeds.list(events)
	was := t.present.Load()
	t.present.Store(&present{moment: m, newest: cmp.Or(last, was.newest), replaced: make(chan struct{})})
	if first != nil {
		was.newest.follow(first)
	}
	close(was.replaced)
}

// emit tells filters and, at the next publish, feeds.
func (c *change) emit(e *Event) {
	c.filters = noteAll(c.filters, e)
	c.events = append(c.events, e)
}
