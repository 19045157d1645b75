package store

import "time"

const (
	// syncEvery is how often the file is synced to the disk while it is written. At its end a transaction is with the
	// operating system, so a killed process loses none.
	syncEvery = time.Second
	// slowSync is how long a sync may take while the file is written. On some file systems (FUSE, 9P, network file
	// systems) a write waits for a sync under way, and a block would be kept too late.
	slowSync = writtenWithin / 3
)

// syncs syncs the file to the disk beside the writer, which would otherwise wait for a slow disk. After a slow sync it
// waits until nothing was written for a while.
type syncs struct {
	sync     func() error
	last     time.Time    // when the last sync began, or the last transaction ended if syncs are slow
	under    chan outcome // of the sync under way; nil: none is
	slow     bool         // the last sync was
	unsynced bool         // there was a transaction since the last sync began
}

// outcome is the result of a sync.
type outcome struct {
	err  error
	took time.Duration
}

// startSyncs returns syncs of a file of which one has taken a time.
func startSyncs(sync func() error, took time.Duration) *syncs {
	return &syncs{sync: sync, last: time.Now(), slow: took > slowSync}
}

// due begins a sync if one is due and none is under way, and returns the error of the last one. wrote reports whether
// there was a transaction since the last call.
func (s *syncs) due(wrote bool) error {
	s.unsynced = s.unsynced || wrote
	if s.under != nil {
		select {
		case last := <-s.under:
			s.under, s.slow = nil, last.took > slowSync
			return last.err
		default:
			return nil
		}
	}
	if s.slow && wrote {
		s.last = time.Now()
	}
	if !s.unsynced || time.Since(s.last) < syncEvery {
		return nil
	}
	began, under := time.Now(), make(chan outcome, 1)
	s.last, s.under, s.unsynced = began, under, false
	go func() {
		err := s.sync()
		under <- outcome{err, time.Since(began)}
	}()
	return nil
}

// next returns a channel that has something when due should be called although nothing was written; nil: never.
func (s *syncs) next() <-chan time.Time {
	if !s.unsynced {
		return nil
	}
	return time.After(syncEvery)
}

// end waits for the sync under way. It ignores the error, because the caller syncs once more.
func (s *syncs) end() {
	if s.under != nil {
		<-s.under
	}
}
