// Package bridge serves what concerns an L2 and its L1 together: the methods of a rollup node (optimism_*), and the
// commands to the bridge's contracts.
package bridge
