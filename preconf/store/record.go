package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// The kinds of records in a log: the first byte of a record.
const (
	kindBlock  = 1
	kindState  = 2
	kindForget = 3
)

// position is the place of a record in the log, from 1 on. 0 stands for the genesis: its block and its State.
type position = uint64

// stateRecord is how a State is made.
type stateRecord struct {
	Block   position // whose State it is; of a block's own record the record's position
	Base    position // of the record whose State the changes apply to
	Whole   bool     // Changes are all accounts: they do not apply to Base
	Missing bool     // the State was pruned before it could be written; all else but Block is zero
	Root    common.Hash
	Changes []changeRecord
}

// blockRecord is a sealed block and its State.
type blockRecord struct {
	Parent position
	State  stateRecord
	Block  []byte // of chain.Block.Record
}

// forgetRecord is a block that is not known any more.
type forgetRecord struct{ Block position }

type changeRecord struct {
	Address common.Address
	Exists  bool
	Nonce   uint64
	Balance *uint256.Int
	Code    []byte // its hash; empty: no code
	Whole   bool
	Slots   []evmstate.Slot
}

// newChanges returns changes as records, and the codes that they name.
func newChanges(changes iter.Seq[evmstate.Change]) (records []changeRecord, codes []*evmstate.Code) {
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
	return records, codes
}

// changes yields the changes of r. find returns the code with a hash.
func (r stateRecord) changes(find func(common.Hash) (*evmstate.Code, error)) ([]evmstate.Change, error) {
	changes := make([]evmstate.Change, len(r.Changes))
	for i, c := range r.Changes {
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

// encode returns a record of the log as bytes.
func encode(kind byte, record any) ([]byte, error) {
	data, err := rlp.EncodeToBytes(record)
	return append([]byte{kind}, data...), err
}

// decode reads a record of the kind that its first byte names.
func decode(data []byte, into any) error { return rlp.DecodeBytes(data[1:], into) }

var table = crc32.MakeTable(crc32.Castagnoli)

var errChecksum = errors.New("its checksum does not match")

// sealed returns a value with the checksum of it and its key in front.
func sealed(key, value []byte) []byte {
	sum := crc32.Update(crc32.Checksum(key, table), table, value)
	return append(binary.BigEndian.AppendUint32(make([]byte, 0, 4+len(value)), sum), value...)
}

// unsealed returns the value that sealed was given, or an error if it is another. The value is part of data.
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
