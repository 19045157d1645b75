// Package rollup derives the blocks of an L2 of the OP stack from the L1 below it: the L1 block that a block of the L2
// refers to, its deposits, and the fees that the operator set there. It holds the protocol's rules; package preconf
// keeps the two chains together, with one clock, and has none of these rules.
package rollup
