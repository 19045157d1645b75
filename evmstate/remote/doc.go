// Package remote is the chain under a forked one: another node, asked over JSON-RPC for what the fork needs of its
// blocks up to the fork block, and a file that keeps the answers so that the next run needs no network.
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
// reads. Who asks while an answer is under way waits for it. A failure is not kept: the next one who asks tries again.
// What belongs together is one request: an account's balance, nonce and code; a block and its receipts. Each request
// about blocks asks for the fork block, too: a node that has another one by now answers of another chain. Where the
// node's proofs (eth_getProof) fit the fork block's state root, accounts and slots are taken from proofs and checked
// against it; where they do not, as on nodes for development, or are not served, the plain methods are asked.
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
// {"key":…,"value":…}. The lines are sorted and hold answers of the node alone, so that two equal runs without a file
// write equal bytes, and files of the same fork merge with sort -u. A file is written beside the old one and then takes
// its name, a moment after something new was fetched and on Save; a process that is killed leaves the file as it last
// was. What the file has gained meanwhile is kept.
package remote
