package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"go.etcd.io/bbolt"
)

// Options configures a Store. The zero value works.
type Options struct {
	// Progress is called every second, with a sentence, while reading or writing takes more than a second. Nil: no
	// calls.
	Progress func(string)
	// Failed is called once with the error when writing begins to fail, and once with nil when it works again. The
	// Store tries again every second, and Close returns the last error. Nil: no calls.
	Failed func(error)

	slowed func(file) file // lets tests slow the disk down; nil: not slowed
}

// file is the part of bbolt that the writer uses.
type file interface {
	Update(func(*bbolt.Tx) error) error
	Sync() error
}

// Store is an open file. It is safe for concurrent use.
type Store struct {
	path     string
	options  Options
	db       *bbolt.DB
	opened   fs.FileInfo
	salvaged bool       // Salvage opened it, so nothing is written
	copies   []*Network // in the file when it was opened, oldest first
	Lost     []string   // copies that Salvage cannot read

	mutex     sync.Mutex          // of the fields below
	networks  map[string]*Network // the node's own, by name
	present   map[*Network]bool   // networks and copies that are not dropped
	unwritten []*Network          // changed or dropped since the last write
	held      bool                // by Together: nothing is written
	turns     uint64              // the last Network.turn
	toTell    []chan error        // receive the result of the next write

	// These fields are used by the writer alone.
	file        file
	task        *task // under way; nil: none is
	journal     journal
	waiting     []update     // not in the file yet, oldest first
	journaled   int          // how many of them are in the journal
	lastID      uint64       // of a copy
	sum         sum          // of all values in the file
	transaction int          // the newest one in the file; 0: there is none
	synced      time.Time    // when the last sync ended
	unsynced    bool         // there was a transaction since it began
	failing     bool         // the last write failed
	stuck       error        // why nothing can be written any more: a Moment that has no encoding
	told        []chan error // receive the result of the write under way

	wake chan struct{} // holds a token when there is something to write
	stop chan struct{} // closed by Close
	done chan error    // the error of the last write

	close    sync.Once
	closeErr error
}

const (
	// defaultFile is the name of the file in a directory.
	defaultFile = "fakenode.db"
	// lockTimeout is the time that Open waits for another process to release the file.
	lockTimeout = time.Second
	// mapped is the address space reserved for the file: growing beyond it makes the writer wait for readers.
	mapped = 1 << 30
	// version is the version of the format.
	version = "2"
	// firstTransaction is the number of the transaction in which bbolt makes a file.
	firstTransaction = 1
)

var (
	networksBucket = []byte("networks")
	versionKey     = []byte("version")
)

// Path returns the file that Open uses for a path. If the path is a directory, or ends as one, the file lies in it.
// Path follows links.
func Path(path string) (string, error) {
	if strings.HasSuffix(path, string(filepath.Separator)) {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return "", err
		}
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return path, nil
	case err != nil:
		return "", err
	case info.IsDir():
		return filepath.Join(path, defaultFile), nil
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is neither a file nor a directory", path)
	}
	return path, nil
}

// Open reads the file at path, see Path, and makes it if there is none or an empty one. It checks the whole file before
// it writes to it. The error is a *DamageError, or reports that the file has another format, that another process uses
// it, or that it cannot be read or written.
func Open(path string, o Options) (*Store, error) {
	path, err := Path(path)
	if err != nil {
		return nil, err
	}
	s, err := openWhole(path, o)
	if err != nil {
		return nil, err
	}
	go s.run()
	return s, nil
}

// openWhole opens a file without its writer.
func openWhole(path string, o Options) (*Store, error) {
	s := newStore(path, o)
	if info, err := os.Stat(s.journal.path); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s, the journal, is not a file", s.journal.path) // reading a pipe would wait
	}
	err := s.read()
	if err == nil {
		var replayed bool
		if replayed, err = s.replay(); replayed && err == nil {
			s = newStore(path, o)
			err = s.read()
		}
	}
	if err != nil {
		return nil, err
	}
	if err := s.openToWrite(); err != nil {
		if s.transaction == 0 {
			err = errors.Join(err, s.unmake())
		}
		return nil, err
	}
	s.opened, err = os.Stat(path)
	if err == nil {
		err = s.begin()
	}
	if err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	return s, nil
}

func newStore(path string, o Options) *Store {
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	if o.slowed == nil {
		o.slowed = func(f file) file { return f }
	}
	return &Store{
		path: path, options: o, journal: journal{path: journalOf(path)}, networks: make(map[string]*Network), present: make(map[*Network]bool),
		wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan error, 1),
	}
}

// openToWrite opens a file that was read. bbolt then searches for free pages, and panics if one that no reader needed
// is damaged. Neither transactions nor growing the file sync it: on a busy disk a sync takes hundreds of milliseconds,
// and blocks would wait for it.
func (s *Store) openToWrite() error {
	err := guarded(func() (err error) {
		s.db, err = bbolt.Open(s.path, 0o600, &bbolt.Options{
			Timeout: lockTimeout, NoSync: true, NoGrowSync: true, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, InitialMmapSize: mapped,
		})
		return err
	})
	s.file = s.options.slowed(s.db)
	return s.described(err)
}

// firstPages is the number of pages that bbolt writes when it makes a file.
const firstPages = 4

// unmake empties the file that openToWrite failed to make, because its beginning would look like a damaged file. It
// leaves a whole file alone, because another process has made that since.
func (s *Store) unmake() error {
	info, err := os.Stat(s.path)
	if err != nil || info.Size() >= int64(firstPages*os.Getpagesize()) {
		return nil
	}
	return os.Truncate(s.path, 0)
}

// begin checks that the file is the one that was read, and that it can be written and synced, so that a file without
// networks never had any. A journal that is left over holds nothing that the file lacks.
func (s *Store) begin() error {
	err := s.db.Update(func(tx *bbolt.Tx) error {
		if s.transaction != 0 && tx.ID() != s.transaction+1 {
			return errChanged
		}
		s.transaction = tx.ID()
		bucket, err := tx.CreateBucketIfNotExists(networksBucket)
		if err != nil {
			return err
		}
		if err := bucket.Put(versionKey, sealed(versionKey, []byte(version))); err != nil {
			return err
		}
		return putWhole(tx, s.sum)
	})
	if err == nil {
		err = s.db.Sync()
	}
	if err != nil {
		return s.described(err)
	}
	s.synced = time.Now()
	return removeIfThere(s.journal.path)
}

// Network returns the node's own network of a name, which may be new.
func (s *Store) Network(name string) *Network {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	n := s.networks[name]
	if n == nil {
		n = newNetwork(s, Name{Network: name})
		s.networks[name], s.present[n] = n, true
	}
	return n
}

// changed wakes the writer for a network.
func (s *Store) changed(n *Network) {
	s.mutex.Lock()
	if !n.queued {
		n.queued = true
		s.unwritten = append(s.unwritten, n)
	}
	s.mutex.Unlock()
	s.wakeUp()
}

// Together calls f and writes what it keeps in one transaction, so that a file has all of it or nothing. The channel
// receives the result, when a process that is killed loses nothing of it any more.
func (s *Store) Together(f func()) (written <-chan error) {
	s.hold(true)
	f()
	result := make(chan error, 1)
	s.hold(false, result)
	s.wakeUp()
	return result
}

func (s *Store) hold(held bool, tell ...chan error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.held, s.toTell = held, append(s.toTell, tell...)
}

// takeUnwritten returns the networks to write now, each copy after its source, and the time when the next ones are due,
// zero if there are none. With all it returns every network.
func (s *Store) takeUnwritten(all bool) (networks []*Network, due time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if all {
		for n := range s.present {
			if !n.queued {
				networks = append(networks, n)
			}
		}
	}
	if s.held && !all {
		return nil, time.Time{}
	}
	s.told, s.toTell = append(s.told, s.toTell...), nil
	now := time.Now()
	var later []*Network
	for _, n := range s.unwritten {
		if all || n.dropped.Load() || !n.notBefore.After(now) {
			n.queued = false
			networks = append(networks, n)
			continue
		}
		later = append(later, n)
		if due.IsZero() || n.notBefore.Before(due) {
			due = n.notBefore
		}
	}
	s.unwritten = later
	slices.SortFunc(networks, func(a, b *Network) int { return cmp.Compare(a.turn, b.turn) })
	return networks, due
}

// Close writes the newest Moments and closes the file. Later Moments are not kept. Closing again does nothing. The
// error reports a failed write, or that the file was removed.
func (s *Store) Close() error {
	s.close.Do(func() {
		close(s.stop)
		s.closeErr = errors.Join(<-s.done, s.checkPath(), s.db.Close())
	})
	return s.closeErr
}

// checkPath returns an error unless path still is the file that was opened.
func (s *Store) checkPath() error {
	is, err := os.Stat(s.path)
	if err == nil && os.SameFile(is, s.opened) {
		return nil
	}
	return fmt.Errorf("%s was removed or replaced while it was in use, and what was written to it is gone", s.path)
}
