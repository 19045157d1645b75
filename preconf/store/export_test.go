package store

import (
	"errors"
	"sync"
	"time"

	"go.etcd.io/bbolt"
)

// OpenByHand opens a file as Open does, but nothing is written before Write.
func OpenByHand(path string) (*Store, error) { return openWhole(path, Options{}) }

// Write writes the changes and the waiting updates of the journal in one transaction, as the writer does.
func (s *Store) Write() error {
	networks, _ := s.takeUnwritten(true)
	return s.write(networks, false)
}

// WriteChanged writes what changed in one transaction, as the writer does when it is woken.
func (s *Store) WriteChanged() error {
	networks, _ := s.takeUnwritten(false)
	return s.write(networks, false)
}

// WriteDuringSync writes the changes as the writer does during a long sync, which ends if the writer waits for it
// all the same.
func (s *Store) WriteDuringSync() error {
	under := make(chan error, 1)
	s.syncs.under, s.syncs.isSync = under, true
	defer func() { s.syncs.under = nil }()
	ends := time.AfterFunc(2*patience, func() { under <- nil })
	defer ends.Stop()
	return s.Write()
}

// RemoveJournal removes the journal, as the writer does.
func (s *Store) RemoveJournal() error { return s.journal.remove() }

// OpenOnSlowDisk opens a file that takes some time to sync, and is not written meanwhile.
func OpenOnSlowDisk(path string, sync time.Duration) (*Store, error) {
	return Open(path, Options{slowed: func(f file) file { return &slowFile{file: f, sync: sync} }})
}

type slowFile struct {
	file
	sync  time.Duration
	mutex sync.Mutex
}

func (f *slowFile) Update(do func(*bbolt.Tx) error) error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.file.Update(do)
}

func (f *slowFile) Sync() error {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	time.Sleep(f.sync)
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
	if n.origin == nil {
		return 0, false
	}
	if block := n.block(n.now.Head); block != nil {
		return block.Number(), true
	}
	if n.origin.Fork != nil {
		return n.origin.Fork.Number, true
	}
	return 0, true
}
