package store

import (
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/persistent"
)

// log lists the records of a network, without their bytes. The log of a copy shares the records that its basis had when
// the copy was begun. A log is copied by assignment: its maps are immutable, and its lists are only appended to.
type log struct {
	below   *log           // of the basis; nil: the log belongs to no copy
	from    position       // of the first of the log's own records
	entries []entry        // the log's own records, by position; entries are only appended, so that others may share them
	blocks  []*chain.Block // of entries, while the file is read

	index
	building persistent.Owner // changes index.positions in place while the file is read, else 0
}

// index finds the records of a log.
type index struct {
	positions persistent.Map[common.Hash, position] // of blocks, except the first and forgotten ones
	states    persistent.Map[position, position]    // of a block's newest State, if it is not in the block's own record
	tip       position                              // of the block whose ancestors are canonical
	orphans   persistent.Map[position, struct{}]    // the other blocks, except forgotten ones
	read      position                              // the last record when the network was loaded
	loaded    persistent.Map[position, position]    // states as of then
	since     int                                   // bytes of changes since the newest whole State, or since the first block
	whole     int                                   // bytes of that whole State
}

// entry is a record in memory, without its changes.
type entry struct {
	base    position // of the record whose State the changes apply to
	root    common.Hash
	whole   bool        // the changes are all accounts, and do not apply to base
	missing bool        // the State was pruned before it could be written: there are no changes and no root
	parent  position    // of a block
	hash    common.Hash // of a block; zero: the record has none
}

// newLog returns a log whose first entry stands for the first block.
func newLog() log { return log{entries: make([]entry, 1), blocks: make([]*chain.Block, 1)} }

// branch returns a log that continues after the last record of l.
func (l *log) branch() log {
	l.building = 0
	return log{below: l, from: l.last() + 1, index: l.index}
}

func (l *log) last() position { return l.from + position(len(l.entries)) - 1 }

func (l *log) at(at position) *entry {
	for at < l.from {
		l = l.below
	}
	return &l.entries[at-l.from]
}

// block returns the block of a record that was read from the file, or nil if the record has none.
func (l *log) block(at position) *chain.Block {
	for at < l.from {
		l = l.below
	}
	if i := at - l.from; i < position(len(l.blocks)) {
		return l.blocks[i]
	}
	return nil
}

// find returns the position of a block; 0 for the first one, and if it is not in the log or is forgotten.
func (l *log) find(hash common.Hash) position {
	at, _ := l.positions.Get(hash)
	return at
}

// knows reports whether a record has a block that is not forgotten.
func (l *log) knows(at position) bool {
	hash := l.at(at).hash
	return hash != common.Hash{} && l.find(hash) == at
}

// newest returns the position of the record with the newest State of a block.
func (l *log) newest(block position) position {
	if at, ok := l.states.Get(block); ok {
		return at
	}
	return block
}

// add adds a record with so many bytes of changes: a block, which becomes the tip, or a State of the block at of.
func (l *log) add(e entry, of position, bytes int) {
	at := l.last() + 1
	l.entries = append(l.entries, e)
	if e.hash == (common.Hash{}) {
		l.states = l.states.Set(of, at)
	} else {
		l.positions.SetInPlace(e.hash, at, l.building)
		l.moveTo(at)
	}
	l.since += bytes
	if e.whole {
		l.since, l.whole = 0, bytes
	}
}

// moveTo makes another block the tip. A parent has a lower position than its children.
func (l *log) moveTo(tip position) {
	was, is := l.tip, tip
	for was != is {
		if was > is {
			if l.knows(was) {
				l.orphans = l.orphans.Set(was, struct{}{})
			}
			was = l.at(was).parent
		} else {
			if l.orphans.Len() > 0 {
				l.orphans = l.orphans.Delete(is)
			}
			is = l.at(is).parent
		}
	}
	l.tip = tip
}

func (l *log) sortedOrphans() []position {
	all := make([]position, 0, l.orphans.Len())
	for at := range l.orphans.All() {
		all = append(all, at)
	}
	slices.Sort(all)
	return all
}

// forget adds a record that makes the block at a position unknown.
func (l *log) forget(at position) error {
	if !l.knows(at) {
		return errors.New("it forgets a block that is not there")
	}
	l.building = 0
	l.positions = l.positions.Delete(l.at(at).hash)
	l.orphans = l.orphans.Delete(at)
	l.entries = append(l.entries, entry{})
	return nil
}

// path returns the positions of the blocks after an ancestor up to the one at another position.
func (l *log) path(ancestor, to position) []position {
	var path []position
	for ; to != ancestor; to = l.at(to).parent {
		path = append(path, to)
	}
	slices.Reverse(path)
	return path
}

// commonAncestor returns the position of the newest common ancestor of two blocks, or of one of them if it is the
// other's ancestor. A parent has a lower position than its children.
func (l *log) commonAncestor(a, b position) position {
	for a != b {
		if a > b {
			a = l.at(a).parent
		} else {
			b = l.at(b).parent
		}
	}
	return a
}

// newestBlock returns the position of the last block of the log that is not forgotten; 0: only the first one is left.
func (l *log) newestBlock() position {
	at := l.last()
	for at != 0 && !l.knows(at) {
		at--
	}
	return at
}

// baseOf returns the base of a block's States: the parent's record, or the block's own as it was loaded.
func (l *log) baseOf(block position) position {
	if block > l.read {
		return l.at(block).base
	}
	if at, ok := l.loaded.Get(block); ok {
		return at
	}
	return block
}
