package store

import "time"

// syncs syncs the file to the disk beside the writer: a disk can take so long that blocks would wait meanwhile.
type syncs struct {
	sync  func() error
	last  time.Time
	under chan error // has the result of the sync that is under way; nil: none is
}

func startSyncs(sync func() error) *syncs { return &syncs{sync: sync, last: time.Now()} }

// due begins a sync where one is due and none is under way, and returns the error of the one before.
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

// end waits for the sync that is under way. Whoever ends syncs once more itself, and learns then of what is wrong.
func (s *syncs) end() {
	if s.under != nil {
		<-s.under
	}
}
