package preconf

import (
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// Moment is the whole node at one instant. It is immutable: what it returns is consistent in itself, whatever writers
// do meanwhile. It embeds the queries of a world; what changes a world is a method of change, which no Moment holds.
type Moment struct {
	world
	makeEmpty sync.Once
	empty     *slice // the pending block while nothing is pre-confirmed; see emptyPending
	makePool  sync.Once
	pooled    *slice // the block that would be sealed now; see poolPending
}

func newMoment(w world) *Moment { return &Moment{world: w} }

// Signer returns the signer for the block being built, which also finds the senders of what may be in it.
func (m *Moment) Signer() types.Signer { return signerOf(m.chain, m.NextHeader()) }

// signerOf returns the signer for a block of c.
func signerOf(c *chain.Chain, h *types.Header) types.Signer {
	return types.MakeSigner(c.Config(), h.Number, h.Time)
}

// emptyPending returns the pending block while nothing is pre-confirmed, or nil where the rules allow no next block. It
// is made when first asked for. It has no deposits of an OP-stack chain: those are in the first flashblock.
func (m *Moment) emptyPending() *slice {
	m.makeEmpty.Do(func() {
		env := m.env()
		env.Unbegun = true
		m.empty = m.beginning(env)
	})
	return m.empty
}

// poolPending returns the block that would be sealed now, or nil where the rules allow no next block.
func (m *Moment) poolPending() *slice {
	m.makePool.Do(func() {
		if m.pooled = m.beginning(m.env()); m.pooled != nil {
			m.pooled = m.pooled.with(m.pool.Fill(m.pooled.draft, m.cfg.Order, 0, pool.Any).Batch, nil)
			m.pooled.index = -1 // it is no flashblock
		}
	})
	return m.pooled
}

// Chain returns the sealed blocks and the orphans.
func (m *Moment) Chain() *chain.Chain { return m.chain }

// Now returns the time of the clock.
func (m *Moment) Now() time.Time { return time.Unix(0, m.control.Clock.Now).UTC() }

// RealClock reports whether the clock can follow the wall clock.
func (m *Moment) RealClock() bool { return m.cfg.Real }

// Mode returns the way in which flashblocks and blocks are made.
func (m *Moment) Mode() control.Mode { return m.control.Settings.Mode }

// BlockTime is the distance of two block slots.
func (m *Moment) BlockTime() time.Duration { return m.control.Settings.BlockTime }

// Control returns the values that commands set. Do not modify what they point to.
func (m *Moment) Control() control.Control { return m.control }

// Latest returns the head.
func (m *Moment) Latest() *View { return m.sealed(m.chain.Head()) }

// Earliest returns the genesis block, on a fork that of the remote chain. The error is a *remote.Error.
func (m *Moment) Earliest() (*View, error) { return m.ByNumber(m.EarliestNumber()) }

// EarliestNumber returns the number of the genesis block, on a fork that of the remote chain.
func (m *Moment) EarliestNumber() uint64 {
	if m.chain.Fork() != nil {
		return 0
	}
	return m.chain.Base()
}

// Pending returns the block being pre-confirmed, the last of PendingBlocks: what flashblocks announced, and nothing
// else. While there is none that is an empty block on top of latest, on an OP-stack chain without the deposits that it
// will begin with, or the one that would be sealed now, see Config.PendingPool. Without flashblocks, or where the rules
// allow no next block, it returns latest. Where rules replaced flashblocks by blocks, calls there run in the block
// after it (View.CallView). It is never nil.
func (m *Moment) Pending() *View {
	switch m.NoFlashblocks() {
	case ErrNoPreconf:
		return m.Latest()
	case ErrFlashblocksEnded:
		v := m.Latest()
		v.next = new(m.env())
		return v
	}
	s := m.newestPending()
	switch {
	case s != nil:
	case m.cfg.PendingPool:
		s = m.poolPending()
	default:
		s = m.emptyPending()
	}
	if s == nil {
		return m.Latest()
	}
	return m.pendingView(s)
}

// PendingHeader returns the header of the block at pending, as it began: NextHeader's, or that of a late block while
// nothing on top of it is pre-confirmed. Do not modify it.
func (m *Moment) PendingHeader() *types.Header {
	if s := m.newestPending(); s != nil {
		return s.draft.Header()
	}
	return m.NextHeader()
}

// PendingBlocks returns the pre-confirmed blocks, oldest first: none, one, or two while a sealed block is late. A late
// one may be empty.
func (m *Moment) PendingBlocks() []*View {
	var views []*View
	for _, s := range m.pendingSlices() {
		views = append(views, m.pendingView(s))
	}
	return views
}

// ByNumber returns the canonical block with that number. Errors: *UnknownBlockError, and below a fork block a
// *remote.Error.
func (m *Moment) ByNumber(n uint64) (*View, error) {
	b, err := m.chain.BlockAt(n)
	switch {
	case err != nil:
		return nil, err
	case b == nil:
		return nil, &UnknownBlockError{Number: &n, Head: m.chain.Head().Number()}
	}
	return m.sealed(b), nil
}

// ByHash returns the block with that hash, orphans included. Errors: *UnknownBlockError, and on a fork a *remote.Error.
func (m *Moment) ByHash(h common.Hash) (*View, error) {
	b, canonical, err := m.chain.BlockWith(h)
	switch {
	case err != nil:
		return nil, err
	case b == nil:
		return nil, &UnknownBlockError{Hash: &h, Head: m.chain.Head().Number()}
	}
	return viewOf(m.chain, b, !canonical), nil
}

// world is all that a node remembers of its chain, as one value: keeping a copy is a snapshot, putting it back a
// revert. All it points to is immutable, and its methods only read it: those of change write.
type world struct {
	cfg *Config

	chain         *chain.Chain // sealed and announced
	late          *late        // a sealed block that is not announced yet; nil: none
	tip           *slice       // newest flashblock of the block being built; nil: none
	lastAnnounced *Flashblock  // the one announced last when this came to be, while there is a tip; nil: none

	pool    pool.Pool
	blobs   pool.Blobs
	control control.Control

	below *Moment // the L1 below; nil: there is none
}

// builder returns the chain that the next block goes on: the announced one, or the one that is a late block ahead.
func (w *world) builder() *chain.Chain {
	if w.late != nil {
		return w.late.chain
	}
	return w.chain
}

func (w *world) nextNumber() uint64 { return w.builder().Head().Number() + 1 }

// newest returns the state with everything pre-confirmed, and with what L1 brings into a block that has not begun: it
// comes before all transactions.
func (w *world) newest() *evmstate.State {
	if w.tip != nil {
		return w.tip.draft.State()
	}
	if !w.control.Next.FromL1.IsEmpty() || w.control.Weather.OfL1() || w.hasL1() {
		if s := w.beginning(w.env()); s != nil {
			return s.draft.State()
		}
	}
	c := w.builder()
	s, err := c.StateAt(c.Head())
	if err != nil {
		panic(err) // New and Reorg reject a head without State
	}
	return s
}

// NextHeader returns the header of the block being built, as it began, also where readers see none; the head's where
// the rules allow no next block. Do not modify it.
func (w *world) NextHeader() *types.Header {
	if w.tip != nil {
		return w.tip.draft.Header()
	}
	c := w.builder()
	if h, err := c.NextHeader(w.env()); err == nil {
		return h
	}
	return c.Head().Header()
}

// pendingSlices returns the newest flashblocks of the pre-confirmed blocks.
func (w *world) pendingSlices() []*slice {
	var slices []*slice
	if w.NoFlashblocks() != nil {
		return nil
	}
	if w.late != nil {
		slices = append(slices, w.late.slice)
	}
	if w.tip != nil {
		slices = append(slices, w.tip)
	}
	return slices
}

// newestPending returns the newest flashblock of the newest pre-confirmed block, or nil.
func (w *world) newestPending() *slice {
	if open := w.pendingSlices(); len(open) > 0 {
		return open[len(open)-1]
	}
	return nil
}

// sealed returns the View of a block of the announced chain.
func (w *world) sealed(b *chain.Block) *View { return viewOf(w.chain, b, false) }

// pendingView returns the View of a block being built, up to and including s.
func (w *world) pendingView(s *slice) *View {
	v := &View{Content: s.draft, chain: s.draft.Chain(), slice: s, lag: w.control.Faults.Lag}
	if hash := w.cfg.PendingHash; hash != ZeroHash {
		v.hashed = sync.OnceValue(func() *hashedSlice { return withHash(hash.of(v), s.receipts) })
	}
	return v
}
