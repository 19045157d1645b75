// Package scenario plays named courses of events around one payment: a reorg that moves it, a pre-confirmation that is
// lost, a head that flaps. Each ends with a Conclusion: the state that a correct client must have arrived at. It plays
// directly on a preconf.Timeline. It is for programs that build a node of their own from preconf and rpcserver; users
// of package fakenode call Network.Scenario.
package scenario
