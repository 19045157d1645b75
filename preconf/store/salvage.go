package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
)

// Salvage opens what can be read of a damaged file, see Path, and never writes to it. The networks' Load then returns the
// chain up to the newest block that is whole and has its State, and nothing else of the Moment; they must not be followed.
// Error: *DamageError if nothing can be read.
func Salvage(path string) (*Store, error) {
	path, err := Path(path)
	if err != nil {
		return nil, err
	}
	s := newStore(path, Options{})
	s.salvaged = true
	s.done <- nil // there is no writer to wait for
	if s.opened, err = os.Stat(path); err != nil {
		return nil, err
	}
	if s.db, err = s.openToRead(); err != nil {
		return nil, err
	}
	err = s.db.View(func(tx *bbolt.Tx) error {
		return guarded(func() error { return s.salvage(tx) })
	})
	if err != nil {
		return nil, errors.Join(&DamageError{Path: path, Err: err}, s.db.Close())
	}
	return s, nil
}

// salvage reads the networks.
func (s *Store) salvage(tx *bbolt.Tx) error {
	networks := tx.Bucket(networksBucket)
	if networks == nil {
		return errors.New("it has no networks")
	}
	return networks.ForEachBucket(func(name []byte) error {
		return s.Network(string(name)).salvage(networks.Bucket(name))
	})
}

// salvage reads the origin and as many records as are whole. Codes are read when a State needs them.
func (n *Network) salvage(bucket *bbolt.Bucket) (err error) {
	if n.origin, err = readOrigin(bucket); err != nil {
		return fmt.Errorf("network %s: %w", n.name, err)
	}
	n.salvageLog(bucket, math.MaxUint64)
	return nil
}

// salvageLog reads the records before the first that is damaged, but not those after limit.
func (n *Network) salvageLog(bucket *bbolt.Bucket, limit position) {
	n.log = newLog()
	_ = guarded(func() error { return n.readLog(bucket.Bucket(logBucket), limit) }) // what comes before the error is in the log
	n.now = &now{Head: n.newestBlock(), Last: n.last()}
}

// Newest returns the number of the newest block that a salvaged network has, and false if the network has none at all.
// The State of that block may still turn out to be damaged; then Load returns less.
func (n *Network) Newest() (number uint64, ok bool) {
	if n.origin == nil {
		return 0, false
	}
	if block := n.entries[n.newestBlock()].block; block != nil {
		return block.Number(), true
	}
	if n.origin.Fork != nil {
		return n.origin.Fork.Number, true
	}
	return 0, true
}

// newestBlock returns the position of the last block in the log; 0: only the first one is left.
func (l *log) newestBlock() position {
	for at, e := range slices.Backward(l.entries) {
		if e.block != nil {
			return position(at)
		}
	}
	return 0
}

// headState returns the State of the head, and how those of other blocks are made. What a salvaged network has of a
// State that cannot be made, and all after it, is left out.
func (n *Network) headState(start *evmstate.State) (*evmstate.State, *past, error) {
	for {
		past := n.past(start)
		state, err := past.at(n.newest(n.now.Head))
		var bad *recordError
		if err == nil || !n.store.salvaged || !errors.As(err, &bad) {
			return state, past, err
		}
		if err := n.store.db.View(func(tx *bbolt.Tx) error {
			n.salvageLog(n.bucket(tx), bad.at-1)
			return nil
		}); err != nil {
			return nil, nil, err
		}
	}
}

// recordError is that of a record whose State cannot be made.
type recordError struct {
	at  position // never 0
	err error
}

func (e *recordError) Error() string { return fmt.Sprintf("record %d: %v", e.at, e.err) }

func (e *recordError) Unwrap() error { return e.err }

// CopyTo writes what Load returned of a salvaged file into a new file, see Path, with a Moment for each network by its
// name. A file that keeps something already is an error, and stays as it is.
func (s *Store) CopyTo(path string, moments map[string]*preconf.Saved) error {
	to, err := Open(path, Options{})
	if err != nil {
		return err
	}
	if len(to.all()) > 0 {
		return errors.Join(fmt.Errorf("%s keeps a node already: recovering needs a new file", to.path), to.Close())
	}
	err = s.db.View(func(from *bbolt.Tx) error {
		return to.db.Update(func(tx *bbolt.Tx) error {
			for name, saved := range moments {
				bucket, err := tx.Bucket(networksBucket).CreateBucket([]byte(name))
				if err == nil {
					err = s.Network(name).copyTo(bucket, from, saved)
				}
				if err != nil {
					return fmt.Errorf("%s: network %s: %w", to.path, name, err)
				}
			}
			return nil
		})
	})
	return errors.Join(err, to.Close())
}

// copyTo writes what was salvaged of the network.
func (n *Network) copyTo(bucket *bbolt.Bucket, tx *bbolt.Tx, saved *preconf.Saved) error {
	from := n.bucket(tx)
	text, err := json.Marshal(&now{Head: n.now.Head, Last: n.last(), Wall: time.Now().UnixNano(), Clean: true, Saved: saved})
	if err != nil {
		return err
	}
	if err := bucket.Put(nowKey, sealed(nowKey, text)); err != nil {
		return err
	}
	for _, name := range [][]byte{genesisKey, forkKey} {
		if origin := from.Get(name); origin != nil {
			if err := bucket.Put(name, origin); err != nil {
				return err
			}
		}
	}
	codes, err := bucket.CreateBucket(codesBucket)
	if err != nil {
		return err
	}
	if err := guarded(func() error {
		return from.Bucket(codesBucket).ForEach(func(hash, data []byte) error {
			if _, damaged := unsealed(hash, data); damaged != nil {
				return nil // no State that was salvaged needs it
			}
			return codes.Put(hash, data)
		})
	}); err != nil {
		return err
	}
	records, err := bucket.CreateBucket(logBucket)
	if err != nil {
		return err
	}
	for at := position(1); at <= n.last(); at++ {
		if err := records.Put(key(at), from.Bucket(logBucket).Get(key(at))); err != nil {
			return err
		}
	}
	return nil
}
