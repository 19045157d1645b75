// Package pool holds the transactions that a node accepted and has not executed: which ones it takes, the queue by
// which a block is filled from them, why they wait, and why they were dropped.
//
// It is for package preconf. All of it are immutable values, beside the draft of the block that [Pool.Fill] fills: it
// knows no clock, no lock and no timeline.
package pool
