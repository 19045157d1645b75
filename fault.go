package fakenode

import "github.com/fakenode/fakenode/userop"

// Fail makes calls of a method fail as the fault describes. The error names the field of the fault that is wrong.
func (n *Network) Fail(f Fault) error { return n.node.world.Fail(n.name, f) }

// Disconnect cuts the WebSocket connections of clients and returns their number; the zero Disconnection cuts all of
// them, as a network that fails does. What was sent before still arrives; calls that are being answered end without an
// answer. The error names the invalid field of d.
func (n *Network) Disconnect(d Disconnection) (int, error) {
	return n.node.world.Disconnect(n.name, d)
}

// FlashblockFault makes pre-confirmation go wrong: flashblocks are lost, transactions left out, logs changed. On an
// error nothing changed.
func (n *Network) FlashblockFault(f FlashblockFault) (FaultResult, error) {
	return n.Timeline().FlashblockFault(f)
}

// DelayBlocks lets the next count blocks, at most 1,000,000, become head one slot late: until the block after is
// sealed, clients see them as pre-confirmed. Zero: 1. It is FlashblockFault with LateBlock, and has its errors.
func (n *Network) DelayBlocks(count int) error {
	_, err := n.FlashblockFault(FlashblockFault{Kind: LateBlock, Count: count})
	return err
}

// FeedFault makes the raw feed at /flashblocks go wrong: frames are lost, cut short, linked wrongly or out of order, or
// its readers are disconnected. The error names the field of the fault that is wrong.
func (n *Network) FeedFault(f FeedFault) error { return n.node.world.FeedFault(n.name, f) }

// ClearFaults removes all faults set with Fail and FeedFault.
func (n *Network) ClearFaults() { n.node.world.ClearFaults(n.name) }

// BundlerFault makes the bundler fail with later operations on purpose. The error names the invalid field of f.
func (n *Network) BundlerFault(f BundlerFault) error { return userop.Fail(n.Timeline(), f) }

// ClearBundlerFaults disarms all faults of the bundler and ends its lies. What it holds in the pool stays held.
func (n *Network) ClearBundlerFaults() {
	n.node.t.Helper()
	n.check(userop.ClearFaults(n.Timeline()))
}
