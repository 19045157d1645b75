package store

import (
	"crypto/sha256"
	"encoding/json"
	"slices"
	"time"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// wholeFrom is the size in bytes of changes after which a whole State is written, if the last whole one was smaller.
const wholeFrom = 1 << 20

// add adds the changes in a Moment since the last one. shown is the time when the Moment began.
func (b *batch) add(m *preconf.Moment, shown time.Time, final bool, report func(int)) error {
	n, c := b.network, m.Sealed()
	if n.Origin == nil {
		if err := b.begin(c); err != nil {
			return err
		}
	}
	before := len(b.puts)
	head, err := b.addChain(c, report)
	if err != nil {
		return err
	}
	saved := m.Saved()
	is, err := essenceOf(m, *saved, shown)
	if err != nil {
		return err
	}
	if !final && len(b.puts) == before && n.now != nil && n.now.Head == head && is.sum == n.now.essence.sum && (is.ahead-n.now.essence.ahead).Abs() <= jitter {
		return nil
	}
	newest := now{Head: head, Last: n.last(), Wall: shown.UnixNano(), Clean: final, Saved: saved, essence: is}
	text, err := json.Marshal(newest)
	if err != nil {
		return err
	}
	newest.Saved = nil // it is in the file
	n.now = &newest
	b.puts = append(b.puts, sets(nil, nowKey, text), sets(nil, headKey, headValue(head, c.Head().Number())))
	return nil
}

// begin adds the origin of a network that the file does not have yet.
func (b *batch) begin(c *chain.Chain) error {
	n := b.network
	if n.source != nil {
		return b.beginCopy()
	}
	origin := originOf(c)
	puts, err := origin.puts(c)
	if err != nil {
		return err
	}
	n.Origin = origin
	b.puts = append(b.puts, puts...)
	return nil
}

// addChain adds new blocks, new States, and blocks that became unknown. It returns the position of the head.
func (b *batch) addChain(c *chain.Chain, report func(int)) (position, error) {
	n := b.network
	was := n.previous
	n.previous = c
	if n.source == nil {
		n.setBase(c)
	}
	var added []*chain.Block // newest first
	known := c.Head()
	for ; known.Number() > c.Base() && n.find(known.Hash()) == 0; known = c.BlockByNumber(known.Number() - 1) {
		added = append(added, known)
	}
	// At and below the newest block that both chains have, nothing has changed.
	for at := known; ; at = c.BlockByNumber(at.Number() - 1) {
		if err := b.addState(c, at); err != nil {
			return 0, err
		}
		if at.Number() == c.Base() || was == nil || was.BlockByNumber(at.Number()) == at {
			break
		}
	}
	for _, block := range slices.Backward(added) {
		if err := b.addBlock(c, block); err != nil {
			return 0, err
		}
		report(1)
	}
	head := n.find(c.Head().Hash())
	n.moveTo(head)
	if err := b.addOrphans(c, was); err != nil {
		return 0, err
	}
	n.moveTo(head)
	return head, nil
}

// addOrphans adds the orphans that the log lacks, or has without their States, and marks its orphans that c does not
// know: a revert of the network, or of a copy's source before the copy was written, brought orphans back or took them
// away.
func (b *batch) addOrphans(c, was *chain.Chain) error {
	orphans := c.Orphans
	if was != nil {
		if c.SameOrphans(was) {
			return nil
		}
		orphans = func() []*chain.Block { return c.OrphansSince(was) }
	}
	b.forgetUnknown(c)
	for _, block := range orphans() {
		add := b.addState
		if b.network.find(block.Hash()) == 0 {
			add = b.addBlock
		}
		if err := add(c, block); err != nil {
			return err
		}
	}
	return nil
}

func (b *batch) addBlock(c *chain.Chain, block *chain.Block) error {
	n := b.network
	data, err := block.Record()
	if err != nil {
		return err
	}
	parent := n.find(block.Header().ParentHash)
	r := record{kind: kindBlock, of: n.last() + 1, entry: entry{parent: parent, base: n.newest(parent), missing: true, hash: block.Hash()}, block: data}
	if state, err := c.StateAt(block); err == nil {
		if err := b.setState(&r, state); err != nil {
			return err
		}
	}
	b.append(r)
	return nil
}

// addState adds the State of a block in the log, if it differs from the newest one there.
func (b *batch) addState(c *chain.Chain, block *chain.Block) error {
	n := b.network
	state, err := c.StateAt(block)
	if err != nil {
		return nil // it is pruned, so nobody can change it
	}
	of := n.find(block.Hash())
	newest := n.at(n.newest(of))
	if !newest.missing && newest.root == state.Root() {
		return nil
	}
	r := record{kind: kindState, of: of, entry: entry{base: n.baseOf(of)}}
	if err := b.setState(&r, state); err != nil {
		return err
	}
	b.append(r)
	return nil
}

// setState sets the State of a record as the difference from its base's. It is written whole now and then, and if the
// changes are only known from a State that the log lacks, because the same block was made again on that.
func (b *batch) setState(r *record, state *evmstate.State) error {
	n := b.network
	r.root, r.missing, r.whole = state.Root(), false, n.at(r.base).root != state.ChangedFrom() || n.since > max(wholeFrom, n.whole)
	changes := state.Changes()
	if r.whole {
		changes = state.All()
	}
	var codes []*evmstate.Code
	var err error
	if r.changes, codes, err = newChanges(changes); err != nil {
		return err
	}
	for _, code := range codes {
		if n.hasCode(code.Hash) {
			continue
		}
		n.codes[code.Hash] = true
		b.puts = append(b.puts, sets(codesBucket, code.Hash[:], code.Bytes))
	}
	return nil
}

// forgetUnknown marks the orphans that c does not know.
func (b *batch) forgetUnknown(c *chain.Chain) {
	n := b.network
	for _, at := range n.sortedOrphans() {
		if known, _ := c.BlockByHash(n.at(at).hash); known != nil {
			continue
		}
		data := record{kind: kindForget, of: at}.encode()
		b.puts = append(b.puts, sets(logBucket, key(n.last()+1), data))
		_ = n.forget(at) // it is there
	}
}

// append adds a record to the log.
func (b *batch) append(r record) {
	n := b.network
	n.add(r.entry, r.of, len(r.changes))
	b.puts = append(b.puts, sets(logBucket, key(n.last()), r.encode()))
}

// essence holds the parts of a Moment, besides its blocks, whose change is worth a transaction.
type essence struct {
	sum   [sha256.Size]byte // of Saved without the fields that change when only time passes
	ahead time.Duration     // real clock minus wall clock
}

// jitter is by how much a real clock may be more or less ahead of the wall clock than in the file: it may be late.
const jitter = 500 * time.Millisecond

// essenceOf returns the essence of a Moment that began at a reading of the wall clock.
func essenceOf(m *preconf.Moment, s preconf.Saved, wall time.Time) (e essence, err error) {
	if m.RealClock() {
		e.ahead = time.Unix(0, s.Clock.Now).Sub(wall)
		s.Clock = control.Clock{Floor: s.Clock.Floor}
		s.Pending = withoutEmpty(s.Pending)
	}
	text, err := json.Marshal(s)
	e.sum = sha256.Sum256(text)
	return e, err
}

// withoutEmpty returns a pending block without flashblocks that have no transactions, nil if there are no others.
func withoutEmpty(p *preconf.SavedPending) *preconf.SavedPending {
	if p == nil {
		return nil
	}
	left := preconf.SavedPending{Time: p.Time}
	for _, f := range p.Flashblocks {
		if len(f.Transactions) > 0 {
			left.Flashblocks = append(left.Flashblocks, f)
		}
	}
	if len(left.Flashblocks) == 0 {
		return nil
	}
	return &left
}
