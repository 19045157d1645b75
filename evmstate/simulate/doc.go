// Package simulate executes calls that leave no trace: eth_call, eth_simulateV1, eth_estimateGas and
// eth_createAccessList.
//
// It is for programs that ask what a transaction would do on a chain of package chain.
//
// Every function starts from a [chain.View], an immutable state with the header that gives the block context, applies
// overrides to its own copies and returns what happened. It commits nothing, so the functions are safe for concurrent
// use and never wait for each other or for the chain.
//
// The package has no JSON, no block tags and no error codes.
package simulate
