// Package preconf is the timeline of a chain node: the pool, the flashblocks that pre-confirm its transactions,
// sealing, reorgs, faults, snapshots, the clock, and the ordered events that subscribers read.
//
// A [Timeline] is written by one goroutine at a time and read without locks: [Timeline.Moment] returns an immutable
// picture of the whole node, and a [View] of it is the chain as one block tag sees it. The package knows no JSON, no
// hex and no sockets. Its one timer is that of [Timeline.Follow]; its only goroutines fetch what a waiting transaction
// lacks on a fork.
//
//	timeline, err := preconf.New(preconf.Config{Chain: c})
//	err = timeline.Send(tx)                          // in the pool
//	_, err = timeline.Advance(200 * time.Millisecond) // pre-confirmed
//	receipt := timeline.Moment().Pending().Receipts()[0]
//	_, err = timeline.Seal(1)                        // in a block
package preconf
