package preconf

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/feed"
)

// EventKind describes which fields of an Event are set.
type EventKind string

const (
	// FlashblockAdded: Flashblock and View (the pending block so far).
	FlashblockAdded EventKind = "FlashblockAdded"
	// HeadAdded: View is a sealed block that became the head.
	HeadAdded EventKind = "HeadAdded"
	// LogsAdded: View is a sealed block, Logs its logs (never empty). It follows the block's HeadAdded.
	LogsAdded EventKind = "LogsAdded"
	// HeadCommitted: View is a sealed block that reached State (Behaviour.CommitStates).
	HeadCommitted EventKind = "HeadCommitted"
	// LogsCommitted: View is such a block, Logs its logs (never empty).
	LogsCommitted EventKind = "LogsCommitted"
	// LogsRemoved: View is a block that a reorg removed, Logs its logs with Removed set (never empty).
	LogsRemoved EventKind = "LogsRemoved"
	// LogsRetracted: Logs are pre-confirmed logs that were announced and will not come true, with Removed set. Only
	// faults that ask for it send it.
	LogsRetracted EventKind = "LogsRetracted"
	// TransactionPooled: Transaction and Sender entered the pool, see pool.Behaviour.AnnounceReady.
	TransactionPooled EventKind = "TransactionPooled"
	// FlashblockDisturbed: Fault, and what it changed. What it makes happen at once comes before it.
	FlashblockDisturbed EventKind = "FlashblockDisturbed"
)

// Event is one thing that happened, as every Feed sees it. It is shared by all readers: do not modify what it holds.
type Event struct {
	Kind        EventKind
	Announced   uint64 // flashblocks up to this event, but for those announced again
	View        *View
	Flashblock  *Flashblock
	Logs        []*types.Log
	State       string // of a block: Proposed, Voted, Finalized or Verified
	Transaction *types.Transaction
	Sender      common.Address
	Fault       control.FlashblockFault
	FaultResult control.FaultResult
}

// Flashblock is one pre-confirmed slice of the block being built.
type Flashblock struct {
	// View is the pending block up to and including this flashblock.
	View *View
	// Number of the block, and this flashblock's index in it, from 0.
	Number uint64
	Index  int
	// Previous is the flashblock that was announced before this one, the zero value if there was none. Where this one is
	// announced again, Previous stays what it was.
	Previous FlashblockID
	// First is the index in the block of the first of Transactions.
	First int
	// Transactions, Receipts and Logs are this flashblock's own; those that an OP-stack block begins with belong to its
	// first flashblock. Receipts and logs have the hash of View.
	Transactions evmstate.Transactions
	Receipts     types.Receipts
	Logs         []*types.Log
	// Stalled: a stall fault swallowed this flashblock; all else is zero.
	Stalled bool

	skipped bool // empty ones before it were not made, as nobody read them
}

// Feed reads the timeline's events in order.
type Feed = feed.Feed[Event]

// Reader says how a Feed is read. The zero value is a reader of everything that happens from now on.
type Reader struct {
	// Lag names the replica that is read: the events go on from what its readers see. The zero value names none.
	Lag Lag
	// Idle is set for a reader for whom nothing need happen: a clock that follows the wall clock moves when somebody else
	// asks or waits.
	Idle bool
	// Sparse lets the reader miss empty flashblocks of empty blocks.
	Sparse bool
}

// Subscribe returns a Feed of everything that happens from now on: of what the Moment does not show yet. It does not
// wait for writers. Close it.
func (t *Timeline) Subscribe() *Feed {
	f, _ := t.SubscribeAs(Reader{})
	return f
}

// SubscribeAs is Subscribe for a given reader. It also returns the flashblocks that were announced last, before what
// the Feed reads: at most RecentFlashblocks, oldest first, those that were taken back since among them. A copy or Clone
// of a Timeline has announced none yet.
func (t *Timeline) SubscribeAs(r Reader) (*Feed, []*Flashblock) {
	if !r.Idle {
		t.pace.Watch(1)
	}
	if !r.Sparse {
		t.audience.Add(1)
	}
	now := t.present.Load()
	return feed.New(now.behind(r.Lag).newest, func() {
		if !r.Sparse {
			t.audience.Add(-1)
		}
		if !r.Idle {
			t.pace.Watch(-1)
		}
	}), slices.Clip(now.recent)
}
