package world

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Options describe a new world.
type Options struct {
	// Name ends its path: 1 to 64 letters, digits, underscores and hyphens. Empty: a free one.
	Name string
	// Snapshot and TestnetSnapshot are snapshots at which the networks begin. Nil: they begin at present.
	Snapshot, TestnetSnapshot *uint64
	// Owner names, in up to 128 bytes, the one who has the world: Limits.PerOwner bounds how many. Empty: nobody.
	Owner string
	// TTL is the time after which an idle world ends by itself, 1 s or more by the wall clock, which runs while there is
	// no request to it and no WebSocket connection. Zero: Limits.TTL.
	TTL time.Duration
}

// Keeper keeps the networks of worlds in a file. Its methods must return at once.
type Keeper interface {
	// Keep keeps a timeline, copied from source as a network of a world made then, before any request reaches it.
	Keep(copied, source *preconf.Timeline, world, network string, made time.Time, owner string, ttl time.Duration)
	// Forget is called when the world of a timeline has been closed.
	Forget(*preconf.Timeline)
}

// Limits bound the worlds of a server.
type Limits struct {
	// Count is the number of worlds that there may be besides the networks at /, made by NewWorld, fakenode_newWorld and
	// requests to /1, /2 and so on. Zero: 1,000; negative: none. Those that a file keeps are served even if they are more,
	// and stay in it where there are none.
	Count int
	// Auto lets the first call to a path /w/NAME make the world NAME. False: that call is answered with 404.
	Auto bool
	// PerOwner is the number of worlds that one owner may have. Zero: any.
	PerOwner int
	// TTL is Options.TTL where it is zero. Zero: idle worlds stay.
	TTL time.Duration
}

// Config configures a Table.
type Config struct {
	// Serve fills in n, a network of a new world, which serves timeline. It leaves Connect's fields empty.
	Serve func(n *Network, timeline *preconf.Timeline)
	// Connect makes the Endpoint, Streams and Feed of n. It is called once, before the first request reaches n.
	Connect func(n *Network)
	// Limits bound the worlds besides the one at /. A Count of zero: there are none. With a Tap idle worlds stay.
	Limits
	// Keeper keeps worlds in a file. Nil: they are not kept.
	Keeper Keeper
	// Tap sees the messages. Nil: nobody does, and messages are answered concurrently.
	Tap Tap
	// Watch is called with each network when it is made, also of the world at /, before any request reaches it. The
	// function that it returns is called when the network is closed; it may wait. Nil: not called.
	Watch func(timeline *preconf.Timeline, at Path) (end func())
	// Log gets errors of clocks. It must be set.
	Log *slog.Logger
}

// Table holds the worlds of a server. It is safe for concurrent use.
type Table struct {
	*World // the one at /
	config Config

	mu     sync.RWMutex
	byName map[string]*World // except the one at /
	closed bool
	named  uint64 // names made up so far

	spread    float64         // its fraction is the lag of the world that followed last, see follow
	followers int             // calls of FollowWall that were not ended
	wall      context.Context // ends with the last of them
	stop      context.CancelFunc
}

// NewTable returns a table with only the world at /. Its test network is absent if testnet is nil.
func NewTable(config Config, main, testnet *preconf.Timeline) *Table {
	t := &Table{config: config, byName: make(map[string]*World)}
	t.World = t.newWorld("", main, testnet)
	return t
}

// newWorld makes a world that has no path yet.
func (t *Table) newWorld(name string, main, testnet *preconf.Timeline) *World {
	w := &World{table: t, Name: name, Created: time.Now()}
	w.main = w.serve(Main, main)
	if testnet != nil {
		w.testnet = w.serve(Testnet, testnet)
	}
	if l1 := main.Below(); l1 != nil {
		w.l1 = w.serve(L1, l1)
	}
	return w
}

// NewWorld makes an independent copy of a world, by default as it is now, and serves it at a path of its own. The copy
// has no snapshots, filters, faults and journal yet. The error is a *NameError, *LeaseError, *ExistsError, *LimitError
// or ErrNoWorlds, or reports that there is no such snapshot.
func (t *Table) NewWorld(of *World, o Options) (*World, error) {
	main, err := of.main.copyAt(o.Snapshot)
	if err != nil {
		return nil, err
	}
	var testnet *preconf.Timeline
	if of.testnet != nil {
		if testnet, err = of.testnet.copyAt(o.TestnetSnapshot); err != nil {
			return nil, err
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.admit(o); err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = t.freeName()
	}
	w := t.newWorld(o.Name, main, testnet)
	t.add(w, o)
	if t.config.Keeper != nil {
		for _, n := range w.networks() {
			t.config.Keeper.Keep(n.Timeline, of.Timeline(n.Name), w.Name, string(n.Name), w.Created, w.Owner, w.TTL)
		}
	}
	if t.followers > 0 {
		t.follow(w)
	}
	return w, nil
}

// Resume serves a world of an earlier server under its old name, with its old owner and time of making, even if there
// are then more worlds than Config.Count or PerOwner allow. It must be called before FollowWall. Errors: *NameError,
// *LeaseError, *ExistsError, ErrNoWorlds.
func (t *Table) Resume(o Options, made time.Time, main, testnet *preconf.Timeline) (*World, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.admit(o); err != nil && !errors.As(err, new(*LimitError)) {
		return nil, err
	}
	w := t.newWorld(o.Name, main, testnet)
	w.Created = made
	t.add(w, o)
	return w, nil
}

// Lookup returns the world of that name. Error: *UnknownError.
func (t *Table) Lookup(name string) (*World, error) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if w := t.byName[name]; w != nil {
		return w, nil
	}
	return nil, &UnknownError{name}
}

// Worlds returns all worlds except the one at /, oldest first.
func (t *Table) Worlds() []*World {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return slices.SortedFunc(maps.Values(t.byName), func(a, b *World) int {
		return cmp.Or(a.Created.Compare(b.Created), cmp.Compare(a.Name, b.Name))
	})
}

// CloseWorld ends a world that NewWorld made: its WebSocket connections are closed with a reason, its paths lead
// nowhere, and its name is free. Requests under way are answered. Closing again does nothing.
func (t *Table) CloseWorld(w *World) {
	if t.remove(w) {
		w.stop()
		w.end()
		for _, n := range w.networks() {
			n.unwatch()
			if t.config.Keeper != nil {
				t.config.Keeper.Forget(n.Timeline)
			}
		}
	}
}

// Tap is called with each network that is being made, and returns what sees its messages.
type Tap func(*Network) jsonrpc.Tap

// TapMade is the kind of an event in which a request made the world of a path, before the message that it brings.
const TapMade jsonrpc.TapKind = '*'

// open returns the world of that name, a copy of the world at / if there is none. A tap has it in a turn of its own.
func (t *Table) open(name string) (*World, error) {
	if tap := t.main.Tap; tap != nil {
		tap.Begin()
		defer tap.End()
	}
	if w, err := t.Lookup(name); err == nil {
		return w, nil
	}
	w, err := t.NewWorld(t.World, Options{Name: name})
	switch {
	case errors.As(err, new(*ExistsError)): // another request was faster
		return t.Lookup(name)
	case err == nil && w.main.Tap != nil:
		w.main.Tap.Note(jsonrpc.TapEvent{Kind: TapMade})
	}
	return w, err
}

// admit returns the reason why there cannot be a new world of that kind, whose name may be empty, or nil; the caller
// holds mu.
func (t *Table) admit(o Options) error {
	switch err := checkLease(o.Owner, o.TTL); {
	case t.config.Count == 0 || t.closed:
		return ErrNoWorlds
	case o.Name != "" && !nameForm.MatchString(o.Name):
		return &NameError{o.Name}
	case err != nil:
		return err
	case t.byName[o.Name] != nil:
		return &ExistsError{o.Name}
	case len(t.byName) >= t.config.Count:
		return &LimitError{Limit: t.config.Count}
	case o.Owner != "" && t.config.PerOwner > 0 && t.owned(o.Owner) >= t.config.PerOwner:
		return &LimitError{t.config.PerOwner, o.Owner}
	}
	return nil
}

// freeName makes up a name that no world has; the caller holds mu.
func (t *Table) freeName() string {
	for {
		t.named++
		if name := "world-" + strconv.FormatUint(t.named, 10); t.byName[name] == nil {
			return name
		}
	}
}

// add adds a world that was admitted, and lets its time to live run; the caller holds mu.
func (t *Table) add(w *World, o Options) {
	w.Owner = o.Owner
	if t.config.Tap == nil { // a recording has no such event
		w.TTL = cmp.Or(o.TTL, t.config.TTL)
	}
	w.start(func() { t.CloseWorld(w) })
	t.byName[w.Name] = w
}

// remove removes the world and reports whether it was there.
func (t *Table) remove(w *World) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.byName[w.Name] != w {
		return false
	}
	delete(t.byName, w.Name)
	return true
}

// Unwatch calls the functions that Config.Watch returned. It is for when no more requests come.
func (t *Table) Unwatch() {
	for _, w := range append(t.Worlds(), t.World) {
		for _, n := range w.networks() {
			n.unwatch()
		}
	}
}

// Close admits no further worlds, and stops the clocks of all.
func (t *Table) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.rest()
	for _, w := range append(slices.Collect(maps.Values(t.byName)), t.World) {
		w.stop()
		for _, n := range w.served() {
			_ = n.Story.Close()
		}
	}
}

// FollowWall lets the real clocks of all worlds except the one at / follow the wall clock until the function it returns
// is called: by a timer while clients wait for events, else when the world gets a request.
func (t *Table) FollowWall() (rest func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.followers++; t.followers == 1 {
		t.wall, t.stop = context.WithCancel(context.Background())
		for _, w := range t.byName {
			t.follow(w)
		}
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.followers--; t.followers == 0 {
			t.rest()
		}
	}
}

// goldenRatio spreads its multiples evenly between whole numbers.
const goldenRatio = 0.6180339887498949

// follow lets the clocks of a world follow the wall clock; the caller holds the mutex of the table. Each world begins
// later by another part of a flashblock's time: worlds that make flashblocks at the same moment would wait for each
// other.
func (t *Table) follow(w *World) {
	t.spread += goldenRatio
	_, part := math.Modf(t.spread)
	for _, n := range w.networks() {
		delay := time.Duration(part * float64(max(n.Timeline.Config().FlashblockTime, 0)))
		// The error is that the clock is manual: it moves on command only.
		_ = n.Timeline.Follow(t.wall, delay, func(err error) {
			t.config.Log.Error("the clock of a world stands still", "world", w.Name, "chain", n.ChainID(), "err", err)
		})
	}
}

// rest stops the clocks of all worlds; the caller holds mu.
func (t *Table) rest() {
	if t.stop != nil {
		t.stop()
	}
	for _, w := range t.byName {
		for _, n := range w.networks() {
			n.Timeline.Rest()
		}
	}
}
