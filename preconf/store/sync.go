package store

import "time"

// syncs syncs the file to the disk beside the writer, which would otherwise wait for a slow disk.
type syncs struct {
	sync  func() error
	last  time.Time
	under chan error // has the result of the sync that is under way; nil: none is
}

func startSyncs(sync func() error) *syncs { return &syncs{sync: sync, last: time.Now()} }

// due begins a sync if one is due and none is under way, and returns the error of the last one.
func (s *syncs) due() error {
	if s.under != nil {
		select {
		case err := <-s.under:
			s.under = nil
			return err
		default:
			return nil
		}
	}
	if time.Since(s.last) < syncEvery {
		return nil
	}
	s.last, s.under = time.Now(), make(chan error, 1)
	go func() { s.under <- s.sync() }()
	return nil
}

// end waits for the sync under way. It ignores the error, because the caller syncs once more.
func (s *syncs) end() {
	if s.under != nil {
		<-s.under
	}
}
