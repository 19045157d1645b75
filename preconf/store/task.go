package store

import (
	"slices"
	"time"
)

const (
	// syncEvery is the time between two syncs of the file to the disk while it is being written. Even before a sync the
	// operating system has every ended transaction, so a killed process loses none.
	syncEvery = time.Second
	// patience is the time for which the writer waits for tasks before it uses the journal, and for one task since that
	// began: twice that, and longestRest between, are less than writtenWithin.
	patience = 40 * time.Millisecond
)

// task is a commit or a sync of the file. Each may wait for a slow disk, so it runs in the background, one at a time.
type task struct {
	commits int // how many of the waiting updates it commits; 0: it is a sync
	began   time.Time
	took    time.Duration // these two are set before done receives
	done    chan error

	known       chan struct{} // closed before a commit writes to the file, when the two fields below are set
	transaction int
	sum         sum
}

// start begins a commit of everything that waits, or a sync if nothing does.
func (s *Store) start() {
	t := &task{commits: len(s.waiting), began: time.Now(), done: make(chan error, 1), known: make(chan struct{})}
	s.task = t
	updates := s.waiting
	do := func() error {
		return s.commit(updates, func(transaction int, total sum) {
			t.transaction, t.sum = transaction, total
			close(t.known)
		})
	}
	if t.commits == 0 {
		close(t.known)
		s.unsynced, do = false, s.file.Sync
	}
	go func() {
		err := do()
		t.took = time.Since(t.began)
		t.done <- err
	}()
}

// ended takes up the result of the task. A journal without a waiting update is removed after a sync that was quick, so
// that this is quick, too.
func (s *Store) ended(err error) error {
	t := s.task
	s.task = nil
	switch {
	case t.commits > 0 && err == nil:
		s.transaction, s.sum, s.unsynced = t.transaction, t.sum, true
		s.waiting, s.journaled = slices.Delete(s.waiting, 0, t.commits), max(0, s.journaled-t.commits)
	case t.commits == 0:
		s.synced = time.Now()
		s.unsynced = s.unsynced || err != nil
	}
	if err == nil && len(s.waiting) == 0 && (t.commits == 0 && t.took < patience || s.journal.size > mostWaiting) {
		err = s.journal.remove()
	}
	return s.described(err)
}

// settle returns when all waiting updates are in the file or in the journal.
func (s *Store) settle() error {
	began := time.Now()
	for len(s.waiting) > s.journaled || len(s.waiting) > 0 && s.task == nil {
		if s.task == nil {
			s.start()
		}
		select {
		case err := <-s.task.done:
			if err := s.ended(err); err != nil {
				return err
			}
			continue
		case <-time.After(patience - max(time.Since(began), time.Since(s.task.began))):
		}
		if err := s.appendWaiting(); err != nil {
			return s.finish() // there can be no journal
		}
	}
	return nil
}

// finish returns when no task is under way and nothing waits.
func (s *Store) finish() error {
	for len(s.waiting) > 0 || s.task != nil {
		if s.task == nil {
			s.start()
		}
		if err := s.ended(<-s.task.done); err != nil {
			return err
		}
	}
	return nil
}

// appendWaiting appends the waiting updates to the journal, and where the file will be after a commit under way.
func (s *Store) appendWaiting() error {
	select {
	case <-s.task.known:
	case err := <-s.task.done: // it failed before
		s.task.done <- err
		return nil
	}
	if s.journaled == 0 {
		if err := s.journal.begin(wholeValue(s.transaction, s.sum)); err != nil {
			return err
		}
	}
	for ; s.journaled < len(s.waiting); s.journaled++ {
		if s.journaled > 0 && s.journaled == s.task.commits {
			if err := s.journal.write(wholeValue(s.task.transaction, s.task.sum)); err != nil {
				return err
			}
		}
		if err := s.journal.append(s.waiting[s.journaled]); err != nil {
			return err
		}
	}
	return nil
}

// syncInTime begins a sync if one is due, and returns a channel that receives when the next one is, nil if that is not
// known.
func (s *Store) syncInTime() <-chan time.Time {
	if s.task != nil || !s.unsynced && s.journal.file == nil {
		return nil
	}
	if left := syncEvery - time.Since(s.synced); left > 0 {
		return time.After(left)
	}
	s.start()
	return nil
}
