package store

import (
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"

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

// endLoading frees the fields that only loading needs, also in the network's copies.
func (n *Network) endLoading() {
	if n.source != nil || n.loading.first == nil {
		return
	}
	n.loading.first, n.trunks, n.blocks = nil, nil, nil
	for _, c := range n.store.copies {
		if c.root() == n {
			c.blocks = nil
		}
	}
}
