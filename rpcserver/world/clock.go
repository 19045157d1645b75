package world

import (
	"context"
	"math"
	"time"
)

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
			t.config.Log.Error("the clock of a world stands still", "world", w.name, "chain", n.ChainID(), "err", err)
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
