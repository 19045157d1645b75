package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate/chain"
)

var (
	logBucket   = []byte("log")   // records by position
	codesBucket = []byte("codes") // codes by hash
	genesisKey  = []byte("genesis")
	forkKey     = []byte("fork") // in the place of genesisKey
	nowKey      = []byte("now")
)

// read reads and checks the whole file, without writing to it, and returns the id of its newest transaction, or 0 where
// there is no file or an empty one.
func (s *Store) read() (id int, err error) {
	if empty, err := s.sniff(); empty || err != nil {
		return 0, err
	}
	db, err := s.openToRead()
	if err != nil {
		return 0, err
	}
	defer db.Close()
	err = db.View(func(tx *bbolt.Tx) error {
		id = tx.ID()
		return guarded(func() error {
			if err := s.checkEnd(tx); err != nil {
				return err
			}
			return s.readNetworks(tx)
		})
	})
	return id, s.described(err)
}

// openToRead opens the file so that nothing can be written. A read-only file loads no list of free pages, and what is not
// reachable is not looked at.
func (s *Store) openToRead() (db *bbolt.DB, err error) {
	err = guarded(func() error {
		db, err = bbolt.Open(s.path, 0o600, &bbolt.Options{ReadOnly: true, Timeout: lockTimeout})
		return err
	})
	return db, s.described(err)
}

// metaMagic is in the first two pages of a bbolt file, and in no other, at metaAt.
const (
	metaMagic = 0xED0CDAED
	metaAt    = 16
)

// checkEnd rejects a file that something was appended to: bytes that are no whole page, or another store. Pages that
// nothing leads to are no sign of that: a process that was killed may have been about to use them.
func (s *Store) checkEnd(tx *bbolt.Tx) error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	page := int64(tx.DB().Info().PageSize)
	if over := info.Size() % page; over != 0 {
		return &DamageError{Path: s.path, Err: fmt.Errorf("%d bytes follow its last page", over)}
	}
	var magic [4]byte
	for at := tx.Size(); at < info.Size(); at += page {
		if _, err := file.ReadAt(magic[:], at+metaAt); err != nil {
			return err
		}
		if binary.NativeEndian.Uint32(magic[:]) == metaMagic {
			return &DamageError{Path: s.path, Err: fmt.Errorf("another store follows at byte %d", at)}
		}
	}
	return nil
}

// sniff reports whether there is no file yet, or an empty one. Error: ErrOldFormat.
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
		return false, fmt.Errorf("%s: %w", s.path, ErrOldFormat)
	}
	return false, nil
}

// readNetworks reads every network of the file.
func (s *Store) readNetworks(tx *bbolt.Tx) error {
	networks := tx.Bucket(networksBucket)
	if networks == nil {
		return nil // it was made and never used
	}
	format, err := unsealed(versionKey, networks.Get(versionKey))
	if err != nil {
		return &DamageError{Path: s.path, Err: fmt.Errorf("version: %w", err)}
	}
	if string(format) != version {
		return fmt.Errorf("the file has version %q, want %q", format, version)
	}
	return networks.ForEachBucket(func(name []byte) error {
		n := s.Network(string(name))
		if err := n.readAll(networks.Bucket(name)); err != nil {
			return n.damaged(err)
		}
		return nil
	})
}

// read reads all that the file has of the network.
func (n *Network) readAll(bucket *bbolt.Bucket) error {
	var err error
	if n.origin, err = readOrigin(bucket); err != nil {
		return err
	}
	if err := bucket.Bucket(codesBucket).ForEach(func(hash, data []byte) error {
		if _, err := unsealed(hash, data); err != nil {
			return fmt.Errorf("code %x: %w", hash, err)
		}
		n.codes[common.BytesToHash(hash)] = true
		return nil
	}); err != nil {
		return err
	}
	if err := n.readLog(bucket.Bucket(logBucket), math.MaxUint64); err != nil {
		return err
	}
	text, err := unsealed(nowKey, bucket.Get(nowKey))
	if err != nil {
		return fmt.Errorf("moment: %w", err)
	}
	newest := new(now)
	if err := json.Unmarshal(text, newest); err != nil {
		return fmt.Errorf("moment: %w", err)
	}
	if newest.Last != n.last() || newest.Head > n.last() || newest.Head != 0 && n.entries[newest.Head].block == nil {
		return fmt.Errorf("moment: the log has %d records, and it names record %d of %d", n.last(), newest.Head, newest.Last)
	}
	n.now = newest
	return nil
}

// readLog reads the records in order, at most up to the position limit. Several goroutines decode them.
func (n *Network) readLog(bucket *bbolt.Bucket, limit position) error {
	const share = 256 // records that one goroutine decodes at a time
	var (
		parts   [][]*decoded
		raw     = make(chan []*decoded, 16)
		workers sync.WaitGroup
		failed  atomic.Bool
	)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for part := range raw {
				for _, d := range part {
					d.err = guarded(d.decode)
					if d.err != nil {
						failed.Store(true)
					}
				}
			}
		})
	}
	report, end := n.store.progress("reading")
	var part []*decoded
	cursor := bucket.Cursor()
	walked := guarded(func() error {
		at := position(1)
		for k, v := cursor.First(); k != nil && at <= limit && !failed.Load(); k, v = cursor.Next() {
			at++
			part = append(part, &decoded{key: k, data: v})
			if len(part) == share {
				parts, part = append(parts, part), nil
				raw <- parts[len(parts)-1]
				report(share)
			}
		}
		return nil
	})
	if part != nil {
		parts = append(parts, part)
		raw <- part
	}
	close(raw)
	workers.Wait()
	end()
	for _, part := range parts {
		for _, d := range part {
			at := n.last() + 1
			err := d.err
			if err == nil && (len(d.key) != 8 || binary.BigEndian.Uint64(d.key) != at) {
				err = errors.New("it is missing")
			}
			if err == nil {
				err = n.addRead(d)
			}
			if err != nil {
				return fmt.Errorf("record %d: %w", at, err)
			}
		}
	}
	return walked
}

// decoded is a record that was read.
type decoded struct {
	key, data []byte
	entry
	bytes int // of the changes
	kind  byte
	err   error
}

// decode reads the record, but for the changes of its State.
func (d *decoded) decode() error {
	data, err := unsealed(d.key, d.data)
	if err != nil {
		return err
	}
	r, err := decodeRecord(data)
	if err != nil {
		return err
	}
	d.kind, d.bytes = r.kind, len(r.state.changes)
	d.parent, d.stateRecord = r.parent, r.state
	d.changes = nil // not kept in memory
	switch d.kind {
	case kindBlock:
		d.block, err = chain.BlockFromRecord(r.block)
		return err
	case kindState, kindForget:
		return nil
	}
	return fmt.Errorf("its kind is %d", d.kind)
}

// addRead adds a record that was read to the log.
func (n *Network) addRead(d *decoded) error {
	at := n.last() + 1
	if d.parent >= at || d.base >= at || d.of > at || d.kind != kindBlock && d.of == at {
		return errors.New("it refers to a later one")
	}
	if d.kind == kindForget {
		return n.forget(d.of)
	}
	n.add(d.entry, d.bytes)
	return nil
}

// faultError is a panic or a memory fault while reading: bbolt trusts its file.
type faultError struct{ cause any }

func (e *faultError) Error() string {
	return fmt.Sprintf("its pages do not fit together (%v)", e.cause)
}

// guarded calls f and returns its error, or a *faultError where f panics or reads beyond the end of the file.
func guarded(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = &faultError{cause}
		}
	}()
	return f()
}
