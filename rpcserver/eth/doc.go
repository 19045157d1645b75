// Package eth holds the methods that ask a node or send it a transaction: eth_*, net_*, web3_*, txpool_*, the raw
// encodings of debug_*, signing, filters and subscriptions. Methods that need helpers of their own, such as a bundler
// or a wallet, are in the packages beside this one.
package eth
