package store

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
)

// Loaded is a network as of its newest Moment in the file.
type Loaded struct {
	Chain *chain.Chain
	Saved *preconf.Saved
	// Written is the wall clock when the Moment began.
	Written time.Time
}

// loading holds the chains and States that the copies of a network share while they are loaded.
type loading struct {
	first  *chain.Chain                 // of the first block; nil for a copy
	trunks map[common.Hash]*chain.Chain // by their heads, without States and orphans; nil for a copy
	past   *past
}

// errDamagedBefore reports that the log of a copy branches off behind the damage of its basis.
var errDamagedBefore = errors.New("its source is damaged before it begins")

// Load returns the network in the file, or nil if it is not there. It must be called before Keep, and for a copy after
// the Load of its source. fork is the chain that the Origin's Fork names, nil for a genesis; a copy has the fork and
// the options of its source. The error is a *DamageError, or reports that a fork's first block cannot be had.
func (n *Network) Load(fork *remote.Fork, o chain.Options) (*Loaded, error) {
	if n.now == nil {
		return nil, nil
	}
	for c := n; c.basis != nil; c = c.basis {
		if c.begun > c.basis.last() { // the source's Load found damage
			return nil, n.damaged(errDamagedBefore)
		}
	}
	root := n.root()
	if root.loading.first == nil {
		o.Track = true
		first, err := root.first(fork, o)
		if err != nil {
			return nil, err
		}
		root.setBase(first)
		root.loading.first, root.trunks = first, make(map[common.Hash]*chain.Chain)
	}
	start, err := root.loading.first.StateAt(root.loading.first.Head())
	if err != nil {
		return nil, err
	}
	state, past, err := n.headState(start)
	if err != nil {
		return nil, n.damaged(err)
	}
	c, err := n.restored(state, past)
	if err != nil {
		return nil, n.damaged(err)
	}
	n.previous = c
	n.index.read, n.index.loaded = n.last(), n.states
	return &Loaded{Chain: c, Saved: n.now.Saved, Written: time.Unix(0, n.now.Wall)}, nil
}

// restored returns the chain with the State of its head.
func (n *Network) restored(state *evmstate.State, past *past) (*chain.Chain, error) {
	shared := n.now.Head // the newest block that is only in records of the basis
	for n.basis != nil && shared >= n.from {
		shared = n.at(shared).parent
	}
	on, err := n.trunk(shared)
	if err != nil {
		return nil, err
	}
	kept := chain.Kept{Head: state, Past: past.of}
	for _, at := range n.path(shared, n.now.Head) {
		kept.Blocks = append(kept.Blocks, n.block(at))
	}
	n.moveTo(n.now.Head)
	for _, at := range n.sortedOrphans() {
		kept.Orphans = append(kept.Orphans, n.block(at))
	}
	return on.Restore(kept)
}

// trunk returns the chain up to the block at a position, without States and orphans. Chains that are restored on it
// share its memory.
func (n *Network) trunk(head position) (*chain.Chain, error) {
	root := n.root()
	on := root.loading.first
	from := head
	for ; from != 0; from = n.at(from).parent {
		if made := root.trunks[n.at(from).hash]; made != nil {
			on = made
			break
		}
	}
	if from == head {
		return on, nil
	}
	var kept chain.Kept
	for _, at := range n.path(from, head) {
		kept.Blocks = append(kept.Blocks, n.block(at))
	}
	made, err := on.Restore(kept)
	if err == nil {
		root.trunks[n.at(head).hash] = made
	}
	return made, err
}

// past makes the States of the blocks that were loaded. It is safe for concurrent use.
type past struct {
	network *Network
	below   *past    // for the records before from; nil: the network is no copy
	from    position // of entries
	entries []entry
	index

	start   *evmstate.State // of the first block
	nothing *evmstate.State // whole States are made from it

	mutex sync.Mutex
	made  map[position]*evmstate.State // by record
	codes map[common.Hash]*evmstate.Code
}

const (
	// madeEvery is the distance of the States that are kept in memory on the way to another one.
	madeEvery = 64
	// mostMade is the number of States that are kept in memory at a time.
	mostMade = 4096
)

// pastFrom returns the States of the log as of the first call. start is the first block's State.
func (n *Network) pastFrom(start *evmstate.State) *past {
	if n.past != nil {
		return n.past
	}
	n.building = 0
	p := &past{
		start: start, nothing: evmstate.NewState(), network: n, from: n.from, entries: slices.Clip(n.entries), index: n.index,
		made: make(map[position]*evmstate.State), codes: make(map[common.Hash]*evmstate.Code),
	}
	if start.Forked() {
		p.nothing = start
	}
	if n.basis != nil {
		p.below = n.basis.pastFrom(start)
	} else {
		p.made[0] = start
	}
	n.past = p
	return p
}

// of returns the State of a block, or nil if there is none.
func (p *past) of(b *chain.Block) *evmstate.State {
	at, _ := p.positions.Get(b.Hash()) // 0 for the first one
	if newest, ok := p.states.Get(at); ok {
		at = newest
	}
	state, err := p.at(at)
	if err != nil {
		return nil
	}
	return state.Tracked()
}

func (p *past) at(at position) (*evmstate.State, error) {
	if at < p.from {
		return p.below.at(at)
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var way []position // records whose changes lead to the State, the newest first
	state, ok := p.made[at]
	for to := at; !ok; {
		if to < p.from {
			var err error
			if state, err = p.below.at(to); err != nil {
				return nil, err
			}
			break
		}
		e := p.entries[to-p.from]
		if e.missing {
			return nil, &recordError{to, errors.New("it has no state")}
		}
		way = append(way, to)
		if e.whole {
			state = p.nothing
			break
		}
		to = e.base
		state, ok = p.made[to]
	}
	if len(p.made) > mostMade {
		clear(p.made)
		if p.below == nil {
			p.made[0] = p.start
		}
	}
	err := p.network.store.db.View(func(tx *bbolt.Tx) error {
		for i, to := range slices.Backward(way) {
			if err := guarded(func() (err error) {
				state, err = p.apply(tx, to, state)
				return err
			}); err != nil {
				return &recordError{to, err}
			}
			if i%madeEvery == 0 {
				state = state.Commit()
				p.made[to] = state
			}
		}
		return nil
	})
	if err == nil && at != 0 && state.Root() != p.entries[at-p.from].root {
		err = &recordError{at, errors.New("the state has another root than was recorded")}
	}
	return state, err
}

// apply returns the State of the record at to, made from the State of its base.
func (p *past) apply(tx *bbolt.Tx, to position, base *evmstate.State) (*evmstate.State, error) {
	bucket := p.network.bucket(tx)
	data, err := unsealed(key(to), get(bucket, logBucket, key(to)))
	if err != nil {
		return nil, err
	}
	r, err := decodeRecord(data)
	if err != nil {
		return nil, err
	}
	changes, err := r.decodeChanges(func(hash common.Hash) (*evmstate.Code, error) { return p.code(tx, hash) })
	if err != nil {
		return nil, err
	}
	return base.With(slices.Values(changes)), nil
}

// code returns the code with a hash, from the network or one of its bases.
func (p *past) code(tx *bbolt.Tx, hash common.Hash) (*evmstate.Code, error) {
	if code := p.codes[hash]; code != nil {
		return code, nil
	}
	var sealedCode []byte
	for n := p.network; n != nil && sealedCode == nil; n = n.basis {
		sealedCode = get(n.bucket(tx), codesBucket, hash[:])
	}
	data, err := unsealed(hash[:], sealedCode)
	if err != nil {
		return nil, fmt.Errorf("code %s: %w", hash, err)
	}
	code := &evmstate.Code{Hash: hash, Bytes: slices.Clone(data)}
	p.codes[hash] = code
	return code, nil
}

// get returns a value of a bucket inside a network's, nil if it is missing.
func get(bucket *bbolt.Bucket, name, key []byte) []byte {
	inside := bucket.Bucket(name)
	if inside == nil {
		return nil
	}
	return inside.Get(key)
}
