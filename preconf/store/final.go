package store

import (
	"encoding/binary"

	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// headKey is the key of the head's position and number, for a file whose newest Moment or head is damaged.
var headKey = []byte("head")

// headValue returns the value of headKey.
func headValue(at position, number uint64) []byte {
	return binary.BigEndian.AppendUint64(key(at), number)
}

// finalHead returns the position of the newest block that the salvaged log has of the chain that the network had last.
// Blocks of the log that a later reorg removed are not on that chain.
func (n *Network) finalHead(bucket *bbolt.Bucket) position {
	value, err := unsealed(headKey, bucket.Get(headKey))
	if err != nil || len(value) != 16 {
		return n.newestBlock() // version 1 has no head
	}
	at, number := binary.BigEndian.Uint64(value), binary.BigEndian.Uint64(value[8:])
	for at > n.last() {
		block, parent := readBlock(bucket, at)
		switch {
		case block != nil:
			at, number = parent, block.Number()-1
		case at == n.last()+1: // the parent is in the log
			return n.ancestorAt(number - 1)
		default:
			return n.ancestorAt(n.lowest(bucket, at, number))
		}
	}
	return at
}

// lowest returns a number of which the chain that the network had last certainly has a block in the log, if of the
// records behind the log up to one with a block of some number not all are whole: each of the others may have a block.
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

// readBlock returns the block in a record and the position of its parent, nil if the record is damaged or has none.
func readBlock(bucket *bbolt.Bucket, at position) (block *chain.Block, parent position) {
	_ = guarded(func() error { // then there is no block
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
