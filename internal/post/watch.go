package post

import "time"

// Patience is the time after which a watch notices an answer, at the latest after twice as long.
const Patience = 50 * time.Millisecond

// Watch notices answers that take long. Each answer has a T of its own. The owner's lock guards the Watch.
type Watch[T any] struct {
	Look  func()      // called when an answer may have taken long; it calls IsLate
	own   *T          // the answer being watched; nil: none
	seen  *T          // own at the last look; nil without one
	timer *time.Timer // nil before the first
}

// Begin watches own. The timer goes on between answers, because to set and stop one for each would cost more.
func (w *Watch[T]) Begin(own *T) {
	w.own = own
	switch {
	case w.seen != nil:
		return
	case w.timer == nil:
		w.timer = time.AfterFunc(Patience, w.Look)
	default:
		w.timer.Reset(Patience)
	}
	w.seen = own
}

// End ends the watch of own and reports whether it was still watched: neither ended nor late.
func (w *Watch[T]) End(own *T) bool {
	watched := w.own == own
	if watched {
		w.own = nil
	}
	return watched
}

// IsLate is called by Look. It reports whether the same answer is watched as at the last call, and then ends its watch.
func (w *Watch[T]) IsLate() bool {
	late := w.own != nil && w.own == w.seen
	if late {
		w.own = nil
	}
	if w.seen = w.own; w.seen != nil {
		w.timer.Reset(Patience)
	}
	return late
}

// Stop ends the timer, which would keep the owner in memory until it fires.
func (w *Watch[T]) Stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}
