package store

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"math"

	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate/chain"
)

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
		case at == n.last()+1: // the parent is in the log
			return n.ancestorAt(number - 1)
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
// of a record behind the log, and number its block's number.
func (n *Network) lowest(bucket *bbolt.Bucket, last position, number uint64) uint64 {
	damaged := uint64(0)
	for at := n.last() + 1; at <= last; at++ {
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
