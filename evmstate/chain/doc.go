// Package chain builds, checks and keeps blocks: the genesis and its fork rules, blocks under construction (Draft) and
// sealed ones (Block), receipts, orphans, the log index, and import and export of RLP block files.
//
// It is for programs that need a chain without a node around it: no pre-confirmation, no transaction pool, no server.
//
// A Chain is an immutable value: every change returns a new Chain that shares structure with the old one. Keeping the
// pointer is a snapshot, using it again is a revert, and both cost nothing:
//
//	c, err := chain.New(genesis, chain.Options{})
//	draft, err := c.NewDraft(chain.Env{})
//	draft, receipt, err := draft.Add(tx, sender)
//	next, block, err := draft.Seal() // c is unchanged
//
// Sealed blocks are valid Ethereum blocks: another client imports what Export writes, unless an Env asked for something
// that the rules forbid, which Verify reports. The package has no block tags, no JSON-RPC and no clock; time arrives in
// Env.
package chain
