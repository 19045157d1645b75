// Package flashblocks serves the raw feed of a network: a WebSocket on which each flashblock is sent as it is made, as
// the sequencer of an OP-stack chain sends it to the nodes that follow it (FlashblocksPayloadV1). It is for node
// operators, indexers and bots, which read it in place of the RPC's pending block.
//
// A Feed turns the flashblocks that a preconf.Timeline announces into frames, each encoded once for all readers, and
// keeps the last 16 for readers that resume. It has its own kinds of faults. Without readers it has no goroutine and
// encodes nothing.
package flashblocks
