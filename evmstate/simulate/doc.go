// Package simulate runs calls that leave no trace: eth_call, eth_simulateV1, eth_estimateGas and eth_createAccessList.
//
// Every function starts from a [chain.View], an immutable state with the header that gives the block context, applies
// overrides to values of its own and returns what happened. Nothing is ever committed, so the functions are safe for
// concurrent use and never wait for each other or for the chain.
//
// The package knows no JSON, no block tags and no error codes.
package simulate
