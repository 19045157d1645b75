package preconf

import (
	"sync"

	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/pool"
)

// world is all that a node remembers of its chain, as one value: keeping a copy is a snapshot, putting it back a
// revert. All it points to is immutable, and its methods only read it: those of change write.
type world struct {
	cfg *Config

	chain *chain.Chain // sealed and announced
	late  *late        // a sealed block that is not announced yet; nil: none
	tip   *slice       // newest flashblock of the block being built; nil: none
	told  *Flashblock  // the one announced last when this came to be, while there is a tip; nil: none

	pool    pool.Pool
	dropped pool.Drops
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
	if !w.control.Next.FromL1.IsEmpty() || w.control.Weather.OfL1() || w.derives() {
		if s := w.beginning(w.env()); s != nil {
			return s.draft.State()
		}
	}
	c := w.builder()
	s, err := c.StateAt(c.Head())
	if err != nil {
		// New and Reorg reject a head without State.
		panic(err)
	}
	return s
}

// nextHeader returns the header of the block being built, the head's where the rules allow no next block.
func (w *world) nextHeader() *types.Header {
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
	if w.noFlashblocks() != nil {
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
func (w *world) sealed(b *chain.Block) *View { return &View{chain: w.chain, block: b} }

// pendingView returns the View of a block being built, up to and including s.
func (w *world) pendingView(s *slice) *View {
	v := &View{chain: s.draft.Chain(), slice: s, lag: w.control.Faults.Lag}
	if w.cfg.PendingHash {
		v.hashed = sync.OnceValue(v.withHash)
	}
	return v
}
