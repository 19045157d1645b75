package store

import (
	"fmt"
	"slices"
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
		select {
		case <-s.wake:
		case <-due:
		case <-calm:
		case err := <-s.syncs.under:
			s.syncs.ended(err)
		case <-s.stop:
			stopped = true
		}
		began, before := time.Now(), s.transaction
		networks, next := s.takeUnwritten(false)
		err := s.write(networks, false)
		if due = nil; !next.IsZero() {
			due = time.After(time.Until(next))
		}
		if err == nil {
			err = s.syncs.due(s.transaction != before)
		}
		calm = s.syncs.next()
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
	s.syncs.end()
	final := func() error {
		networks, _ := s.takeUnwritten(true)
		return s.write(networks, true)
	}
	err := final()
	for _, last := range []func() error{s.file.Sync, final, s.file.Sync, s.journal.remove} {
		if err == nil {
			err = last()
		}
	}
	s.done <- err
}

// restAfter returns how long the writer rests after a transaction that took so long. A block may wait for the rest of a
// transaction, for the rest after it and for the next transaction.
func restAfter(took time.Duration) time.Duration {
	return max(min(max(shortestRest, 2*took), longestRest, writtenWithin-2*took), 0)
}

type batch struct {
	network *Network
	moments []*preconf.Moment
	puts    []put
	gone    []*Network // copies of which the file holds nothing any more
	was     written    // of the network before
}

// write writes the changes of networks as one update; final adds the clocks, and that the file is complete.
func (s *Store) write(networks []*Network, final bool) (err error) {
	var batches []*batch
	defer func() {
		if err == nil {
			return
		}
		for _, b := range slices.Backward(batches) {
			b.takeBack()
		}
		for _, n := range networks {
			s.changed(n)
		}
	}()
	report, end := s.progress("writing")
	defer end()
	for _, n := range networks {
		b := &batch{network: n, was: n.written}
		batches = append(batches, b)
		if n.dropped.Load() {
			b.drop()
			continue
		}
		if err := b.addNew(final, report); err != nil {
			return fmt.Errorf("%s: network %s: %w", s.path, n.name, err)
		}
	}
	return s.put(updateOf(batches))
}

// addNew adds the queued Moments of the network; final adds at least the present one.
func (b *batch) addNew(final bool, report func(int)) error {
	n := b.network
	var shown time.Time
	b.moments, shown = n.take()
	moments := b.moments
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

func updateOf(batches []*batch) (u update) {
	for _, b := range batches {
		c := change{Of: b.network.ref(), Puts: b.puts}
		if b.network.gone {
			c.Puts = nil
		}
		for _, n := range b.gone {
			if n.id != 0 {
				c.Deleted = append(c.Deleted, n.id)
			}
		}
		if len(c.Puts)+len(c.Deleted) > 0 {
			u = append(u, c)
		}
	}
	return u
}

// put puts an update into the file, after the waiting ones, or into the journal during a sync, if there can be one.
func (s *Store) put(u update) error {
	if len(u) > 0 && s.syncs.takesLong() {
		if err := s.journal.append(s.whole(), u); err == nil {
			s.waiting = append(s.waiting, u)
			return nil
		}
		s.syncs.end()
	}
	updates := s.waiting
	if len(u) > 0 {
		updates = append(slices.Clip(updates), u)
	}
	if len(updates) == 0 || s.syncs.syncing() {
		return nil
	}
	if err := s.commit(updates); err != nil {
		return s.described(err)
	}
	s.waiting = nil
	return nil
}

// takeBack undoes the changes of the networks, and queues the Moments again.
func (b *batch) takeBack() {
	s := b.network.store
	s.mutex.Lock()
	for _, n := range b.gone {
		n.gone = false
		n.source.dependents++
	}
	s.mutex.Unlock()
	b.network.written = b.was
	b.network.giveBack(b.moments)
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

const (
	// syncEvery is the time between two syncs of the file to the disk while it is being written. Even before a sync the
	// operating system has every ended transaction, so a killed process loses none.
	syncEvery = time.Second
	// patience is the time after the beginning of a sync for which the writer waits for its end before it uses the
	// journal: twice that, and longestRest between, are less than writtenWithin.
	patience = 40 * time.Millisecond
)

// syncs syncs the file to the disk in the background, because the writer would otherwise wait for a slow disk. The file
// is not written meanwhile. It also removes the journal, which may take as long. It does one thing at a time.
type syncs struct {
	file     file
	journal  *journal
	under    chan error // receives the result of the task under way; nil: there is none
	isSync   bool       // the task is a sync
	began    time.Time  // when it began
	last     time.Time  // when the last sync ended
	unsynced bool       // there was a transaction since that began
	err      error      // of the last task, until due returns it
}

func (s *syncs) syncing() bool { return s.under != nil && s.isSync }

// takesLong waits for a sync until patience after it began, and reports whether it still runs.
func (s *syncs) takesLong() bool {
	if !s.syncing() {
		return false
	}
	select {
	case err := <-s.under:
		s.ended(err)
	case <-time.After(time.Until(s.began.Add(patience))):
	}
	return s.syncing()
}

func (s *syncs) end() {
	if s.under != nil {
		s.ended(<-s.under)
	}
}

func (s *syncs) ended(err error) {
	if s.under, s.err = nil, err; s.isSync {
		s.last = time.Now()
		s.unsynced = s.unsynced || err != nil
	}
}

// due begins the next task if none is under way and one is due, and returns the error of a task that ended since the
// last call. wrote reports whether there was a transaction since then. If no task is under way, the file must have all
// updates of the journal, because due begins to remove it.
func (s *syncs) due(wrote bool) error {
	s.unsynced = s.unsynced || wrote
	switch {
	case s.under != nil:
	case s.journal.file != nil:
		s.begin(false, s.journal.remove)
	case s.unsynced && time.Since(s.last) >= syncEvery:
		s.unsynced = false
		s.begin(true, s.file.Sync)
	}
	err := s.err
	s.err = nil
	return err
}

func (s *syncs) begin(isSync bool, do func() error) {
	under := make(chan error, 1)
	s.under, s.isSync, s.began = under, isSync, time.Now()
	go func() { under <- do() }()
}

// next returns a channel that receives when the next sync is due, or nil if none is or a task is under way.
func (s *syncs) next() <-chan time.Time {
	if s.under != nil || !s.unsynced {
		return nil
	}
	return time.After(time.Until(s.last.Add(syncEvery)))
}
