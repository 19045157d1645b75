// Package bridge serves the methods that concern an L2 and its L1 together: those of a rollup node (optimism_*), and
// the commands to the bridge's contracts.
package bridge
