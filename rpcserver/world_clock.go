package rpcserver

import "context"

// FollowWall lets the clocks of all worlds but the one at / follow the wall clock, where they are real, until the
// function it returns is called: by a timer where a client waits for what happens, else as soon as the world is asked.
func (s *Server) FollowWall() (rest func()) {
	t := &s.worlds
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.followers++; t.followers == 1 {
		t.wall, t.stop = context.WithCancel(context.Background())
		for _, w := range t.byName {
			s.follow(w)
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

// follow lets the clocks of a world follow the wall clock; the caller holds the mutex of the table.
func (s *Server) follow(w *World) {
	for _, n := range w.networks() {
		// The error is that the clock is manual: it moves on command only.
		_ = n.network.Timeline.Follow(s.worlds.wall, func(err error) {
			s.log.Error("the clock of a world stands still", "world", w.name, "chain", n.network.chainID(), "err", err)
		})
	}
}

// rest lets the clocks of all worlds stand still; the caller holds mu.
func (t *worldTable) rest() {
	if t.stop != nil {
		t.stop()
	}
	for _, w := range t.byName {
		for _, n := range w.networks() {
			n.network.Timeline.Rest()
		}
	}
}
