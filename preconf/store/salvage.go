package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// Salvage opens a damaged file, see Path, for reading alone. Load then returns the chain up to the newest block that is
// whole and has its State, but none of the Moment's other fields; Keep must not be called. A copy is lost if it cannot
// be read, or if its source is damaged before the copy begins. The error is a *DamageError if nothing can be read.
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

func (s *Store) salvage(tx *bbolt.Tx) error {
	if err := s.checkPages(tx); err != nil {
		return err
	}
	networks := tx.Bucket(networksBucket)
	if networks == nil {
		return errNoNetworks
	}
	own, err := s.ownIn(networks)
	if err != nil {
		return err
	}
	if err := guarded(func() error {
		return s.readCopies(tx.Bucket(copiesBucket), func(name string, err error) error {
			s.Lost = append(s.Lost, name)
			return nil
		})
	}); err != nil {
		s.Lost = append(s.Lost, "further copies")
	}
	for _, n := range own {
		if err := n.salvage(n.bucket(tx)); err != nil {
			return err
		}
	}
	for _, n := range s.copies {
		if err := guarded(func() error { return n.salvage(n.bucket(tx)) }); err != nil {
			n.Origin, n.now = nil, nil
			if !n.dropped.Load() {
				s.Lost = append(s.Lost, n.Name.String())
			}
		}
	}
	return nil
}

// salvage reads the origin and the records up to the first damaged one. Codes are read when a State needs them.
func (n *Network) salvage(bucket *bbolt.Bucket) (err error) {
	if n.source == nil {
		n.Origin, err = readOrigin(bucket)
	} else if n.Origin == nil {
		err = errDamagedBefore
	}
	if err != nil {
		return fmt.Errorf("network %s: %w", n.Name, err)
	}
	n.salvageLog(bucket, math.MaxUint64)
	if n.dropped.Load() {
		n.now = nil
	}
	return nil
}

// salvageLog reads the records up to limit, but not the first damaged one and those after it.
func (n *Network) salvageLog(bucket *bbolt.Bucket, limit position) {
	if n.basis == nil {
		n.log = newLog()
	} else {
		n.log = log{below: n.below, from: n.from, index: n.start}
	}
	// The log has the records before the error.
	_ = guarded(func() error { return n.readLog(bucket.Bucket(logBucket), limit, func(int) {}) })
	n.now = &now{Head: n.finalHead(bucket), Last: n.last()}
}

// headState returns the State of the head, and the maker of other blocks' States. A salvaged network drops the first
// State that cannot be made, and everything after it.
func (n *Network) headState(start *evmstate.State) (*evmstate.State, *past, error) {
	for {
		past := n.pastFrom(start)
		state, err := past.at(n.newest(n.now.Head))
		var bad *recordError
		if err == nil || !n.store.salvaged || !errors.As(err, &bad) || bad.at < n.from {
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

// recordError reports a record whose State cannot be made.
type recordError struct {
	at  position // never 0
	err error
}

func (e *recordError) Error() string { return fmt.Sprintf("record %d: %v", e.at, e.err) }

func (e *recordError) Unwrap() error { return e.err }

// CopyTo writes the networks of a salvaged file that moments names, as Load returned them, into a new file, see Path.
// If the file already has a network, CopyTo returns an error and leaves it unchanged; on another error there is no new
// file.
func (s *Store) CopyTo(path string, moments map[Name]*preconf.Saved) error {
	path, err := Path(path)
	if err != nil {
		return err
	}
	undo := func() error { return os.Truncate(path, 0) }
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		undo = func() error { return os.Remove(path) }
	}
	to, err := Open(path, Options{})
	if err != nil {
		return err
	}
	if len(to.networks) > 0 {
		return errors.Join(fmt.Errorf("%s keeps a node already: recovering needs a new file", to.path), to.Close())
	}
	if err := errors.Join(s.copyTo(to, moments), to.Close()); err != nil {
		return errors.Join(err, undo())
	}
	return nil
}

// copyTo writes the networks that moments names into an empty Store.
func (s *Store) copyTo(to *Store, moments map[Name]*preconf.Saved) error {
	return s.db.View(func(from *bbolt.Tx) error {
		return to.db.Update(func(tx *bbolt.Tx) error {
			for n := range s.needed(moments) {
				saved := moments[n.Name]
				if n.dropped.Load() {
					saved = nil // another has its name
				}
				bucket, err := n.ref().bucketToWrite(tx)
				if err == nil {
					err = guarded(func() error { return n.copyTo(bucket, from, saved) })
				}
				if err != nil {
					return fmt.Errorf("%s: network %s: %w", to.path, n.Name, err)
				}
			}
			to.sum, to.transaction = sumOfFile(tx), tx.ID()
			return putWhole(tx, to.sum)
		})
	})
}

// needed returns the networks of moments, and the networks whose logs they need.
func (s *Store) needed(moments map[Name]*preconf.Saved) map[*Network]bool {
	needed := make(map[*Network]bool)
	for n := range s.present {
		if moments[n.Name] == nil || n.dropped.Load() {
			continue
		}
		for ; n != nil; n = n.basis {
			needed[n] = true
		}
	}
	return needed
}

// copyTo writes the salvaged part of the network. saved is nil for a copy that only others need.
func (n *Network) copyTo(bucket *bbolt.Bucket, tx *bbolt.Tx, saved *preconf.Saved) error {
	from := n.bucket(tx)
	if saved != nil {
		head := headValue(n.now.Head, n.previous.Head().Number())
		if err := bucket.Put(headKey, sealed(headKey, head)); err != nil {
			return err
		}
		text, err := json.Marshal(&now{Head: n.now.Head, Last: n.last(), Wall: time.Now().UnixNano(), Clean: true, Saved: saved})
		if err != nil {
			return err
		}
		if err := bucket.Put(nowKey, sealed(nowKey, text)); err != nil {
			return err
		}
	}
	for _, name := range [][]byte{genesisKey, upgradeKey, forkKey, copyKey} {
		if origin := from.Get(name); origin != nil {
			if err := bucket.Put(name, origin); err != nil {
				return err
			}
		}
	}
	if err := n.copyCodes(bucket, from); err != nil || n.last() < n.from || n.last() == 0 {
		return err
	}
	records, err := bucket.CreateBucketIfNotExists(logBucket)
	if err != nil {
		return err
	}
	// They are read in order, as far as they were read before: a search may miss a record if a key of the tree above it is
	// damaged.
	cursor := from.Bucket(logBucket).Cursor()
	next := cursor.First
	for at := max(n.from, 1); at <= n.last(); at++ {
		_, record := next()
		if err := records.Put(key(at), record); err != nil {
			return err
		}
		next = cursor.Next
	}
	return nil
}

// copyCodes copies the codes that are whole. States of blocks before the head may lack some.
func (n *Network) copyCodes(bucket, from *bbolt.Bucket) error {
	was := from.Bucket(codesBucket)
	if was == nil {
		return nil
	}
	codes, err := bucket.CreateBucketIfNotExists(codesBucket)
	if err != nil {
		return err
	}
	whole := make(map[common.Hash][]byte)
	if n.past != nil {
		for hash := range n.past.codes {
			if data := was.Get(hash[:]); data != nil { // else a basis has it
				whole[hash] = data
			}
		}
	}
	_ = guarded(func() error { // codes behind the damage are lost
		return was.ForEach(func(hash, data []byte) error {
			if _, damaged := unsealed(hash, data); damaged == nil {
				whole[common.BytesToHash(hash)] = data
			}
			return nil
		})
	})
	for hash, data := range whole {
		if err := codes.Put(hash[:], data); err != nil {
			return err
		}
	}
	return nil
}

// headKey is the key of the head's position and number, for a file whose newest Moment or head is damaged.
var headKey = []byte("head")

func headValue(at position, number uint64) []byte {
	return binary.BigEndian.AppendUint64(key(at), number)
}

// finalHead returns the position of the newest block in the salvaged log that is certainly on the network's last chain.
// Blocks of the log that a later reorg removed are not on it.
func (n *Network) finalHead(bucket *bbolt.Bucket) position {
	at, number, ok := savedHead(bucket)
	if !ok {
		return n.newestShared()
	}
	for at > n.last() {
		block, parent := readBlock(bucket, at)
		switch {
		case block != nil:
			at, number = parent, block.Number()-1
		case number == unknownNumber:
			return 0
		default:
			return n.ancestorAt(n.lowest(bucket, at, number))
		}
	}
	return at
}

// unknownNumber is the number of a head of which only the position is known.
const unknownNumber = math.MaxUint64

// savedHead returns the position and the number of the network's last head. If the head's own entry is damaged, the
// newest Moment has the position. ok reports whether one of them is whole.
func savedHead(bucket *bbolt.Bucket) (at position, number uint64, ok bool) {
	if value, err := unsealed(headKey, walkTo(bucket, headKey)); err == nil && len(value) == 16 {
		return binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:]), true
	}
	text, err := unsealed(nowKey, walkTo(bucket, nowKey))
	newest := new(now)
	if err != nil || json.Unmarshal(text, newest) != nil {
		return 0, 0, false
	}
	return newest.Head, unknownNumber, true
}

// walkTo returns a value of a bucket whose keys damage may have put out of order, nil if it is missing.
func walkTo(bucket *bbolt.Bucket, key []byte) (value []byte) {
	_ = guarded(func() error { // an error means that it is missing
		return bucket.ForEach(func(k, v []byte) error {
			if bytes.Equal(k, key) {
				value = v
			}
			return nil
		})
	})
	return value
}

// newestShared returns the position of the newest block below or in every block of the log.
func (n *Network) newestShared() position {
	trunk := n.newestBlock()
	for at := range n.orphans.All() {
		trunk = n.commonAncestor(trunk, at)
	}
	return trunk
}

// lowest returns a number that is low enough for the log to have the last chain's block with it: one below the lowest
// block behind the log, and one lower for each damaged record there, which may have held a block. last is the position
// of a record behind the log, the last one of the chain that is not read, and number its block's number.
func (n *Network) lowest(bucket *bbolt.Bucket, last position, number uint64) uint64 {
	damaged := uint64(0)
	for at := n.last() + 1; at < last; at++ {
		if block, _ := readBlock(bucket, at); block != nil {
			number = min(number, block.Number())
		} else {
			damaged++
		}
	}
	return number - min(damaged+1, number)
}

// readBlock returns the block in a record and the position of its parent, nil if the record is damaged or has no block.
func readBlock(bucket *bbolt.Bucket, at position) (block *chain.Block, parent position) {
	_ = guarded(func() error { // an error means that there is no block
		d := decoded{key: key(at), data: get(bucket, logBucket, key(at))}
		if err := d.decode(); err != nil {
			return err
		}
		block, parent = d.sealed, d.parent
		return nil
	})
	return block, parent
}

// ancestorAt returns the position of the block with a number, or of the newest common ancestor if several have it.
func (n *Network) ancestorAt(number uint64) position {
	var common position
	for at := n.last(); at != 0; at-- {
		switch b := n.block(at); {
		case b == nil || b.Number() != number || !n.knows(at):
		case common == 0:
			common = at
		default:
			common = n.commonAncestor(common, at)
			if common == 0 {
				return 0
			}
		}
	}
	return common
}
