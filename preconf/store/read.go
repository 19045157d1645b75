package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/internal/persistent"
)

var (
	logBucket   = []byte("log")   // records by position
	codesBucket = []byte("codes") // codes by hash
	genesisKey  = []byte("genesis")
	forkKey     = []byte("fork")    // in place of genesisKey
	upgradeKey  = []byte("upgrade") // next to the genesis of an OP-stack chain
	nowKey      = []byte("now")
)

// read reads and checks the whole file, without writing to it. There may be none, or an empty one.
func (s *Store) read() error {
	if empty, err := s.sniff(); empty || err != nil {
		return err
	}
	db, err := s.openToRead()
	if err != nil {
		return err
	}
	defer db.Close()
	err = db.View(func(tx *bbolt.Tx) error {
		s.transaction = tx.ID()
		return guarded(func() error {
			if err := s.checkEnd(tx); err != nil {
				return err
			}
			if err := s.checkPages(tx); err != nil {
				return &DamageError{Path: s.path, Err: err}
			}
			report, end := s.progress("reading")
			defer end()
			return s.readNetworks(tx, report)
		})
	})
	return s.described(err)
}

// openToRead opens the file for reading alone. bbolt then loads no list of free pages, and reads no unused page.
func (s *Store) openToRead() (db *bbolt.DB, err error) {
	err = guarded(func() error {
		db, err = bbolt.Open(s.path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
		return err
	})
	return db, s.described(err)
}

// leastSize is the size of the smallest file, in bytes: bbolt makes a file with four pages of at least 4 KiB.
const leastSize = 4 * 4096

// sniff reports whether there is no file yet, or an empty one. The error reports that the file is JSON, or is a
// *DamageError for a file that is too small.
func (s *Store) sniff() (empty bool, err error) {
	file, err := os.Open(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close()
	var first [1]byte
	if _, err := file.Read(first[:]); errors.Is(err, io.EOF) {
		return true, nil
	} else if err != nil {
		return false, err
	}
	if first[0] == '{' {
		return false, fmt.Errorf("%s is JSON, not a state file: a dump of anvil's is read by --load-state (Config.Alloc), and --state needs a file of its own", s.path)
	}
	info, err := file.Stat()
	if err == nil && info.Size() < leastSize {
		err = &DamageError{Path: s.path, Err: fmt.Errorf("it has %d bytes, and a whole file has at least %d", info.Size(), leastSize)}
	}
	return false, err
}

func (s *Store) readNetworks(tx *bbolt.Tx, report func(int)) error {
	networks := tx.Bucket(networksBucket)
	switch {
	case networks == nil && tx.ID() <= firstTransaction:
		return nil // the process that made the file was killed at once
	case networks == nil:
		return &DamageError{Path: s.path, Err: errNoNetworks}
	}
	format, err := unsealed(versionKey, networks.Get(versionKey))
	if err != nil {
		return &DamageError{Path: s.path, Err: fmt.Errorf("version: %w", err)}
	}
	if string(format) != version {
		return fmt.Errorf("%s has version %q of the format, and this fakenode reads %q: give --state (Config.State) a new file", s.path, format, version)
	}
	own, err := s.ownIn(networks)
	if err == nil {
		err = s.readCopies(tx.Bucket(copiesBucket), func(name string, err error) error {
			return &DamageError{Path: s.path, Network: name, Err: err}
		})
	}
	if err != nil {
		return err
	}
	for _, n := range append(own, s.copies...) {
		switch err := n.readAll(n.bucket(tx), report); {
		case errors.Is(err, errOtherMoment):
			return fmt.Errorf("%s is of another version of fakenode: %w: give --state (Config.State) a new file", s.path, err)
		case err != nil:
			return n.damaged(err)
		}
	}
	s.sum = sumOfFile(tx)
	if err := checkWhole(tx, s.sum); err != nil {
		return &DamageError{Path: s.path, Err: err}
	}
	return nil
}

// errNoNetworks reports a file without any.
var errNoNetworks = errors.New("it has no networks")

// ownIn returns the node's own networks in the file.
func (s *Store) ownIn(networks *bbolt.Bucket) (own []*Network, err error) {
	err = networks.ForEachBucket(func(name []byte) error {
		own = append(own, s.Network(string(name)))
		return nil
	})
	return own, err
}

// errOtherMoment is returned for a Moment that is whole, but not as this version writes one.
var errOtherMoment = errors.New("what a network is set to cannot be read")

func (n *Network) readAll(bucket *bbolt.Bucket, report func(int)) error {
	var err error
	if n.source == nil {
		if n.Origin, err = readOrigin(bucket); err != nil {
			return err
		}
	}
	if err := n.checkBuckets(bucket); err != nil {
		return err
	}
	if err := n.readCodes(bucket.Bucket(codesBucket)); err != nil {
		return err
	}
	if err := n.readLog(bucket.Bucket(logBucket), math.MaxUint64, report); err != nil {
		return err
	}
	if n.dropped.Load() {
		return nil
	}
	text, err := unsealed(nowKey, bucket.Get(nowKey))
	if err != nil {
		return fmt.Errorf("moment: %w", err)
	}
	newest := new(now)
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields() // what this version does not know would be forgotten
	if err := decoder.Decode(newest); err != nil {
		return fmt.Errorf("%w: %w", errOtherMoment, err)
	}
	if newest.Last != n.last() || newest.Head > n.last() || newest.Head != 0 && !n.knows(newest.Head) {
		return fmt.Errorf("moment: the log has %d records, and it names record %d of %d", n.last(), newest.Head, newest.Last)
	}
	n.now = newest
	return nil
}

// checkBuckets rejects a network that lacks a bucket or has an unknown one.
func (n *Network) checkBuckets(bucket *bbolt.Bucket) error {
	if n.source == nil && (bucket.Bucket(logBucket) == nil || bucket.Bucket(codesBucket) == nil) {
		return errors.New("it has no log or no codes")
	}
	return bucket.ForEachBucket(func(name []byte) error {
		if string(name) != string(logBucket) && string(name) != string(codesBucket) {
			return fmt.Errorf("it has a bucket %q", name)
		}
		return nil
	})
}

// readCodes reads the hashes of the codes in a bucket, which may be nil.
func (n *Network) readCodes(bucket *bbolt.Bucket) error {
	if bucket == nil {
		return nil
	}
	return bucket.ForEach(func(hash, data []byte) error {
		if _, err := unsealed(hash, data); err != nil {
			return fmt.Errorf("code %x: %w", hash, err)
		}
		n.codes[common.BytesToHash(hash)] = true
		return nil
	})
}

// readLog reads the records in order, at most up to the position limit.
func (n *Network) readLog(bucket *bbolt.Bucket, limit position, report func(int)) error {
	n.building = persistent.NewOwner()
	defer func() { n.building = 0 }()
	n.beginBranches()
	if bucket == nil {
		return n.checkBranches()
	}
	records, walked := decodeLog(bucket.Cursor(), n.last()+1, limit, report)
	for _, d := range records {
		at := n.last() + 1
		if d.err == nil && (len(d.key) != 8 || binary.BigEndian.Uint64(d.key) != at) {
			d.err = errors.New("it is missing")
		}
		if d.err == nil {
			d.err = n.addRead(d)
		}
		if d.err != nil {
			return fmt.Errorf("record %d: %w", at, d.err)
		}
		n.beginBranches()
	}
	if walked != nil {
		return walked
	}
	return n.checkBranches()
}

// decodeLog decodes the records from one position to another on several goroutines, and stops soon after the first one
// that is damaged. It returns an error if the file cannot be read further.
func decodeLog(cursor *bbolt.Cursor, from, to position, report func(int)) (records []*decoded, err error) {
	const share = 256 // records that one goroutine decodes at a time
	var (
		shares  = make(chan []*decoded, 16)
		workers sync.WaitGroup
		failed  atomic.Bool
	)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for share := range shares {
				for _, d := range share {
					if d.err = guarded(d.decode); d.err != nil {
						failed.Store(true)
					}
				}
			}
		})
	}
	err = guarded(func() error {
		for k, v := cursor.First(); k != nil && from <= to && !failed.Load(); k, v = cursor.Next() {
			from++
			if records = append(records, &decoded{key: k, data: v}); len(records)%share == 0 {
				shares <- records[len(records)-share:]
				report(share)
			}
		}
		return nil
	})
	shares <- records[len(records)-len(records)%share:]
	close(shares)
	workers.Wait()
	return records, err
}

// checkBranches rejects a copy that branches off after the last record.
func (n *Network) checkBranches() error {
	if len(n.branches) > 0 {
		return fmt.Errorf("copy %s begins at record %d of %d", n.branches[0].Name, n.branches[0].begun, n.last())
	}
	return nil
}
