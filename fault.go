package fakenode

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
)

// Fault spoils calls of a method, or the notifications of subscriptions, on purpose, so that a client's handling of it
// can be tested. For calls at least one effect is set, and several combine. For notifications exactly one of Drop,
// Latency (with or without a spread), Duplicate, Reorder and Silent is set. The fakenode_ methods never fail this way.
type Fault struct {
	// Method is the wire name. Empty or "*": every method. The method of notifications, eth_subscription: these.
	Method string
	// Kind is the kind of subscription, such as "newHeads", whose notifications are struck. Empty: every kind.
	Kind string
	// Nth is the first call or notification to strike, counted from when the fault was set. Zero: 1, the next one.
	// Notifications are counted over all subscriptions, in the order in which they were opened.
	Nth int
	// Times is how many in a row are struck. Zero: 1. Forever: until the faults are cleared.
	Times int

	// Latency delays the call or the notification, in wall time. Later notifications of the same subscription stay behind
	// a delayed one.
	Latency time.Duration
	// LatencySpread adds a random time up to it to each call or notification, drawn from Seed: the same each run.
	LatencySpread time.Duration
	Seed          uint64
	// Drop loses the notification.
	Drop bool
	// Duplicate sends the notification twice.
	Duplicate bool
	// Reorder sends the notification behind the next one of its subscription that is not struck; several that are held
	// back are sent newest first. Until then it is held back.
	Reorder bool
	// Error answers in place of the method, which does not run. Its code is not 0.
	Error *Error
	// HTTPStatus, 400 to 599, is sent in place of the answer, with its usual text as body, as by a rate limiter or a
	// gateway: the method does not run, unless LoseAnswer is set. It is that of a batch as a whole, whose other calls run.
	// A WebSocket connection is closed with 1011.
	HTTPStatus int
	// LoseAnswer runs the method and sends HTTPStatus in place of the answer, as a gateway does that has waited for too
	// long. With HTTPStatus 0 that is 504.
	LoseAnswer bool
	// DropConnection closes the connection in place of the answer; the method has run, unless Error is set.
	DropConnection bool
	// Truncate cuts the answer after so many bytes. Zero: not.
	Truncate int
	// Silent never answers: over HTTP until the client gives up, on a WebSocket nothing is sent any more, while the
	// connection stays open. The method has run, unless Error is set. As a fault of notifications it silences the
	// connection from that notification on.
	Silent bool
}

// FlashblockFault is one fault of pre-confirmation on command. Subscribers are not notified, as on real nodes, unless
// Retract is set. Fields that do not apply to Kind are rejected.
type FlashblockFault struct {
	// Kind is what goes wrong: DropFlashblocks, OmitTransactions, AlterLogs, DuplicateFlashblock, StallFlashblocks,
	// LateBlock or LagContext.
	Kind FaultKind
	// Count is how many flashblocks, transactions or blocks, by Kind. Zero: 1. At most 1,000,000; of DuplicateFlashblock
	// 10,000.
	Count int
	// Gone loses the transactions of DropFlashblocks and OmitTransactions. False: they go back to the pool.
	Gone bool
	// Hashes of the transactions of OmitTransactions, not sealed yet, and of AlterLogs, not announced yet; at least
	// one, and no Count. Nil: by Count.
	Hashes []common.Hash
	// Retract sends the logs that were announced and taken back once more, with Removed set: of DropFlashblocks,
	// OmitTransactions and StallFlashblocks.
	Retract bool
}

// DelayBlocks lets the next count blocks, at most 1,000,000, become head one slot late: until the block after is
// sealed, clients see them as pre-confirmed. Zero: 1. It is FlashblockFault with LateBlock, and has its errors.
func (n *Network) DelayBlocks(count int) error {
	_, err := n.FlashblockFault(FlashblockFault{Kind: LateBlock, Count: count})
	return err
}
