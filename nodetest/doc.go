// Package nodetest runs fakenode for tests of a module that must not import it: one that builds on another version of
// go-ethereum, on a fork of it such as op-geth, or on none. It imports the standard library alone. The node is a
// process beside the tests, started once for all tests of a package; each test has a chain of its own in it.
//
//	func TestCapture(t *testing.T) {
//		t.Parallel()
//		node := nodetest.RunT(t)
//		client, err := ethclient.Dial(node.URL()) // of whatever go-ethereum your module has
//		…
//		node.Advance(16 * time.Minute)
//
// The methods have the names that they have in package fakenode, which runs the node inside the test and knows
// go-ethereum's types. Here addresses, hashes and other bytes are hex text; a parameter that takes one takes text or
// anything with a String method, such as a common.Address.
//
// The program is the one that FAKENODE_BINARY names, or a fakenode on the PATH. Where there is none it is built once:
// from the checkout that this package is in, else as this package's version, into the user's cache.
package nodetest
