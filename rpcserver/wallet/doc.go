// Package wallet serves the methods by which a dapp asks its user's wallet: batches of calls (EIP-5792) from the
// accounts that the node signs for. It keeps nothing: a batch is at once one or more transactions, whose hashes are in
// its id, or under the name that the client gave it beside the chain.
package wallet
