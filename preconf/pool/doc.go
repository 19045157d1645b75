// Package pool holds the transactions that a node accepted and has not executed: the pool, the queue by which a block
// is filled from it, and why transactions were dropped.
//
// It is for package preconf. All of it are immutable values, beside the draft of the block that [Pool.Fill] fills: it
// knows no clock, no lock and no timeline.
package pool
