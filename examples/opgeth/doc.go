// Package opgeth shows a test of a module whose go-ethereum is op-geth, as that of all that is built on the OP stack
// is: such a module cannot import fakenode, and needs only fakenode/nodetest.
package opgeth
