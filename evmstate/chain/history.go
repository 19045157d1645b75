package chain

import (
	"fmt"
	"slices"

	"github.com/fakenode/fakenode/evmstate"
)

// PrunedError reports that the State of a block is no longer kept; see Options.History.
type PrunedError struct{ Number uint64 }

func (e *PrunedError) Error() string { return fmt.Sprintf("state of block %d is pruned", e.Number) }

// StateAt returns the State after block b, which may be an orphan. The States of at least Options.History of the newest
// orphans are kept. The error is a *PrunedError.
func (c *Chain) StateAt(b *Block) (*evmstate.State, error) {
	n := b.Number()
	switch {
	case n < c.base:
		return c.fork.stateAt(n), nil
	case n+c.history <= c.Head().Number():
		return nil, &PrunedError{Number: n}
	}
	if s := c.stateOf(b); s != nil {
		return s, nil
	}
	return nil, &PrunedError{Number: n}
}

// stateOf returns the State after b if it is kept, in whatever form, or nil.
func (c *Chain) stateOf(b *Block) *evmstate.State {
	switch s := c.held(b); s {
	case nil:
		return c.remembered(b)
	case leftOut:
		return c.replayed(b)
	default:
		return s
	}
}

// held returns the State after b as it is in memory: nil if it is not, leftOut if it is to be made.
func (c *Chain) held(b *Block) *evmstate.State {
	switch {
	case !c.canonical(b):
		return c.cut.find(b)
	case b.Number() == c.Head().Number():
		return c.state
	}
	return c.states.at(b.Number())
}

// window holds the States of the canonical blocks first, first+1 … up to the one below the head, some of them
// leftOut.
type window struct {
	first  uint64
	states vector[*evmstate.State]
}

// at returns the State of block n, or nil if it is not in the window.
func (w window) at(n uint64) *evmstate.State {
	if n < w.first || n-w.first >= uint64(w.states.len()) {
		return nil
	}
	return w.states.items[n-w.first]
}

// below returns the window with the blocks below n.
func (w window) below(n uint64) window {
	if n <= w.first {
		return window{first: n}
	}
	return window{w.first, w.states.truncate(int(n - w.first))}
}

// push returns the window with the State of the next block. It drops States that leave the history in batches, which
// keeps the average cost of a push constant, and reports whether it did so.
func (w window) push(s *evmstate.State, history uint64) (next window, compacted bool) {
	w.states = w.states.append(s)
	kept := uint64(w.states.len())
	if kept < history+history/32+16 {
		return w, false
	}
	drop := int(min(kept-1, kept-(history-1))) // the head counts as part of the history but is kept elsewhere
	for drop > 0 && w.states.items[drop] == leftOut {
		drop-- // it is made from one below
	}
	w.states = newVector(append(make([]*evmstate.State, 0, kept), w.states.items[drop:]...))
	w.first += uint64(drop)
	return w, true
}

// branch holds a run of blocks that Truncate or a lost fork choice removed from the canonical chain, with their States.
// Branches form a linked list, newest first.
type branch struct {
	blocks []*Block
	states []*evmstate.State
	next   *branch
	size   uint64 // number of States in this and all older branches
}

// with returns the list with one more branch in front.
func (br *branch) with(blocks []*Block, states []*evmstate.State) *branch {
	front := &branch{blocks: blocks, states: states, next: br, size: uint64(len(states))}
	if br != nil {
		front.size += br.size
	}
	return front
}

// cutAbove returns the branches and one more: the canonical blocks above n whose States are kept.
func (c *Chain) cutAbove(n uint64) *branch {
	blocks := c.blocks.items[max(n+1, c.states.first)-c.base:]
	states := make([]*evmstate.State, len(blocks))
	for i, b := range blocks[:len(blocks)-1] {
		states[i] = c.states.at(b.Number())
	}
	states[len(states)-1] = c.state
	if states[0] == leftOut {
		states[0] = c.stateOf(blocks[0]) // those after it may be made from it
	}
	return c.keep(c.cut.with(slices.Clone(blocks), states))
}

// keep returns the branches without the oldest ones if there are too many, because repeated reorgs at one height must
// not take more and more memory.
func (c *Chain) keep(cut *branch) *branch {
	if cut.size <= 2*c.history {
		return cut
	}
	return cut.trim(c.Head().Number(), c.history)
}

// find returns the State of an orphan, or nil if no branch holds it.
func (br *branch) find(b *Block) *evmstate.State {
	for ; br != nil; br = br.next {
		lowest := br.blocks[0].Number()
		if i := b.Number() - lowest; b.Number() >= lowest && i < uint64(len(br.blocks)) && br.blocks[i].hash == b.hash {
			return br.states[i]
		}
	}
	return nil
}

// trim returns the branches that still reach into the history of a chain with the given head. It keeps the newest ones,
// until they hold as many States as the history.
func (br *branch) trim(head, history uint64) *branch {
	var kept []*branch
	for size := uint64(0); br != nil && size < history; br = br.next {
		if top := br.blocks[len(br.blocks)-1].Number(); top+history > head {
			kept = append(kept, br)
			size += uint64(len(br.states))
		}
	}
	var list *branch
	for _, br := range slices.Backward(kept) {
		list = list.with(br.blocks, br.states)
	}
	return list
}
