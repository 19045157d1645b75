package store

import (
	"fmt"
	"sync/atomic"
	"time"

	"github.com/fakenode/fakenode/preconf"
)

const (
	// shortestRest and longestRest bound how long the writer rests between two transactions. It rests longer after a long
	// one, so that it is not always at work, but a block sealed when a transaction had just begun still reaches the
	// operating system within writtenWithin.
	shortestRest  = 20 * time.Millisecond
	longestRest   = 60 * time.Millisecond
	writtenWithin = 150 * time.Millisecond
	// retryAfter is the time that the writer rests after an error.
	retryAfter = time.Second
)

func (s *Store) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run writes until Close.
func (s *Store) run() {
	var due, calm <-chan time.Time // nil: no new copy waits; nothing is to be synced
	for stopped := false; !stopped; {
		var done chan error
		if s.task != nil {
			done = s.task.done
		}
		var err error
		select {
		case <-s.wake:
		case <-due:
		case <-calm:
		case err = <-done:
			err = s.ended(err)
		case <-s.stop:
			stopped = true
		}
		began := time.Now()
		if err == nil && s.failing {
			err = s.settle() // what waits comes first
		}
		if err == nil {
			networks, next := s.takeUnwritten(false)
			if due = nil; !next.IsZero() {
				due = time.After(time.Until(next))
			}
			err = s.write(networks, false)
		}
		s.tell(err)
		calm = s.syncInTime()
		rest := restAfter(time.Since(began))
		if (err != nil) != s.failing {
			s.options.Failed(err)
			s.failing = err != nil
		}
		if err != nil {
			rest = retryAfter
			s.wakeUp()
		}
		if stopped {
			break
		}
		select {
		case <-time.After(rest):
		case <-s.stop:
		}
	}
	// The same is written twice: bbolt starts at the newer of two pages; if that is damaged later, the other one leads to
	// the same values.
	final := func() error {
		networks, _ := s.takeUnwritten(true)
		return s.write(networks, true)
	}
	err := s.finish()
	for _, last := range []func() error{final, s.file.Sync, final, s.file.Sync, s.journal.remove} {
		if err == nil {
			err = last()
		}
	}
	s.tell(err)
	s.done <- err
}

// tell answers those who wait for the end of the last write.
func (s *Store) tell(err error) {
	for _, result := range s.told {
		result <- err
	}
	s.told = nil
}

// restAfter returns how long the writer rests after a transaction that took so long. A block may wait for the rest of a
// transaction, for the rest after it and for the next transaction.
func restAfter(took time.Duration) time.Duration {
	return max(min(max(shortestRest, 2*took), longestRest, writtenWithin-2*took), 0)
}

type batch struct {
	network *Network
	puts    []put
	deleted []*Network // copies
}

// write writes the changes of networks as one update; final adds the clocks, and that the file is complete.
func (s *Store) write(networks []*Network, final bool) error {
	if s.stuck != nil {
		return s.stuck
	}
	report, end := s.progress("writing")
	defer end()
	var u update
	for _, n := range networks {
		b := &batch{network: n}
		if n.dropped.Load() {
			b.drop()
		} else if err := b.addNew(final, report); err != nil {
			s.stuck = fmt.Errorf("%s: network %s: %w", s.path, n.Name, err)
			return s.stuck
		}
		u = b.addTo(u)
	}
	if len(u) > 0 {
		s.waiting = append(s.waiting, u)
	}
	if final {
		return s.finish()
	}
	return s.settle()
}

// addNew adds the queued Moments of the network; final adds at least the present one.
func (b *batch) addNew(final bool, report func(int)) error {
	n := b.network
	moments, shown := n.take()
	if final && len(moments) == 0 && n.present != nil {
		moments = []*preconf.Moment{n.present}
	}
	for _, m := range moments {
		n.present = m
		if err := b.add(m, shown, final, report); err != nil {
			return err
		}
	}
	return nil
}

// addTo adds the batch to an update, if it changes anything.
func (b *batch) addTo(u update) update {
	c := change{Of: b.network.ref(), Puts: b.puts}
	if b.network.gone {
		c.Puts = nil
	}
	for _, n := range b.deleted {
		c.Deleted = append(c.Deleted, n.id)
	}
	if len(c.Puts)+len(c.Deleted) > 0 {
		u = append(u, c)
	}
	return u
}

// slow is the time after which reading or writing is reported, and the time between two reports.
const slow = time.Second

// progress reports every second how many records were read or written, unless writing failed before, which was
// reported. Call report for each record, and end at the end.
func (s *Store) progress(doing string) (report func(int), end func()) {
	if s.options.Progress == nil || s.failing {
		return func(int) {}, func() {}
	}
	var count atomic.Int64
	done := make(chan struct{})
	go func() {
		tick := time.NewTicker(slow)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				s.options.Progress(fmt.Sprintf("%s %s: %d records", doing, s.path, count.Load()))
			}
		}
	}()
	return func(n int) { count.Add(int64(n)) }, func() { close(done) }
}
