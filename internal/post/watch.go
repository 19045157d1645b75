package post

import "time"

// Patience is how long an answer may take unwatched; it may be twice as long.
const Patience = 50 * time.Millisecond

// Watch notices answers that take long. T is made anew for each answer. The owner's lock guards it.
type Watch[T any] struct {
	Look  func()      // called when an answer may have taken long; it asks IsLate
	own   *T          // being answered; nil: nothing is
	seen  *T          // own when it last looked; nil while it does not look
	timer *time.Timer // nil before the first
}

// Begin watches own. The timer goes on while answers come, because one set and stopped for each would cost more.
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

// End ends the watch of own and reports whether it was watched still: neither ended nor late.
func (w *Watch[T]) End(own *T) bool {
	watched := w.own == own
	if watched {
		w.own = nil
	}
	return watched
}

// IsLate is asked by Look. It reports whether the same answer is watched as when it was asked last, and ends its watch.
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
