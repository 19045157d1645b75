package preconf

import "sync/atomic"

// signal tells those who wait for it that something has happened, once. Its channel is made when somebody waits: most
// are raised with nobody there. The zero value is not raised yet. It is safe for concurrent use.
type signal struct{ waited atomic.Pointer[chan struct{}] }

// raised is the channel of a signal that was raised before anybody waited.
var raised = func() *chan struct{} {
	c := make(chan struct{})
	close(c)
	return &c
}()

// done returns a channel that is closed once the signal is raised.
func (s *signal) done() <-chan struct{} {
	if c := s.waited.Load(); c != nil {
		return *c
	}
	c := make(chan struct{})
	if s.waited.CompareAndSwap(nil, &c) {
		return c
	}
	return *s.waited.Load()
}

// raise wakes all who wait. It may be called once.
func (s *signal) raise() {
	if c := s.waited.Swap(raised); c != nil {
		close(*c)
	}
}
