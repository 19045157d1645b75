package store

import (
	"errors"
	"time"

	"go.etcd.io/bbolt"
)

// OpenByHand opens a file as Open does, but nothing is written before Write.
func OpenByHand(path string) (*Store, error) { return openWhole(path, Options{}) }

// Write writes the changes and the waiting updates of the journal, and returns when the file has them.
func (s *Store) Write() error {
	if err := s.WriteOnSlowDisk(); err != nil {
		return err
	}
	return s.finish()
}

// WriteChanged writes what changed as the writer does when it is woken: it returns while a slow commit goes on.
func (s *Store) WriteChanged() error {
	networks, _ := s.takeUnwritten(false)
	return s.write(networks, false)
}

// WriteOnSlowDisk writes the changes, and returns when the file or the journal has them.
func (s *Store) WriteOnSlowDisk() error {
	networks, _ := s.takeUnwritten(true)
	return s.write(networks, false)
}

// WriteDuringSync writes the changes as the writer does during a long sync, which ends if the writer waits for it
// all the same.
func (s *Store) WriteDuringSync() error {
	s.task = &task{done: make(chan error, 1), known: make(chan struct{})}
	close(s.task.known)
	done := s.task.done
	defer func() { s.task = nil }()
	ends := time.AfterFunc(2*patience, func() { done <- nil })
	defer ends.Stop()
	return s.WriteOnSlowDisk()
}

// Finish returns when the file has all that waits.
func (s *Store) Finish() error { return s.finish() }

// EndCommit returns when the commit under way has ended.
func (s *Store) EndCommit() error { return s.ended(<-s.task.done) }

// RemoveJournal removes the journal, as the writer does.
func (s *Store) RemoveJournal() error { return s.journal.remove() }

// OpenOnSlowDisk opens a file on a disk that takes some time to sync, and as much to write a transaction.
func OpenOnSlowDisk(path string, takes time.Duration) (*Store, error) {
	half := func() { time.Sleep(takes / 2) }
	return Open(path, Options{slowed: func(f file) file { return &SlowFile{file: f, BeforePages: half, AfterPages: half} }})
}

// OpenOnFile opens a file as OpenByHand does, whose transactions wait as it says.
func OpenOnFile(path string, slow *SlowFile) (*Store, error) {
	return openWhole(path, Options{slowed: func(f file) file { slow.file = f; return slow }})
}

// SlowFile waits before and after the pages of a transaction are written, and as long at a sync.
type SlowFile struct {
	file
	BeforePages, AfterPages func() // nil: it does not
}

func wait(f func()) {
	if f != nil {
		f()
	}
}

func (f *SlowFile) Update(do func(*bbolt.Tx) error) error {
	err := f.file.Update(func(tx *bbolt.Tx) error {
		err := do(tx)
		wait(f.BeforePages)
		return err
	})
	wait(f.AfterPages)
	return err
}

func (f *SlowFile) Sync() error {
	wait(f.BeforePages)
	wait(f.AfterPages)
	return f.file.Sync()
}

// OpenOnBrokenDisk opens a file as OpenByHand does, on a disk that does not take a transaction while broken returns
// an error: it is undone after it was made.
func OpenOnBrokenDisk(path string, broken func() error) (*Store, error) {
	return openWhole(path, Options{slowed: func(f file) file { return &brokenFile{file: f, broken: broken} }})
}

// OpenToFail opens a file as Open does, on such a disk. Failed is Options.Failed.
func OpenToFail(path string, broken func() error, failed func(error)) (*Store, error) {
	return Open(path, Options{Failed: failed, slowed: func(f file) file { return &brokenFile{file: f, broken: broken} }})
}

type brokenFile struct {
	file
	broken func() error
}

func (f *brokenFile) Update(do func(*bbolt.Tx) error) error {
	return f.file.Update(func(tx *bbolt.Tx) error { return errors.Join(do(tx), f.broken()) })
}

// CloseByHand closes a file that OpenByHand opened.
func (s *Store) CloseByHand() error { return errors.Join(s.db.Sync(), s.db.Close()) }

// Newest returns the number of the newest block that a salvaged network has, and false if the network has none at
// all. The State of that block may still turn out to be damaged; then Load returns less.
func (n *Network) Newest() (number uint64, ok bool) {
	if n.Origin == nil {
		return 0, false
	}
	if block := n.block(n.now.Head); block != nil {
		return block.Number(), true
	}
	if n.Origin.Fork != nil {
		return n.Origin.Fork.Number, true
	}
	return 0, true
}
