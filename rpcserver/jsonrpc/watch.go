package jsonrpc

import "time"

// patience is how long the reader of a connection answers one message before another goroutine reads on; it may be
// twice as long.
const patience = 50 * time.Millisecond

// watch looks for an answer that takes long. T is what there is one of for each answer. The owner's lock guards it.
type watch[T any] struct {
	look  func()      // called when an answer may have taken long: the owner's, who asks isLate
	own   *T          // being answered by the reader: nobody reads; nil: nothing is
	seen  *T          // own when it last looked; nil while it does not look
	timer *time.Timer // nil before the first
}

// begin watches own. The timer goes on while messages come, because one set and stopped for each would cost more.
func (w *watch[T]) begin(own *T) {
	w.own = own
	switch {
	case w.seen != nil:
		return
	case w.timer == nil:
		w.timer = time.AfterFunc(patience, w.look)
	default:
		w.timer.Reset(patience)
	}
	w.seen = own
}

// isLate is asked by look. It reports whether the same is being answered as when it was asked last, which is then no
// longer watched.
func (w *watch[T]) isLate() bool {
	late := w.own != nil && w.own == w.seen
	if late {
		w.own = nil
	}
	if w.seen = w.own; w.seen != nil {
		w.timer.Reset(patience)
	}
	return late
}

// stop ends the watch, whose timer would keep the owner in memory until it fires.
func (w *watch[T]) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}
