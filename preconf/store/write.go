package store

import (
	"encoding/json"
	"fmt"
	"time"

	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

const (
	// shortestRest and longestRest are how long the writer rests between two transactions. It rests longer after one that
	// took long, so that it is not always at work, but not so long that a block that was sealed when a transaction had
	// just begun is with the operating system later than keptWithin.
	shortestRest = 20 * time.Millisecond
	longestRest  = 60 * time.Millisecond
	keptWithin   = 150 * time.Millisecond
	// syncEvery is how often the file is synced to the disk while it is written. A transaction is with the operating
	// system when it ends, so a process that is killed loses none.
	syncEvery = time.Second
	// retryAfter is how long the writer rests after an error.
	retryAfter = time.Second
	// wholeFrom is from how many bytes of changes on a whole State is written, if they are more than it takes itself.
	wholeFrom = 1 << 20
)

// wakeUp lets the writer know that there is something to write.
func (s *Store) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// run writes until Close.
func (s *Store) run() {
	syncs := startSyncs(s.db.Sync)
	for stopped := false; !stopped; {
		select {
		case <-s.wake:
		case <-s.stop:
			stopped = true
		}
		began := time.Now()
		err := s.write(false)
		if err == nil {
			err = syncs.due()
		}
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
	// The same is written twice: bbolt begins at the newer one of two pages, and should that be damaged later, the other
	// one leads to as much.
	syncs.end()
	err := s.write(true)
	for _, last := range []func() error{s.db.Sync, func() error { return s.write(true) }, s.db.Sync} {
		if err == nil {
			err = last()
		}
	}
	s.done <- err
}

// restAfter returns how long the writer rests after a transaction that took so long. A block may wait for the rest of a
// transaction, for the rest after it and for the next transaction.
func restAfter(took time.Duration) time.Duration {
	return max(min(max(shortestRest, 2*took), longestRest, keptWithin-2*took), 0)
}

// batch is what a transaction puts into the file for one network.
type batch struct {
	network *Network
	moments []*preconf.Moment
	puts    []put
	undo    []func() // takes back what the log was told, newest last
}

type put struct{ bucket, key, value []byte } // bucket is nil for the network's own

// write writes what is new in all networks in one transaction. With final it also writes how far the clocks are, and
// that the file is complete.
func (s *Store) write(final bool) (err error) {
	var batches []*batch
	defer func() {
		for _, b := range batches {
			if err != nil {
				b.takeBack()
			}
		}
	}()
	report, end := s.progress("writing")
	defer end()
	for _, n := range s.all() {
		b := &batch{network: n, moments: n.take()}
		batches = append(batches, b)
		moments := b.moments
		if final && len(moments) == 0 && n.present != nil {
			moments = []*preconf.Moment{n.present}
		}
		for _, m := range moments {
			n.present = m
			if err := b.add(m, final, report); err != nil {
				return fmt.Errorf("%s: network %s: %w", s.path, n.name, err)
			}
		}
	}
	if err := s.commit(batches); err != nil {
		return s.described(err)
	}
	return nil
}

// commit puts batches into the file.
func (s *Store) commit(batches []*batch) error {
	empty := true
	for _, b := range batches {
		empty = empty && len(b.puts) == 0
	}
	if empty {
		return nil
	}
	return s.db.Update(func(tx *bbolt.Tx) error {
		for _, b := range batches {
			if len(b.puts) == 0 {
				continue
			}
			own, err := tx.Bucket(networksBucket).CreateBucketIfNotExists([]byte(b.network.name))
			if err != nil {
				return err
			}
			inside := map[string]*bbolt.Bucket{"": own}
			for _, name := range [][]byte{logBucket, codesBucket} {
				if inside[string(name)], err = own.CreateBucketIfNotExists(name); err != nil {
					return err
				}
			}
			inside[string(logBucket)].FillPercent = 0.95 // it is only appended to
			for _, p := range b.puts {
				if err := inside[string(p.bucket)].Put(p.key, sealed(p.key, p.value)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// bucket returns the network's bucket.
func (n *Network) bucket(tx *bbolt.Tx) *bbolt.Bucket {
	return tx.Bucket(networksBucket).Bucket([]byte(n.name))
}

// add adds what is new in a Moment.
func (b *batch) add(m *preconf.Moment, final bool, report func(int)) error {
	n, c := b.network, m.Sealed()
	if n.origin == nil {
		origin := originOf(c)
		p, err := origin.put(c)
		if err != nil {
			return err
		}
		n.origin = origin
		b.undo = append(b.undo, func() { n.origin = nil })
		b.puts = append(b.puts, p)
	}
	before := len(b.puts)
	head, err := b.addChain(c, report)
	if err != nil {
		return err
	}
	saved, err := m.Saved()
	if err != nil {
		return err
	}
	essence, err := json.Marshal(essential(*saved))
	if err != nil {
		return err
	}
	if !final && len(b.puts) == before && n.now != nil && n.now.Head == head && string(essence) == string(n.essence) {
		return nil // only the clock has moved
	}
	was := n.essence
	n.essence = essence
	b.undo = append(b.undo, func() { n.essence = was })
	return b.setNow(&now{Head: head, Last: n.last(), Wall: time.Now().UnixNano(), Clean: final, Saved: saved})
}

// setNow makes the newest Moment another.
func (b *batch) setNow(is *now) error {
	text, err := json.Marshal(is)
	if err != nil {
		return err
	}
	n, was := b.network, b.network.now
	n.now = is
	b.undo = append(b.undo, func() { n.now = was })
	b.puts = append(b.puts, put{nil, nowKey, text})
	return nil
}

// essential returns s without what changes when nothing happens but that time passes.
func essential(s preconf.Saved) *preconf.Saved {
	s.Clock = preconf.SavedClock{}
	if s.Pending != nil {
		pending := *s.Pending
		pending.Flashblocks = nil
		for _, f := range s.Pending.Flashblocks {
			if len(f.Transactions) > 0 {
				pending.Flashblocks = append(pending.Flashblocks, f)
			}
		}
		s.Pending = &pending
		if len(pending.Flashblocks) == 0 {
			s.Pending = nil
		}
	}
	return &s
}

// takeBack undoes what the batch told the log, and queues its Moments again.
func (b *batch) takeBack() {
	for i := len(b.undo) - 1; i >= 0; i-- {
		b.undo[i]()
	}
	b.network.giveBack(b.moments)
}

// addChain adds the blocks of a chain that are new, and the States and blocks that are not as they were. It returns the
// position of the head.
func (b *batch) addChain(c *chain.Chain, report func(int)) (position, error) {
	n := b.network
	was := n.previous
	n.previous = c
	b.undo = append(b.undo, func() { n.previous = was })
	n.setBase(c)

	var added []*chain.Block // newest first
	known := c.Head()
	for ; known.Number() > c.Base() && n.positions[known.Hash()] == 0; known = c.BlockByNumber(known.Number() - 1) {
		added = append(added, known)
	}
	// Below the newest block that both chains have nothing has changed.
	for at := known; ; at = c.BlockByNumber(at.Number() - 1) {
		if err := b.addState(c, at); err != nil {
			return 0, err
		}
		if at.Number() == c.Base() || was == nil || was.BlockByNumber(at.Number()) == at {
			break
		}
	}
	for i := len(added) - 1; i >= 0; i-- {
		if err := b.addBlock(c, added[i]); err != nil {
			return 0, err
		}
		report(1)
	}
	if was != nil && c.BlockByNumber(was.Head().Number()) != was.Head() {
		b.forgetUnknown(was, c)
	}
	return n.positions[c.Head().Hash()], nil
}

// addBlock adds a block whose parent is in the log.
func (b *batch) addBlock(c *chain.Chain, block *chain.Block) error {
	n := b.network
	data, err := block.Record()
	if err != nil {
		return err
	}
	at, parent := n.last()+1, n.positions[block.Header().ParentHash]
	r := record{kind: kindBlock, parent: parent, block: data}
	r.state = stateRecord{of: at, base: n.newest(parent), missing: true}
	if state, err := c.StateAt(block); err == nil {
		if r.state, err = b.stateOn(r.state.base, at, state); err != nil {
			return err
		}
	}
	b.append(r, block)
	return nil
}

// addState adds the State of a block in the log, if it is another than the log has.
func (b *batch) addState(c *chain.Chain, block *chain.Block) error {
	n := b.network
	state, err := c.StateAt(block)
	if err != nil {
		return nil // it is pruned, so nobody can change it
	}
	of := n.positions[block.Hash()]
	newest := n.entries[n.newest(of)]
	if !newest.missing && newest.root == state.Root() {
		return nil
	}
	r, err := b.stateOn(n.baseOf(of), of, state)
	if err != nil {
		return err
	}
	b.append(record{kind: kindState, state: r}, nil)
	return nil
}

// stateOn returns how a State is made that tells its changes from that of the record at base.
func (b *batch) stateOn(base, of position, state *evmstate.State) (stateRecord, error) {
	n := b.network
	r := stateRecord{of: of, base: base, root: state.Root(), whole: n.entries[base].missing || n.due()}
	changes := state.Changes()
	if r.whole {
		changes = state.All()
	}
	var codes []*evmstate.Code
	var err error
	if r.changes, codes, err = newChanges(changes); err != nil {
		return r, err
	}
	for _, code := range codes {
		if n.codes[code.Hash] {
			continue
		}
		n.codes[code.Hash] = true
		b.undo = append(b.undo, func() { delete(n.codes, code.Hash) })
		b.puts = append(b.puts, put{codesBucket, code.Hash[:], code.Bytes})
	}
	return r, nil
}

// forgetUnknown adds that blocks which the chain before knew are unknown in c: a revert took them away.
func (b *batch) forgetUnknown(was, c *chain.Chain) {
	n := b.network
	for block := was.Head(); c.BlockByNumber(block.Number()) != block; block = was.BlockByNumber(block.Number() - 1) {
		n.orphans[n.positions[block.Hash()]] = block
	}
	for at, block := range n.orphans {
		if known, _ := c.BlockByHash(block.Hash()); known != nil {
			continue
		}
		data := record{kind: kindForget, state: stateRecord{of: at}}.encode()
		b.puts = append(b.puts, put{logBucket, key(n.last() + 1), data})
		b.undo = append(b.undo, func() { n.orphans[at] = block }, n.snapshot(entry{block: block}), func() { n.entries[at].block = block })
		_ = n.forget(at) // it is there
	}
}

// append adds a record to the log.
func (b *batch) append(r record, block *chain.Block) {
	n := b.network
	e := entry{stateRecord: r.state, block: block, parent: r.parent}
	e.changes = nil // not kept in memory
	b.undo = append(b.undo, n.snapshot(e))
	n.add(e, len(r.state.changes))
	b.puts = append(b.puts, put{logBucket, key(n.last()), r.encode()})
}
