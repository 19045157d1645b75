package store

import (
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
)

// log is what the writer and the reader remember of a network's records.
type log struct {
	entries   []entry                  // by position; the first stands for the first block
	positions map[common.Hash]position // of blocks, but for the first and those that are forgotten
	states    map[position]position    // of a block's newest State, where it is not in the block's own record
	orphans   map[position]*chain.Block
	read      position              // the last record when the network was loaded
	loaded    map[position]position // states, as they were then
	since     int                   // bytes of changes since the newest whole State, or since the first block
	whole     int                   // bytes of that whole State
}

// entry is a record in memory, without its changes.
type entry struct {
	stateRecord
	block  *chain.Block // nil: the record has none, or the block is forgotten
	parent position     // of a block
}

func newLog() log {
	return log{
		entries: make([]entry, 1), positions: make(map[common.Hash]position), states: make(map[position]position),
		orphans: make(map[position]*chain.Block),
	}
}

// last returns the position of the last record.
func (l *log) last() position { return position(len(l.entries) - 1) }

// newest returns the position of the record with the newest State of a block.
func (l *log) newest(block position) position {
	if at, ok := l.states[block]; ok {
		return at
	}
	return block
}

// split returns the blocks from 1 to the one at head, and the others that are known, in the order of the log.
func (l *log) split(head position) (canonical, orphans []*chain.Block) {
	on := make([]bool, len(l.entries))
	for at := head; at != 0; at = l.entries[at].parent {
		on[at] = true
		canonical = append(canonical, l.entries[at].block)
	}
	slices.Reverse(canonical)
	for at, e := range l.entries {
		if e.block != nil && !on[at] {
			orphans = append(orphans, e.block)
			l.orphans[position(at)] = e.block
		}
	}
	return canonical, orphans
}

// add adds the record at the next position. bytes is the length of its changes.
func (l *log) add(e entry, bytes int) {
	at := l.last() + 1
	l.entries = append(l.entries, e)
	switch {
	case e.block != nil:
		l.positions[e.block.Hash()] = at
	default:
		l.states[e.of] = at
	}
	l.since += bytes
	if e.whole {
		l.since, l.whole = 0, bytes
	}
}

// forget adds the record that the block at a position is not known any more.
func (l *log) forget(at position) error {
	block := l.entries[at].block
	if block == nil {
		return errors.New("it forgets a block that is not there")
	}
	delete(l.positions, block.Hash())
	delete(l.orphans, at)
	l.entries[at].block = nil
	l.entries = append(l.entries, entry{})
	return nil
}

// snapshot returns a function that puts back what adding or forgetting e changes.
func (l *log) snapshot(e entry) func() {
	count, since, whole := len(l.entries), l.since, l.whole
	state, known := l.states[e.of]
	var block position
	if e.block != nil {
		block = l.positions[e.block.Hash()]
	}
	return func() {
		l.entries, l.since, l.whole = l.entries[:count], since, whole
		switch {
		case e.block != nil && block != 0:
			l.positions[e.block.Hash()] = block
		case e.block != nil:
			delete(l.positions, e.block.Hash())
		case known:
			l.states[e.of] = state
		default:
			delete(l.states, e.of)
		}
	}
}

// due reports whether the next State is to be written whole.
func (l *log) due() bool { return l.since > wholeFrom && l.since > l.whole }

// baseOf returns the record whose State those of a block tell their changes from: that of the parent, or its own as it
// was loaded.
func (l *log) baseOf(block position) position {
	if block > l.read {
		return l.entries[block].base
	}
	if at, ok := l.loaded[block]; ok {
		return at
	}
	return block
}
