// Package bundler serves the methods of an ERC-4337 bundler (ERC-7769) and of a paymaster service (ERC-7677). What
// operations are and what becomes of them is known to package userop.
package bundler
