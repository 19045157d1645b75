// Package opstack holds tests that put the node beside the OP stack's own Go code: its rollup node's derivation, its
// clients, its super roots and its withdrawals. It is a module of its own, so that nobody else downloads the OP stack.
package opstack
