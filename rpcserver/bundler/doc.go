// Package bundler serves the methods of an ERC-4337 bundler (ERC-7769). It keeps nothing: an operation is at once a
// transaction of the node's last account that calls handleOps, so the pool, blocks, reorgs, snapshots, worlds and files
// treat it as any other, and what is asked about it is read from there.
package bundler
