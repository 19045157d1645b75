package rpcserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"github.com/fakenode/fakenode/rpcserver/api"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/fakenode/fakenode/preconf"
)

// defaultWorlds is how many worlds there may be where Config.Worlds is zero.
const defaultWorlds = 1_000

// ErrNoWorlds is returned by NewWorld where Config switches worlds off, and after Close.
var ErrNoWorlds = errors.New("worlds are switched off")

// WorldNameError is returned for a name that no world can have.
type WorldNameError struct{ Name string }

func (e *WorldNameError) Error() string {
	return fmt.Sprintf("%q is no name of a world: want 1 to %d of A-Z, a-z, 0-9, _ and -", api.Excerpt(e.Name), maxWorldName)
}

// WorldExistsError is returned by NewWorld for a name that is in use.
type WorldExistsError struct{ Name string }

func (e *WorldExistsError) Error() string {
	return fmt.Sprintf("world %s exists already: close it, or choose another name", e.Name)
}

// UnknownWorldError is returned for a name that no world has.
type UnknownWorldError struct{ Name string }

func (e *UnknownWorldError) Error() string { return fmt.Sprintf("there is no world %s", e.Name) }

// WorldLimitError is returned by NewWorld when there are as many worlds as Config.Worlds allows.
type WorldLimitError struct{ Limit int }

func (e *WorldLimitError) Error() string {
	return fmt.Sprintf("cannot make another world: the limit is %d worlds, close those that are not needed", e.Limit)
}

// WorldOptions describe a new world.
type WorldOptions struct {
	// Name is what its path ends in: 1 to 64 letters, digits, underscores and hyphens. Empty: one that is free.
	Name string
	// Snapshot and TestnetSnapshot are the ids of snapshots that the networks of the world begin at. Nil: they begin as
	// they are now.
	Snapshot, TestnetSnapshot *uint64
}

// worldTable is the worlds of a server beside the one at /. Safe for concurrent use.
type worldTable struct {
	limit  int // 0: there are none
	auto   bool
	keeper Keeper // nil: worlds are not kept

	mu     sync.RWMutex
	byName map[string]*World // nil before the first
	closed bool
	named  uint64 // names made up so far

	spread    float64         // of which the part after the point is the lag of the world that followed last, see follow
	followers int             // calls of FollowWall that were not ended
	wall      context.Context // ends with the last of them
	stop      context.CancelFunc
}

// newWorldTable returns the table that config asks for.
func newWorldTable(config *Config) worldTable {
	return worldTable{limit: config.worldLimit(), auto: config.AutoWorlds, keeper: config.Keeper}
}

// worldLimit returns how many worlds there may be beside the one at /.
func (c *Config) worldLimit() int {
	if c.Disabled != nil && c.Disabled("fakenode_newWorld") {
		return 0
	}
	return max(cmp.Or(c.Worlds, defaultWorlds), 0)
}

// NewWorld makes an independent copy of a world, by default as it is now, and serves it at a path of its own. The copy
// has no snapshots, filters, faults and journal yet. Errors: *WorldNameError, *WorldExistsError, *WorldLimitError,
// *preconf.UnknownSnapshotError, ErrNoWorlds.
func (s *Server) NewWorld(of *World, o WorldOptions) (*World, error) {
	if err := s.worlds.admit(o.Name); err != nil { // before the work
		return nil, err
	}
	main, err := of.main.network.copyAt(o.Snapshot)
	if err != nil {
		return nil, err
	}
	var testnet *Network
	if of.testnet != nil {
		if testnet, err = of.testnet.network.copyAt(o.TestnetSnapshot); err != nil {
			return nil, err
		}
	}
	s.worlds.mu.Lock()
	defer s.worlds.mu.Unlock()
	if err := s.worlds.admitLocked(o.Name); err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = s.worlds.freeName()
	}
	w := s.newWorld(o.Name, main, testnet)
	s.worlds.add(w)
	if s.worlds.keeper != nil {
		for i, n := range w.networks() {
			name := [...]NetworkName{Main, Testnet}[i]
			s.worlds.keeper.Keep(n.Timeline, of.Timeline(name), w.name, string(name), w.created)
		}
	}
	if s.worlds.followers > 0 {
		s.follow(w)
	}
	return w, nil
}

// Resume serves a world of an earlier Server, with the name and the time of making that it had, even if there are more
// then than Config.Worlds allows. It must be called before FollowWall. Errors: *WorldNameError, *WorldExistsError,
// ErrNoWorlds.
func (s *Server) Resume(name string, made time.Time, main, testnet *preconf.Timeline) (*World, error) {
	s.worlds.mu.Lock()
	defer s.worlds.mu.Unlock()
	var full *WorldLimitError
	if err := s.worlds.admitLocked(name); err != nil && !errors.As(err, &full) {
		return nil, err
	}
	w := s.newWorld(name, s.World.main.network.copied(main), s.World.testnet.network.copied(testnet))
	w.created = made
	s.worlds.add(w)
	return w, nil
}

// copyAt returns an independent copy of the network as it is now, or as it was at a snapshot.
func (n *Network) copyAt(snapshot *uint64) (*Network, error) {
	if snapshot == nil {
		return n.copied(n.Timeline.Copy()), nil
	}
	timeline, err := n.Timeline.CopyAt(*snapshot)
	if err != nil {
		return nil, err
	}
	return n.copied(timeline), nil
}

// Lookup returns the world of that name. Error: *UnknownWorldError.
func (s *Server) Lookup(name string) (*World, error) {
	s.worlds.mu.RLock()
	defer s.worlds.mu.RUnlock()
	if w := s.worlds.byName[name]; w != nil {
		return w, nil
	}
	return nil, &UnknownWorldError{name}
}

// Worlds returns the worlds beside the one at /, oldest first.
func (s *Server) Worlds() []*World {
	s.worlds.mu.RLock()
	defer s.worlds.mu.RUnlock()
	return slices.SortedFunc(maps.Values(s.worlds.byName), func(a, b *World) int {
		return cmp.Or(a.created.Compare(b.created), cmp.Compare(a.name, b.name))
	})
}

// CloseWorld ends a world that NewWorld made: its WebSocket connections are closed with a reason, its paths lead
// nowhere, and its name is free. Requests under way are answered. Closing again does nothing.
func (s *Server) CloseWorld(w *World) {
	if s.worlds.remove(w) {
		w.end()
		for _, n := range w.networks() {
			if s.worlds.keeper != nil {
				s.worlds.keeper.Forget(n.Timeline)
			}
		}
	}
}

// open returns the world of that name, a copy of the world at / if there is none.
func (s *Server) open(name string) (*World, error) {
	if w, err := s.Lookup(name); err == nil {
		return w, nil
	}
	w, err := s.NewWorld(s.World, WorldOptions{Name: name})
	var exists *WorldExistsError
	if errors.As(err, &exists) { // another request was faster
		return s.Lookup(name)
	}
	return w, err
}

// admit returns why there cannot be a new world of that name, which may be empty, or nil.
func (t *worldTable) admit(name string) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.admitLocked(name)
}

// admitLocked is admit; the caller holds mu.
func (t *worldTable) admitLocked(name string) error {
	switch {
	case t.limit == 0 || t.closed:
		return ErrNoWorlds
	case name != "" && !isWorldName(name):
		return &WorldNameError{name}
	case t.byName[name] != nil:
		return &WorldExistsError{name}
	case len(t.byName) >= t.limit:
		return &WorldLimitError{t.limit}
	}
	return nil
}

// freeName makes up a name that no world has; the caller holds mu.
func (t *worldTable) freeName() string {
	for {
		t.named++
		if name := "world-" + strconv.FormatUint(t.named, 10); t.byName[name] == nil {
			return name
		}
	}
}

// add puts in a world that was admitted; the caller holds mu.
func (t *worldTable) add(w *World) {
	if t.byName == nil {
		t.byName = make(map[string]*World)
	}
	t.byName[w.name] = w
}

// remove takes the world out and reports whether it was there.
func (t *worldTable) remove(w *World) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byName[w.name] != w {
		return false
	}
	delete(t.byName, w.name)
	return true
}

// close lets no further worlds in, and the clocks of all rest.
func (t *worldTable) close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.rest()
}
