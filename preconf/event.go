package preconf

import (
	"strconv"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/feed"
)

// EventKind describes which fields of an Event are set.
type EventKind int

const (
	// FlashblockAdded: Flashblock and View (the pending block so far).
	FlashblockAdded EventKind = iota
	// HeadAdded: View is a sealed block that became the head.
	HeadAdded
	// LogsAdded: View is a sealed block, Logs its logs (never empty). It follows the block's HeadAdded.
	LogsAdded
	// LogsRemoved: View is a block that a reorg removed, Logs its logs with Removed set (never empty).
	LogsRemoved
	// LogsRetracted: Logs are pre-confirmed logs that were announced and will not come true, with Removed set. Only
	// faults that ask for it send it.
	LogsRetracted
	// TransactionPooled: Transaction and Sender entered the pool, see pool.Behaviour.AnnounceReady.
	TransactionPooled
	// FlashblockDisturbed: Fault, and what it changed. What it makes happen at once comes before it.
	FlashblockDisturbed
)

var eventKindNames = [...]string{
	FlashblockAdded: "FlashblockAdded", HeadAdded: "HeadAdded", LogsAdded: "LogsAdded",
	LogsRemoved: "LogsRemoved", LogsRetracted: "LogsRetracted", TransactionPooled: "TransactionPooled",
	FlashblockDisturbed: "FlashblockDisturbed",
}

// String returns the kind's name in Go.
func (k EventKind) String() string {
	if k < 0 || int(k) >= len(eventKindNames) {
		return "EventKind(" + strconv.Itoa(int(k)) + ")"
	}
	return eventKindNames[k]
}

// Event is one thing that happened, as every Feed sees it. It is shared by all readers: do not modify what it holds.
type Event struct {
	Kind        EventKind
	Announced   uint64 // flashblocks up to this event, but for those announced again
	View        *View
	Flashblock  *Flashblock
	Logs        []*types.Log
	Transaction *types.Transaction
	Sender      common.Address
	Fault       control.FlashblockFault
	FaultResult FaultResult
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

// Errors of Feed.Next.
var (
	ErrSlow       = feed.ErrSlow
	ErrFeedClosed = feed.ErrClosed
)

// Subscribe returns a Feed of everything that happens from now on: of what the Moment does not show yet. It does not
// wait for writers. Close it.
func (t *Timeline) Subscribe() *Feed {
	f, _ := t.subscribe()
	return f
}

// subscribe opens a Feed, and returns the Moment before what it reads.
func (t *Timeline) subscribe() (*Feed, *present) {
	t.pace.watch()
	now := t.join()
	return feed.New(now.newest, func() {
		t.leave()
		t.pace.unwatch()
	}), now
}

// Overhear is Subscribe for a reader for whom nothing need happen: a clock that follows the wall clock moves when
// somebody else asks or waits. Unless idle is set the reader may miss empty flashblocks of empty blocks.
func (t *Timeline) Overhear(idle bool) *Feed {
	if !idle {
		return feed.New(t.present.Load().newest, nil)
	}
	return feed.New(t.join().newest, t.leave)
}

// audience counts the Feeds that miss no flashblock. It is locked while flashblocks are left out.
type audience struct {
	sync.Mutex
	readers int
}

// join counts a Feed in and returns what it goes on from.
func (t *Timeline) join() *present {
	t.audience.Lock()
	defer t.audience.Unlock()
	t.audience.readers++
	return t.present.Load()
}

// leave counts a Feed out.
func (t *Timeline) leave() {
	t.audience.Lock()
	defer t.audience.Unlock()
	t.audience.readers--
}
