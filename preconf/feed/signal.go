package feed

import "sync/atomic"

// Signal tells those who wait for it that something has happened, once. Its channel is made when somebody waits: most
// are raised with nobody there. The zero value is not raised yet. It is safe for concurrent use.
type Signal struct{ waited atomic.Pointer[chan struct{}] }

// raised is the channel of a Signal that was raised before anybody waited.
var raised = func() *chan struct{} {
	c := make(chan struct{})
	close(c)
	return &c
}()

// Done returns a channel that is closed once the signal is raised.
func (s *Signal) Done() <-chan struct{} {
	if c := s.waited.Load(); c != nil {
		return *c
	}
	c := make(chan struct{})
	if s.waited.CompareAndSwap(nil, &c) {
		return c
	}
	return *s.waited.Load()
}

// Raise wakes all who wait. It may be called once.
func (s *Signal) Raise() {
	if c := s.waited.Swap(raised); c != nil {
		close(*c)
	}
}
