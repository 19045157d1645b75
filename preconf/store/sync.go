package store

import "time"

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

// syncing reports whether a sync is under way.
func (s *syncs) syncing() bool { return s.under != nil && s.isSync }

// takesLong waits for a sync that is under way, at most until patience after it began, and reports whether it still
// runs.
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

// end waits for the task under way.
func (s *syncs) end() {
	if s.under != nil {
		s.ended(<-s.under)
	}
}

// ended takes the result of the task under way.
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

// next returns a channel that receives when the next sync is due, or nil if a task is under way or there is nothing to
// sync.
func (s *syncs) next() <-chan time.Time {
	if s.under != nil || !s.unsynced {
		return nil
	}
	return time.After(time.Until(s.last.Add(syncEvery)))
}
