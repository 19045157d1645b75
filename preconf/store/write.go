package store

import (
	"fmt"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/preconf"
)

const (
	// shortestRest and longestRest bound how long the writer rests between two transactions. It rests longer after a
	// long one, so that it is not always at work, but never so long that a block which was sealed when a transaction
	// had just begun reaches the operating system later than writtenWithin.
	shortestRest  = 20 * time.Millisecond
	longestRest   = 60 * time.Millisecond
	writtenWithin = 150 * time.Millisecond
	// retryAfter is how long the writer rests after an error.
	retryAfter = time.Second
)

// wakeUp wakes the writer.
func (s *Store) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run writes until Close.
func (s *Store) run() {
	syncs := startSyncs(s.db.Sync, s.synced)
	var due, calm <-chan time.Time // nil: no new copy waits; nothing is to be synced
	for stopped := false; !stopped; {
		select {
		case <-s.wake:
		case <-due:
		case <-calm:
		case <-s.stop:
			stopped = true
		}
		began, before := time.Now(), s.transactions
		networks, next := s.takeUnwritten(false)
		err := s.write(networks, false)
		if due = nil; !next.IsZero() {
			due = time.After(time.Until(next))
		}
		if err == nil {
			err = syncs.due(s.transactions != before)
		}
		calm = syncs.next()
		rest := restAfter(time.Since(began))
		if (err != nil) != s.failing {
			s.options.Failed(err)
			s.failing = err != nil
		}
		if err != nil {
			rest = retryAfter
			s.wakeUp()
		}
		if stopped {
			break
		}
		select {
		case <-time.After(rest):
		case <-s.stop:
		}
	}
	// The same is written twice: bbolt begins at the newer one of two pages, and should that be damaged later, the
	// other one leads to as much.
	syncs.end()
	final := func() error {
		networks, _ := s.takeUnwritten(true)
		return s.write(networks, true)
	}
	err := final()
	for _, last := range []func() error{s.db.Sync, final, s.db.Sync} {
		if err == nil {
			err = last()
		}
	}
	s.done <- err
}

// restAfter returns how long the writer rests after a transaction that took so long. A block may wait for the rest of a
// transaction, for the rest after it and for the next transaction.
func restAfter(took time.Duration) time.Duration {
	return max(min(max(shortestRest, 2*took), longestRest, writtenWithin-2*took), 0)
}

// batch collects what a transaction writes for one network.
type batch struct {
	network *Network
	moments []*preconf.Moment
	puts    []put
	deleted []*Network // copies
	undo    []func()   // undoes changes of the log, newest last
}

type put struct{ bucket, key, value []byte } // bucket is nil for the network's own, value to delete

// write writes what is new in networks in one transaction, with final also the clocks, and that the file is complete.
func (s *Store) write(networks []*Network, final bool) (err error) {
	var batches []*batch
	defer func() {
		if err == nil {
			return
		}
		for _, b := range slices.Backward(batches) {
			b.takeBack()
		}
		for _, n := range networks {
			s.changed(n)
		}
	}()
	report, end := s.progress("writing")
	defer end()
	for _, n := range networks {
		b := &batch{network: n}
		batches = append(batches, b)
		if n.dropped.Load() {
			b.drop()
			continue
		}
		if err := b.addNew(final, report); err != nil {
			return fmt.Errorf("%s: network %s: %w", s.path, n.name, err)
		}
	}
	if err := s.commit(batches); err != nil {
		return s.described(err)
	}
	return nil
}

// addNew adds the queued Moments of the network, with final at least the present one.
func (b *batch) addNew(final bool, report func(int)) error {
	n := b.network
	var shown time.Time
	b.moments, shown = n.take()
	moments := b.moments
	if final && len(moments) == 0 && n.present != nil {
		moments = []*preconf.Moment{n.present}
	}
	for _, m := range moments {
		n.present = m
		if err := b.add(m, shown, final, report); err != nil {
			return err
		}
	}
	return nil
}

// commit puts batches into the file.
func (s *Store) commit(batches []*batch) error {
	batches = slices.DeleteFunc(slices.Clone(batches), func(b *batch) bool { return len(b.puts)+len(b.deleted) == 0 })
	if len(batches) == 0 {
		return nil
	}
	total := s.sum
	err := s.db.Update(func(tx *bbolt.Tx) error {
		for _, b := range batches {
			change, err := b.commit(tx)
			if err != nil {
				return err
			}
			total ^= change
		}
		return putWhole(tx, total)
	})
	if err == nil {
		s.sum = total
		s.transactions++
	}
	return err
}

// commit puts the batch into the file. It returns how the sum of the file changes.
func (b *batch) commit(tx *bbolt.Tx) (change sum, err error) {
	for _, n := range b.deleted {
		copies := tx.Bucket(copiesBucket)
		change ^= sumOf(copies.Bucket(key(n.id)), n.place())
		if err := copies.DeleteBucket(key(n.id)); err != nil {
			return 0, err
		}
	}
	if len(b.puts) == 0 || b.network.gone {
		return change, nil
	}
	own, err := b.network.bucketToWrite(tx)
	if err != nil {
		return 0, err
	}
	for _, p := range b.puts {
		changed, err := p.commit(own, b.network.place())
		if err != nil {
			return 0, err
		}
		change ^= changed
	}
	return change, nil
}

// commit puts a value into a network's bucket, which is at a place. It returns how the sum of the file changes.
func (p put) commit(bucket *bbolt.Bucket, at place) (change sum, err error) {
	if p.bucket != nil {
		if bucket, err = bucket.CreateBucketIfNotExists(p.bucket); err != nil {
			return 0, err
		}
		at = at.in(p.bucket)
	}
	if string(p.bucket) == string(logBucket) {
		bucket.FillPercent = 0.95 // it is only appended to
	} else if was := bucket.Get(p.key); was != nil {
		change = at.of(p.key, was)
	}
	if p.value == nil {
		return change, bucket.Delete(p.key)
	}
	value := sealed(p.key, p.value)
	return change ^ at.of(p.key, value), bucket.Put(p.key, value)
}

// bucketToWrite returns the network's bucket, and makes it if there is none. The buckets inside a copy's are made when
// they are needed: a small bucket without any takes no page of its own.
func (n *Network) bucketToWrite(tx *bbolt.Tx) (*bbolt.Bucket, error) {
	if n.source != nil {
		copies, err := tx.CreateBucketIfNotExists(copiesBucket)
		if err != nil {
			return nil, err
		}
		return copies.CreateBucketIfNotExists(key(n.id))
	}
	own, err := tx.Bucket(networksBucket).CreateBucketIfNotExists([]byte(n.name.Network))
	for _, name := range [][]byte{logBucket, codesBucket} {
		if err == nil {
			_, err = own.CreateBucketIfNotExists(name)
		}
	}
	return own, err
}

// bucket returns the network's bucket.
func (n *Network) bucket(tx *bbolt.Tx) *bbolt.Bucket {
	if n.source != nil {
		return tx.Bucket(copiesBucket).Bucket(key(n.id))
	}
	return tx.Bucket(networksBucket).Bucket([]byte(n.name.Network))
}

// takeBack undoes the changes of the log, and queues the Moments again.
func (b *batch) takeBack() {
	for i := len(b.undo) - 1; i >= 0; i-- {
		b.undo[i]()
	}
	b.network.giveBack(b.moments)
}
