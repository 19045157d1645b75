package preconf

import (
	"sync/atomic"
	"time"

	"github.com/benbjohnson/immutable"
	"github.com/ethereum/go-ethereum/common"
)

// Timeline is a chain node without its wire. It is safe for concurrent use: writers take turns, readers never wait.
type Timeline struct {
	*shared
	turn *turn // held while a writer works
}

// shared is what a Timeline and the one inside its Atomically share. It is changed in the turn of a writer.
type shared struct {
	cfg     *Config // never changed
	present atomic.Pointer[present]

	feeds     feeds
	filters   *filters
	begin     *Moment // for Reset
	snapshots snapshots
}

// present is what readers see. It is immutable.
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
		dropped:      emptyDropLog,
	}), noFilters), nil
}

func newTimeline(cfg *Config, m *Moment, set filterSet) *Timeline {
	t := &Timeline{turn: new(turn), shared: &shared{
		cfg:       cfg,
		filters:   newFilters(cfg, set),
		begin:     m,
		snapshots: noSnapshots,
	}}
	t.present.Store(&present{moment: m, newest: newLink(nil), replaced: make(chan struct{})})
	return t
}

// Moment returns the node as it is now.
func (t *Timeline) Moment() *Moment { return t.present.Load().moment }

// Config returns what the timeline was made with, defaults filled in.
func (t *Timeline) Config() Config { return *t.cfg }
