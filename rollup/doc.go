// Package rollup derives the blocks of an L2 of the OP stack from the L1 below it: which L1 block a block of the L2
// refers to, the deposits that come with it, and the fees that the operator set there. It holds the protocol's rules;
// package preconf keeps the two chains together, with one clock, and knows no rule.
package rollup
