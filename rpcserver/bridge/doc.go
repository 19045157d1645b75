// Package bridge serves the methods about an L2 and its L1 together: the methods of a rollup node (optimism_*), and the
// commands to the bridge's contracts.
package bridge
