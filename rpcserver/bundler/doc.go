// Package bundler serves the methods of an ERC-4337 bundler (ERC-7769) and of a paymaster service (ERC-7677). Package
// userop has the operations, the bundler and the paymaster themselves.
package bundler
