package parity

import (
	"context"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Anvil returns the peer of the preset anvil, with functions that start the nodes.
func Anvil(ours, theirs func(context.Context) (string, func(), error)) *Peer {
	return &Peer{
		Name: "anvil", Ours: ours, Theirs: theirs, Settled: anvilSettled,
		Lacks: strings.Fields(`eth_pendingTransactions eth_capabilities eth_baseFee eth_mining eth_getHeaderByNumber eth_getHeaderByHash txpool_contentFrom
			hardhat_setPrevRandao anvil_setPrevRandao evm_setAccountStorageAt evm_setAccountBalance evm_setAccountCode debug_getRawHeader debug_getRawBlock
			debug_getRawReceipts trace_get trace_call trace_replayTransaction`),
		Masked: []string{
			"web3_clientVersion *", "*_metadata result.client*", "*_metadata result.instanceId", "*_nodeInfo result.environment.hash",
			"* *.mixHash", // random in anvil
			"* *.size",    // anvil counts a block without its list of withdrawals, which is one byte
			"*_*napshot result", "eth_new*Filter result",
		},
	}
}

// anvilSettled reports whether nothing that anvil would mine is in its pool. It answers a send before it mines.
func anvilSettled(ctx context.Context, theirs *Node) bool {
	var automine bool
	if theirs.Call(ctx, &automine, "anvil_getAutomine") != nil || !automine {
		return true
	}
	var status struct{ Pending hexutil.Uint64 }
	return theirs.Call(ctx, &status, "txpool_status") == nil && status.Pending == 0
}
