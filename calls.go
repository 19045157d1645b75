package fakenode

import "context"

// Calls returns the calls that clients made of a method, oldest first; "" means all methods. It includes calls whose
// answer a fault kept back. MarkCalls counts from a point on.
func (n *Network) Calls(method string) []Call { return n.node.world.Calls(n.name, method) }

// WaitForCall waits until clients have made count calls of a method ("" means any) since the network began, and returns
// all calls of it so far, oldest first. The error is ctx.Err(), or reports that count is more than Limits.JournalSize.
func (n *Network) WaitForCall(ctx context.Context, method string, count int) ([]Call, error) {
	return CallMark{network: n}.WaitForCall(ctx, method, count)
}

// CallMark is a point in time between the calls of a network's clients. It stays valid when the network reverts to a
// snapshot: calls are not undone. Safe for concurrent use.
type CallMark struct {
	network *Network
	last    uint64 // number of the newest call before it
}

// MarkCalls returns the point from which later calls are counted: take it before the code under test acts.
func (n *Network) MarkCalls() CallMark {
	return CallMark{network: n, last: n.node.world.LastCall(n.name)}
}

// Calls returns the calls of a method ("" means all) that clients made since the mark, oldest first.
func (m CallMark) Calls(method string) []Call {
	return m.network.node.world.CallsSince(m.network.name, m.last, method)
}

// WaitForCall waits until clients have made count calls of a method ("" means any) since the mark, and returns all of
// these so far, oldest first. The error is ctx.Err(), or reports that count is more than Limits.JournalSize.
func (m CallMark) WaitForCall(ctx context.Context, method string, count int) ([]Call, error) {
	return m.network.node.world.WaitForCalls(ctx, m.network.name, m.last, method, count)
}
