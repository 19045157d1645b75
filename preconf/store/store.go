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
	bolterrors "go.etcd.io/bbolt/errors"
)

// Options configures a Store. The zero value works.
type Options struct {
	// Progress is told, in words, how far reading and writing are that take more than a second. Nil: nobody is.
	Progress func(string)
	// Failed is told why the newest Moments cannot be written, once until writing works again, and then nil. The Store
	// goes on trying. Nil: nobody is told; Close returns the error.
	Failed func(error)
}

// Store is an open file of kept networks. It is safe for concurrent use.
type Store struct {
	path     string
	options  Options
	db       *bbolt.DB
	opened   fs.FileInfo
	salvaged bool       // it is of Salvage, so nothing is written
	copies   []*Network // that were in the file when it was opened, oldest first
	lost     []string   // what Salvage cannot read

	mutex     sync.Mutex // of what follows
	networks  map[string]*Network
	followed  map[*Network]bool // networks and copies that are not dropped
	unwritten []*Network        // that have changed, or are dropped
	turns     uint64            // the last Network.turn

	lastID  uint64        // of a copy; used by the writer alone
	failing bool          // the last write failed; used by the writer alone
	wake    chan struct{} // holds a token when there is something to write
	stop    chan struct{} // closed by Close
	done    chan error    // the error of the last write

	close    sync.Once
	closeErr error
}

const (
	// defaultFile is the name of the file in a directory.
	defaultFile = "fakenode.db"
	// lockTimeout is how long Open waits for another process to let go of the file.
	lockTimeout = time.Second
	// mapped is how much address space is reserved for the file: growing beyond it makes the writer wait for readers.
	mapped = 1 << 30
	// version is that of the format.
	version = "1"
)

var (
	networksBucket = []byte("networks")
	versionKey     = []byte("version")
)

// ErrOldFormat is returned by Open for a file of JSON, which versions before this package wrote at shutdown.
var ErrOldFormat = errors.New("the file has the format of an earlier version")

// Path returns the file that Open uses for a path, which may be a directory or end as one does. It follows links.
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

// Open reads the file at path, see Path, and makes it if there is none or an empty one. It checks every byte that is in
// use before it writes any. Errors: *DamageError, ErrOldFormat, that another process uses the file, or that it cannot
// be read or written.
func Open(path string, o Options) (*Store, error) {
	path, err := Path(path)
	if err != nil {
		return nil, err
	}
	s := newStore(path, o)
	read, err := s.read()
	if err != nil {
		return nil, err
	}
	if err := s.openToWrite(); err != nil {
		if read == 0 {
			err = errors.Join(err, s.unmake())
		}
		return nil, err
	}
	s.opened, err = os.Stat(path)
	if err == nil {
		err = s.begin(read)
	}
	if err != nil {
		return nil, errors.Join(err, s.db.Close())
	}
	go s.run()
	return s, nil
}

func newStore(path string, o Options) *Store {
	if o.Failed == nil {
		o.Failed = func(error) {}
	}
	return &Store{
		path: path, options: o, networks: make(map[string]*Network), followed: make(map[*Network]bool),
		wake: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan error, 1),
	}
}

// openToWrite opens a file that was read. bbolt looks for the free pages then, and panics where the pages that the
// reader did not need, those that lead to others, are damaged. Nothing is synced inside a transaction, also not when
// the file grows: on a busy disk that takes hundreds of milliseconds, and blocks would wait meanwhile.
func (s *Store) openToWrite() error {
	err := guarded(func() (err error) {
		s.db, err = bbolt.Open(s.path, 0o600, &bbolt.Options{
			Timeout: lockTimeout, NoSync: true, NoGrowSync: true, NoFreelistSync: true, FreelistType: bbolt.FreelistMapType, InitialMmapSize: mapped,
		})
		return err
	})
	return s.described(err)
}

// firstPages is how many pages bbolt writes when it makes a file.
const firstPages = 4

// unmake empties the file that openToWrite could not make, for lack of room or another reason: what is there of it would
// be taken for a damaged file. A file that is whole is left alone: another process has made it since.
func (s *Store) unmake() error {
	info, err := os.Stat(s.path)
	if err != nil || info.Size() >= int64(firstPages*os.Getpagesize()) {
		return nil
	}
	return os.Truncate(s.path, 0)
}

// begin makes sure that the file is the one that was read, and that it can be written.
func (s *Store) begin(read int) error {
	return s.db.Update(func(tx *bbolt.Tx) error {
		if read != 0 && tx.ID() != read+1 {
			return fmt.Errorf("%s: another process has changed the file", s.path)
		}
		if _, err := tx.CreateBucketIfNotExists(networksBucket); err != nil {
			return s.described(err)
		}
		bucket := tx.Bucket(networksBucket)
		return bucket.Put(versionKey, sealed(versionKey, []byte(version)))
	})
}

// Network returns the network with a name, which may be new. Names are the caller's.
func (s *Store) Network(name string) *Network {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	n := s.networks[name]
	if n == nil {
		n = newNetwork(s, name)
		s.networks[name], s.followed[n] = n, true
	}
	return n
}

// changed lets the writer know of a network that has changed.
func (s *Store) changed(n *Network) {
	s.mutex.Lock()
	if !n.queued {
		n.queued = true
		s.unwritten = append(s.unwritten, n)
	}
	s.mutex.Unlock()
	s.wakeUp()
}

// takeUnwritten returns the networks to be written now, each copy after what it is a copy of, and when further ones are
// due; zero if there are none. With all it returns every network.
func (s *Store) takeUnwritten(all bool) (networks []*Network, due time.Time) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if all {
		for n := range s.followed {
			if !n.queued {
				networks = append(networks, n)
			}
		}
	}
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
// error reports why something could not be written, or that the file is not there any more.
func (s *Store) Close() error {
	s.close.Do(func() {
		close(s.stop)
		s.closeErr = errors.Join(<-s.done, s.checkPath(), s.db.Close())
	})
	return s.closeErr
}

// checkPath returns an error if path is not the file that was opened any more.
func (s *Store) checkPath() error {
	is, err := os.Stat(s.path)
	if err == nil && os.SameFile(is, s.opened) {
		return nil
	}
	return fmt.Errorf("%s was removed or replaced while it was in use, and what was written to it is gone", s.path)
}

// described returns an error of bbolt or of a guarded call in words, and any other as it is.
func (s *Store) described(err error) error {
	var (
		fault  *faultError
		damage *DamageError
		at     *fs.PathError
	)
	switch {
	case err == nil, errors.As(err, &damage), errors.As(err, &at): // these name the file
		return err
	case errors.Is(err, bolterrors.ErrTimeout):
		return fmt.Errorf("%s: another process uses the file", s.path)
	case errors.As(err, &fault), errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum), errors.Is(err, bolterrors.ErrVersionMismatch):
		return &DamageError{Path: s.path, Err: err}
	}
	return fmt.Errorf("%s: %w", s.path, err)
}

// DamageError reports a file whose content is not what was written.
type DamageError struct {
	Path    string
	Network string // empty: the file as a whole
	Err     error
}

func (e *DamageError) Error() string {
	if e.Network == "" {
		return fmt.Sprintf("%s is damaged: %v", e.Path, e.Err)
	}
	return fmt.Sprintf("%s is damaged: network %s: %v", e.Path, e.Network, e.Err)
}

// Unwrap returns the cause.
func (e *DamageError) Unwrap() error { return e.Err }
