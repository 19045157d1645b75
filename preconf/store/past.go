package store

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"go.etcd.io/bbolt"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
)

// past makes the States of the blocks that were in the file when it was loaded. It is safe for concurrent use.
type past struct {
	network *Network
	entries []entry
	states  map[position]position
	blocks  map[common.Hash]position

	nothing *evmstate.State // what whole States are made from

	mutex sync.Mutex
	made  map[position]*evmstate.State // by record
	codes map[common.Hash]*evmstate.Code
}

const (
	// madeEvery is at which distance States on the way to another are kept: those between are made from them.
	madeEvery = 64
	// mostMade is how many States are kept at a time.
	mostMade = 4096
)

// past returns the States of the log as it is now. start is that of the first block.
func (n *Network) past(start *evmstate.State) *past {
	nothing := evmstate.NewState()
	if start.Forked() {
		nothing = start
	}
	return &past{
		nothing: nothing, network: n, entries: slices.Clip(n.entries), states: maps.Clone(n.states), blocks: maps.Clone(n.positions),
		made: map[position]*evmstate.State{0: start}, codes: make(map[common.Hash]*evmstate.Code),
	}
}

// of returns the State of a block, or nil if there is none.
func (p *past) of(b *chain.Block) *evmstate.State {
	at := p.blocks[b.Hash()] // 0 for the first one
	if newest, ok := p.states[at]; ok {
		at = newest
	}
	state, err := p.at(at)
	if err != nil {
		return nil
	}
	return state.Tracked()
}

// at returns the State of a record.
func (p *past) at(at position) (*evmstate.State, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	var way []position // records whose changes lead to the State, the newest first
	state, ok := p.made[at]
	for to := at; !ok; {
		e := p.entries[to]
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
		p.made = map[position]*evmstate.State{0: p.made[0]}
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
	if err == nil && at != 0 && state.Root() != p.entries[at].root {
		err = &recordError{at, errors.New("the state has another root than was recorded")}
	}
	return state, err
}

// apply returns the State of the record at to, made from that of its base.
func (p *past) apply(tx *bbolt.Tx, to position, base *evmstate.State) (*evmstate.State, error) {
	bucket := p.network.bucket(tx)
	data, err := unsealed(key(to), bucket.Bucket(logBucket).Get(key(to)))
	if err != nil {
		return nil, err
	}
	r, err := decodeRecord(data)
	if err != nil {
		return nil, err
	}
	changes, err := r.state.decodeChanges(func(hash common.Hash) (*evmstate.Code, error) { return p.code(bucket, hash) })
	if err != nil {
		return nil, err
	}
	return base.With(slices.Values(changes)), nil
}

// code returns the code with a hash.
func (p *past) code(bucket *bbolt.Bucket, hash common.Hash) (*evmstate.Code, error) {
	if code := p.codes[hash]; code != nil {
		return code, nil
	}
	data, err := unsealed(hash[:], bucket.Bucket(codesBucket).Get(hash[:]))
	if err != nil {
		return nil, fmt.Errorf("code %s: %w", hash, err)
	}
	code := &evmstate.Code{Hash: hash, Bytes: slices.Clone(data)}
	p.codes[hash] = code
	return code, nil
}
