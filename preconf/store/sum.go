package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"

	"go.etcd.io/bbolt"
)

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

func wholeValue(transaction int, total sum) []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, uint64(transaction)), uint64(total))
}

// whole describes the whole file by its transaction and sum.
func (s *Store) whole() []byte { return wholeValue(s.transaction, s.sum) }

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
