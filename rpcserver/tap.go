package rpcserver

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// TapEvent is something that passed over the wire, or a clock that was moved.
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

// longestRest is how long RunTapped leaves the wall clock unread at most.
const longestRest = 200 * time.Millisecond

// turn lets the messages of all networks be answered one after another where Config.Tap is set. While RunTapped is
// active, clocks stand still during a message and follow the wall clock between messages. So the same messages at the
// same times of the clocks have the same answers.
type turn struct {
	tap func(TapEvent)

	mu   sync.Mutex // held by who has the turn
	runs bool       // RunTapped is active

	noting sync.Mutex
	noted  map[string]time.Time // the clock of each network, by path, when something was last noted about it
}

// begin sets what the clocks of a new world are compared with.
func (t *turn) begin(w *World) {
	if t.tap == nil {
		return
	}
	t.noting.Lock()
	defer t.noting.Unlock()
	for _, n := range w.networks() {
		t.noted[n.path()] = n.network.Timeline.Moment().Now()
	}
}

// worldTap is the jsonrpc.Tap of a network.
type worldTap struct {
	turn    *turn
	world   *World
	network *served
}

// Begin waits for the turn and moves the clocks of the world to where the wall clock is.
func (t *worldTap) Begin() {
	t.turn.mu.Lock()
	t.world.elapse()
	t.world.noteClocks(t.network)
}

// End announces what has happened, and gives the turn away.
func (t *worldTap) End() {
	t.world.announce()
	t.turn.mu.Unlock()
}

// Note reports an event.
func (t *worldTap) Note(e jsonrpc.TapEvent) { t.network.note(e) }

// note reports an event of the network at its clock's time.
func (n *served) note(e jsonrpc.TapEvent) {
	t := &n.world.server.turn
	t.noting.Lock()
	defer t.noting.Unlock()
	now := n.network.Timeline.Moment().Now()
	t.noted[n.path()] = now
	t.tap(TapEvent{TapEvent: e, At: now, Path: n.path()})
}

// noteClocks reports the clocks of the world that were moved since something was last reported of their networks, but
// for the network of the message that follows, which tells its time itself.
func (w *World) noteClocks(asked *served) {
	t := &w.server.turn
	for _, n := range w.networks() {
		if n == asked {
			continue
		}
		t.noting.Lock()
		last := t.noted[n.path()]
		t.noting.Unlock()
		if !last.Equal(n.network.Timeline.Moment().Now()) {
			n.note(jsonrpc.TapEvent{Kind: TapClock})
		}
	}
}

// path returns the URL path of the network.
func (n *served) path() string {
	name := Main
	if n == n.world.testnet {
		name = Testnet
	}
	return cmp.Or(n.world.PathOf(name), "/")
}

// announce sends the notifications of all that has happened in the world.
func (w *World) announce() {
	for _, n := range w.networks() {
		n.Streams.CatchUp()
	}
}

// elapse moves the clocks of the world to where the wall clock is, if RunTapped is active, and returns how long
// nothing is due. The caller has the turn.
func (w *World) elapse() (wait time.Duration) {
	wait = longestRest
	if !w.server.turn.runs {
		return wait
	}
	now := time.Now().Round(0) // without the monotonic clock: a computer that slept must catch up
	if w.elapsed.IsZero() {
		w.elapsed = w.created.Round(0)
	}
	passed := max(now.Sub(w.elapsed), 0)
	w.elapsed = now
	for _, n := range w.networks() {
		due, err := n.network.Timeline.Elapse(context.Background(), passed)
		switch {
		case err == nil:
			wait = min(wait, due)
		case !errors.Is(err, preconf.ErrManualClock):
			w.server.log.Error("a clock stands still", "path", n.path(), "err", err)
		}
	}
	w.announce()
	return wait
}

// RunTapped lets the clocks of all networks follow the wall clock until ctx ends, in place of Timeline.Run and
// FollowWall, where Config.Tap is set.
func (s *Server) RunTapped(ctx context.Context) {
	s.turn.mu.Lock()
	s.turn.runs, s.World.elapsed = true, time.Now().Round(0)
	s.turn.mu.Unlock()
	defer func() {
		s.turn.mu.Lock()
		defer s.turn.mu.Unlock()
		s.turn.runs = false
	}()
	for wait := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		s.turn.mu.Lock()
		wait = s.World.elapse()
		for _, w := range s.Worlds() {
			if w.clients() > 0 {
				wait = min(wait, w.elapse())
			}
		}
		s.turn.mu.Unlock()
	}
}

// inTurn calls f in a turn of the world at /, where there are turns.
func (s *Server) inTurn(f func()) {
	if s.turn.tap == nil {
		f()
		return
	}
	t := &worldTap{&s.turn, s.World, nil}
	t.Begin()
	defer t.End()
	f()
}
