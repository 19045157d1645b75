package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"hash/fnv"
	"iter"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
)

// The kinds of records in a log: the first byte of a record.
const (
	kindBlock  = 1
	kindState  = 2
	kindForget = 3
)

// position is the place of a record in the log, from 1 on. 0 is the first block and its State.
type position = uint64

// record is an entry of the log in the file. Numbers and the root come first, so that the changes need not be decoded.
type record struct {
	kind byte
	of   position // the State's block
	entry
	changes []byte // of the State: RLP of []changeRecord
	block   []byte // of chain.Block.Record
}

type changeRecord struct {
	Address common.Address
	Exists  bool
	Nonce   uint64
	Balance *uint256.Int
	Code    []byte // its hash; empty: no code
	Whole   bool
	Slots   []evmstate.Slot
}

// newChanges returns the RLP of changes, and the codes that they refer to.
func newChanges(changes iter.Seq[evmstate.Change]) (data []byte, codes []*evmstate.Code, err error) {
	var records []changeRecord
	for c := range changes {
		r := changeRecord{Address: c.Address, Exists: c.Exists, Nonce: c.Nonce, Balance: c.Balance, Whole: c.Whole, Slots: c.Slots}
		if r.Balance == nil {
			r.Balance = new(uint256.Int)
		}
		if c.Code != nil {
			r.Code = c.Code.Hash[:]
			codes = append(codes, c.Code)
		}
		records = append(records, r)
	}
	slices.SortFunc(records, func(a, b changeRecord) int { return a.Address.Cmp(b.Address) })
	data, err = rlp.EncodeToBytes(records)
	return data, codes, err
}

// decodeChanges returns the changes of r. find returns the code with a hash.
func (r record) decodeChanges(find func(common.Hash) (*evmstate.Code, error)) ([]evmstate.Change, error) {
	var records []changeRecord
	if err := rlp.DecodeBytes(r.changes, &records); err != nil {
		return nil, err
	}
	changes := make([]evmstate.Change, len(records))
	for i, c := range records {
		changes[i] = evmstate.Change{Address: c.Address, Exists: c.Exists, Nonce: c.Nonce, Balance: c.Balance, Whole: c.Whole, Slots: c.Slots}
		if len(c.Code) == 0 {
			continue
		}
		code, err := find(common.BytesToHash(c.Code))
		if err != nil {
			return nil, err
		}
		changes[i].Code = code
	}
	return changes, nil
}

// fixed is the length of a record without changes and block.
const fixed = 1 + 3*8 + 1 + common.HashLength + 4

const (
	flagWhole   = 1
	flagMissing = 2
)

func (r record) encode() []byte {
	data := make([]byte, 0, fixed+len(r.changes)+len(r.block))
	data = append(data, r.kind)
	for _, at := range []position{r.parent, r.of, r.base} {
		data = binary.BigEndian.AppendUint64(data, at)
	}
	var flags byte
	if r.whole {
		flags |= flagWhole
	}
	if r.missing {
		flags |= flagMissing
	}
	data = append(append(data, flags), r.root[:]...)
	data = binary.BigEndian.AppendUint32(data, uint32(len(r.changes)))
	return append(append(data, r.changes...), r.block...)
}

// decodeRecord reads a record. It shares the memory of data.
func decodeRecord(data []byte) (record, error) {
	if len(data) < fixed {
		return record{}, fmt.Errorf("it has %d bytes", len(data))
	}
	r := record{kind: data[0], of: binary.BigEndian.Uint64(data[9:]), entry: entry{
		parent: binary.BigEndian.Uint64(data[1:]), base: binary.BigEndian.Uint64(data[17:]),
		whole: data[25]&flagWhole != 0, missing: data[25]&flagMissing != 0, root: common.Hash(data[26:58]),
	}}
	length := binary.BigEndian.Uint32(data[58:])
	if uint64(len(data)) < fixed+uint64(length) {
		return record{}, fmt.Errorf("it has %d bytes and %d of changes", len(data), length)
	}
	r.changes, r.block = data[fixed:fixed+length], data[fixed+length:]
	return r, nil
}

var table = crc32.MakeTable(crc32.Castagnoli)

var errChecksum = errors.New("its checksum does not match")

// sealed returns a value with the checksum of it and its key in front.
func sealed(key, value []byte) []byte {
	sum := crc32.Update(crc32.Checksum(key, table), table, value)
	return append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(value)), sum), value...)
}

// unsealed returns the part of data that was passed to sealed, or an error if data or key have changed.
func unsealed(key, data []byte) ([]byte, error) {
	if len(data) < 5 {
		return nil, fmt.Errorf("it has %d bytes", len(data))
	}
	sum, value := binary.BigEndian.Uint32(data), data[4:]
	if crc32.Update(crc32.Checksum(key, table), table, value) != sum {
		return nil, errChecksum
	}
	return value, nil
}

// key returns the key of a position; keys sort as positions do.
func key(at position) []byte { return binary.BigEndian.AppendUint64(nil, at) }

type decoded struct {
	key, data []byte
	record                 // without the changes and the block's bytes
	bytes     int          // of the changes
	sealed    *chain.Block // nil: the record has none
	err       error
}

// decode reads the record without the changes of its State.
func (d *decoded) decode() error {
	data, err := unsealed(d.key, d.data)
	if err != nil {
		return err
	}
	if d.record, err = decodeRecord(data); err != nil {
		return err
	}
	if d.kind == kindBlock {
		if d.sealed, err = chain.BlockFromRecord(d.block); err == nil {
			d.hash = d.sealed.Hash()
		}
	}
	d.bytes, d.changes, d.block = len(d.changes), nil, nil // not kept in memory
	return err
}

func (n *Network) addRead(d *decoded) error {
	at := n.last() + 1
	if d.parent >= at || d.base >= at || d.of > at || d.kind != kindBlock && d.of == at {
		return errors.New("it refers to a later one")
	}
	n.blocks = append(n.blocks, d.sealed)
	switch d.kind {
	case kindForget:
		return n.forget(d.of)
	case kindBlock, kindState:
		n.add(d.entry, d.of, d.bytes)
	default:
		return fmt.Errorf("its kind is %d", d.kind)
	}
	return nil
}

// sum is a checksum of a set of values, in any order. If a power cut left older pages in place of newer ones, the
// checksums of single values do not show it; the sum of all values in the file, with the number of the transaction that
// wrote it, does.
type sum uint64

var wholeKey = []byte("whole")

// place identifies a bucket in the file, for sums.
type place uint64

// in returns the place of a bucket inside p.
func (p place) in(name []byte) place { return place(p.of(name, nil)) }

// of returns the sum of one value in p. The value's checksum stands for all of it.
func (p place) of(key, value []byte) sum {
	h := fnv.New64a()
	h.Write(binary.BigEndian.AppendUint64(make([]byte, 0, 8), uint64(p)))
	h.Write(value[:min(len(value), 4)])
	h.Write(key)
	return sum(h.Sum64())
}

// sumOf returns the sum of all values in a bucket, which may be nil, and in the buckets inside it.
func sumOf(bucket *bbolt.Bucket, at place) (total sum) {
	if bucket == nil {
		return 0
	}
	_ = bucket.ForEach(func(key, value []byte) error { // the function returns no error
		if value == nil {
			total ^= sumOf(bucket.Bucket(key), at.in(key))
		} else {
			total ^= at.of(key, value)
		}
		return nil
	})
	return total
}

func sumOfFile(tx *bbolt.Tx) (total sum) {
	networks := tx.Bucket(networksBucket)
	_ = networks.ForEachBucket(func(name []byte) error { // the function returns no error
		total ^= sumOf(networks.Bucket(name), place(0).in(name))
		return nil
	})
	return total ^ sumOf(tx.Bucket(copiesBucket), copiesPlace)
}

var copiesPlace = place(0).in(copiesBucket)

// putWhole writes total as the sum of all values of this transaction.
func putWhole(tx *bbolt.Tx, total sum) error {
	return tx.Bucket(networksBucket).Put(wholeKey, sealed(wholeKey, wholeValue(tx.ID(), total)))
}

// wholeValue describes the whole file by its transaction and sum.
func wholeValue(transaction int, total sum) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(transaction)), uint64(total))
}

// checkWhole returns an error unless total, the sum of the file's values, is the one that its newest transaction wrote.
func checkWhole(tx *bbolt.Tx, total sum) error {
	value, err := unsealed(wholeKey, tx.Bucket(networksBucket).Get(wholeKey))
	if err != nil {
		return fmt.Errorf("its sum: %w", err)
	}
	if len(value) != 16 || binary.BigEndian.Uint64(value) != uint64(tx.ID()) {
		return errors.New("its pages are of different times")
	}
	if binary.BigEndian.Uint64(value[8:]) != uint64(total) {
		return errors.New("values are missing or of an earlier time")
	}
	return nil
}
