// Package remote reads the chain that a fork stands on from another node over JSON-RPC, up to the fork block, and can
// keep the answers in a file so that the next run needs no network.
//
//	fork, err := remote.Open(ctx, remote.Config{URL: "https://node.example", CacheFile: "testdata/fork.jsonl"})
//	state := evmstate.StateFromSource(fork.At(fork.Number()))
//	defer fork.Save()
//
// # What is asked
//
// Everything is an item: an account, a storage slot, a header, a block with its receipts, a transaction, logs of a
// range, and a few more. An item is the answer to a fixed question about the chain up to the pinned fork block, so it
// never changes, is asked at most once, and is shared by all chains over the Fork: copies, snapshots, reorgs, historic
// reads. A request for an item that is being fetched waits for that answer. A failure is not kept: the next request
// tries again. Items that belong together are fetched with one request: an account's balance, nonce and code; a block
// and its receipts. Each request about blocks asks for the fork block, too: if the node has another block there by now,
// it answers for another chain. Where the node's proofs (eth_getProof) fit the fork block's state root, accounts and
// slots are taken from proofs and checked against it; where they do not, as on nodes for development, or are not
// served, the plain methods are used.
//
// # Failure
//
// HTTP 429, 5xx, broken connections and the JSON-RPC errors that mean "too many requests" are tried again, with
// growing, random pauses, until Config.Timeout has passed or Config.Retries are used up. Whatever fails for good is
// an *Error. It names the item, and the node by scheme and host alone: the path, the query and the headers may hold
// keys, so they reach no error, no log and no file.
//
// # The cache file
//
// JSON lines. The first is the head, {"chainId":…,"fork":{"number":…,"hash":…}}; each other is one item,
// {"key":…,"value":…}. The lines are sorted and hold only answers of the node, so that two equal runs without a file
// write equal bytes, and files of the same fork merge with sort -u. A file is written beside the old one and then takes
// its name, a moment after something new was fetched and on Save; a process that is killed leaves the file as it last
// was. Items that another process has added to the file meanwhile are kept.
package remote
