// Package command serves the methods that command the node: mining, time, reorgs, snapshots, faults, accounts, state
// dumps and settings (fakenode_*, evm_*, anvil_*, hardhat_*).
package command
