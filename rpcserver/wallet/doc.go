// Package wallet serves the methods by which a dapp asks its user's wallet: batches of calls (EIP-5792) from the
// accounts that the node signs for. It has no state: a batch becomes one or more transactions at once, whose hashes are
// in its id, or are kept with the chain under the client's name for the batch.
package wallet
