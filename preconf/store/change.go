package store

import (
	"errors"

	"go.etcd.io/bbolt"
)

// update is written at once: all of it or nothing. A journal holds its RLP.
type update []change

// change is the part of an update that belongs to one network.
type change struct {
	Of      ref
	Deleted []uint64 // ids of copies
	Puts    []put
}

// put sets a value of a network. Bucket is empty for the network's own. Value has its checksum, and is empty to delete.
type put struct{ Bucket, Key, Value []byte }

type ref struct {
	Copy uint64 // id of a copy; 0: the node's own network
	Name string // name of that network
}

// sets returns a put of a value, which must not be nil.
func sets(bucket, key, value []byte) put { return put{bucket, key, sealed(key, value)} }

func (n *Network) ref() ref {
	if n.source != nil {
		return ref{Copy: n.id}
	}
	return ref{Name: n.Name.Network}
}

func (r ref) place() place {
	if r.Copy != 0 {
		return copiesPlace.in(key(r.Copy))
	}
	return place(0).in([]byte(r.Name))
}

func (n *Network) bucket(tx *bbolt.Tx) *bbolt.Bucket {
	if n.source != nil {
		return tx.Bucket(copiesBucket).Bucket(key(n.id))
	}
	return tx.Bucket(networksBucket).Bucket([]byte(n.Name.Network))
}

// bucketToWrite returns the network's bucket, and makes it if there is none. The buckets inside a copy's are made when
// they are needed: a small bucket without inner buckets takes no page of its own.
func (r ref) bucketToWrite(tx *bbolt.Tx) (*bbolt.Bucket, error) {
	if r.Copy != 0 {
		copies, err := tx.CreateBucketIfNotExists(copiesBucket)
		if err != nil {
			return nil, err
		}
		return copies.CreateBucketIfNotExists(key(r.Copy))
	}
	own, err := tx.Bucket(networksBucket).CreateBucketIfNotExists([]byte(r.Name))
	for _, name := range [][]byte{logBucket, codesBucket} {
		if err == nil {
			_, err = own.CreateBucketIfNotExists(name)
		}
	}
	return own, err
}

// errChanged is returned for a write to a file that another process has written to.
var errChanged = errors.New("another process has changed the file")

// commit puts updates into the file in one transaction of bbolt. Before it writes to the file it calls known with what
// the file will be.
func (s *Store) commit(updates []update, known func(transaction int, total sum)) error {
	total := s.sum
	return s.file.Update(func(tx *bbolt.Tx) error {
		if s.transaction != 0 && tx.ID() != s.transaction+1 {
			return errChanged
		}
		for _, u := range updates {
			for _, c := range u {
				changed, err := c.commit(tx)
				if err != nil {
					return err
				}
				total ^= changed
			}
		}
		known(tx.ID(), total)
		return putWhole(tx, total)
	})
}

// commit puts the change into the file. It returns the difference of the file's sum.
func (c change) commit(tx *bbolt.Tx) (changed sum, err error) {
	for _, id := range c.Deleted {
		copies := tx.Bucket(copiesBucket)
		changed ^= sumOf(copies.Bucket(key(id)), ref{Copy: id}.place())
		if err := copies.DeleteBucket(key(id)); err != nil {
			return 0, err
		}
	}
	if len(c.Puts) == 0 {
		return changed, nil
	}
	own, err := c.Of.bucketToWrite(tx)
	if err != nil {
		return 0, err
	}
	for _, p := range c.Puts {
		by, err := p.commit(own, c.Of.place())
		if err != nil {
			return 0, err
		}
		changed ^= by
	}
	return changed, nil
}

// commit puts a value into a network's bucket, which is at a place. It returns the difference of the file's sum.
func (p put) commit(bucket *bbolt.Bucket, at place) (changed sum, err error) {
	if len(p.Bucket) > 0 {
		if bucket, err = bucket.CreateBucketIfNotExists(p.Bucket); err != nil {
			return 0, err
		}
		at = at.in(p.Bucket)
	}
	if string(p.Bucket) == string(logBucket) {
		bucket.FillPercent = 0.95 // it is only appended to
	} else if was := bucket.Get(p.Key); was != nil {
		changed = at.of(p.Key, was)
	}
	if len(p.Value) == 0 {
		return changed, bucket.Delete(p.Key)
	}
	return changed ^ at.of(p.Key, p.Value), bucket.Put(p.Key, p.Value)
}
