// Package fakenode is a local chain node for tests: an in-memory EVM chain of an Ethereum L2 whose
// sequencer pre-confirms transactions about every 200 ms, with an EIP-3009 payment token, and with
// reorgs, lost pre-confirmations, time and failures on command, the same on every run.
//
//	func TestCheckout(t *testing.T) {
//		node := fakenode.RunT(t) // own chain, own port, closed with the test
//		shop := checkout.New(node.URL())
//		…
//		node.Advance(16 * time.Minute)
//	}
//
// It is not a network client, a consensus implementation or a place for real keys.
package fakenode
