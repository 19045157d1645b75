package world

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// TapEvent is something that passed over the wire, a clock that was moved, or a world that was made.
type TapEvent struct {
	jsonrpc.TapEvent
	// At is the time of the network's clock.
	At time.Time
	// Path is the network's: "/", "/testnet", "/w/NAME" or "/w/NAME/testnet".
	Path string
}

// TapClock is the kind of an event in which the clock of a network was moved, by the wall or by another network's
// message, before the message that follows.
const TapClock jsonrpc.TapKind = '='

// TapMade is the kind of an event in which a request made the world of a path: as a copy of the world at /, before the
// message that the request brings.
const TapMade jsonrpc.TapKind = '*'

// longestRest is how long RunTapped leaves the wall clock unread at most.
const longestRest = 200 * time.Millisecond

// turn lets the messages of all networks be answered one after another where Config.Tap is set. While RunTapped is
// active, clocks stand still during a message and follow the wall clock between messages. So the same messages at the
// same times of the clocks have the same answers.
type turn struct {
	mu   sync.Mutex // held by who has the turn
	runs bool       // RunTapped is active

	noting sync.Mutex
	noted  map[string]time.Time // the clock of each network, by path, when something was last noted about it; nil at first
}

// begin sets what the clocks of a new world are compared with.
func (t *turn) begin(w *World) {
	t.noting.Lock()
	defer t.noting.Unlock()
	if t.noted == nil {
		t.noted = make(map[string]time.Time)
	}
	for _, n := range w.networks() {
		t.noted[n.path()] = n.Timeline.Moment().Now()
	}
}

// networkTap is the jsonrpc.Tap of a network.
type networkTap struct{ network *Network }

// Begin waits for the turn and moves the clocks of the world to where the wall clock is.
func (t networkTap) Begin() { t.network.world.beginTurn(t.network) }

// End announces what has happened, and gives the turn away.
func (t networkTap) End() { t.network.world.endTurn() }

// Note reports an event.
func (t networkTap) Note(e jsonrpc.TapEvent) { t.network.note(e) }

// beginTurn waits for the turn and moves the world's clocks to where the wall clock is, for a message to asked; nil:
// for none.
func (w *World) beginTurn(asked *Network) {
	w.table.turn.mu.Lock()
	w.elapse()
	w.noteClocks(asked)
}

// endTurn announces what has happened in the world, and gives the turn away.
func (w *World) endTurn() {
	w.announce()
	w.table.turn.mu.Unlock()
}

// note reports an event of the network at its clock's time.
func (n *Network) note(e jsonrpc.TapEvent) {
	t := &n.world.table.turn
	t.noting.Lock()
	defer t.noting.Unlock()
	now := n.Timeline.Moment().Now()
	t.noted[n.path()] = now
	n.world.table.config.Tap(TapEvent{TapEvent: e, At: now, Path: n.path()})
}

// noteClocks reports the clocks of the world that were moved since something was last reported of their networks. It
// leaves out the network of the message that follows: that event has its clock's time.
func (w *World) noteClocks(asked *Network) {
	t := &w.table.turn
	for _, n := range w.networks() {
		if n == asked {
			continue
		}
		t.noting.Lock()
		last := t.noted[n.path()]
		t.noting.Unlock()
		if !last.Equal(n.Timeline.Moment().Now()) {
			n.note(jsonrpc.TapEvent{Kind: TapClock})
		}
	}
}

// announce sends the notifications of all that has happened in the world.
func (w *World) announce() {
	for _, n := range w.networks() {
		if n.connected.Load() {
			n.Streams.CatchUp(jsonrpc.AllConnections)
		}
	}
}

// elapse moves the clocks of the world to where the wall clock is, if RunTapped is active, and returns how long
// nothing is due. The caller has the turn.
func (w *World) elapse() (wait time.Duration) {
	wait = longestRest
	if !w.table.turn.runs {
		return wait
	}
	now := time.Now().Round(0) // without the monotonic clock: a computer that slept must catch up
	if w.elapsed.IsZero() {
		w.elapsed = w.created.Round(0)
	}
	passed := max(now.Sub(w.elapsed), 0)
	w.elapsed = now
	for _, n := range w.networks() {
		if n == w.l1 {
			continue // its clock is that of main
		}
		due, err := n.Timeline.Elapse(context.Background(), passed)
		switch {
		case err == nil:
			wait = min(wait, due)
		case !errors.Is(err, preconf.ErrManualClock):
			w.table.config.Log.Error("a clock stands still", "path", n.path(), "err", err)
		}
	}
	w.announce()
	return wait
}

// RunTapped lets the clocks of all networks follow the wall clock until ctx ends, in place of Timeline.Run and
// FollowWall, where Config.Tap is set.
func (t *Table) RunTapped(ctx context.Context) {
	t.turn.mu.Lock()
	t.turn.runs, t.World.elapsed = true, time.Now().Round(0)
	t.turn.mu.Unlock()
	defer func() {
		t.turn.mu.Lock()
		defer t.turn.mu.Unlock()
		t.turn.runs = false
	}()
	for wait := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		t.turn.mu.Lock()
		wait = t.World.elapse()
		for _, w := range t.Worlds() {
			if w.isWatched() {
				wait = min(wait, w.elapse())
			}
		}
		t.turn.mu.Unlock()
	}
}

// inTurn calls f in a turn of the world at /, where there are turns.
func (t *Table) inTurn(f func()) {
	if t.config.Tap == nil {
		f()
		return
	}
	t.World.beginTurn(nil)
	defer t.World.endTurn()
	f()
}
