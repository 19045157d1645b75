package parity

import (
	"context"
	"strings"

	"github.com/ethereum/go-ethereum/common/hexutil"
)

// Anvil returns the peer of the preset anvil, with a function that starts both nodes.
func Anvil(start Start) *Peer {
	return &Peer{
		Name: "anvil", Start: start, AtOnce: 16, // a send that waits for its receipt takes 30 seconds where nothing is mined
		Settled: anvilSettled,
		Lacks: strings.Fields(`eth_pendingTransactions eth_capabilities eth_baseFee eth_mining eth_getHeaderByNumber eth_getHeaderByHash txpool_contentFrom
			hardhat_setPrevRandao anvil_setPrevRandao evm_setAccountStorageAt evm_setAccountBalance evm_setAccountCode debug_getRawHeader debug_getRawBlock
			debug_getRawReceipts trace_get trace_call trace_replayTransaction`),
		Forgets: anvilForgets,
		Masked: []string{
			"web3_clientVersion *", "*_metadata result.client*", "*_metadata result.instanceId", "*_nodeInfo result.environment.hash",
			"* *.mixHash",                                         // random in anvil
			"eth_getProof result.accountProof[]", "* *.stateRoot", // ours has more accounts in its genesis block
			"* *.v", "* *.yParity", // differ with r and s alone
			"*trace_* *.action.gas",                                                               // follows the gas limit: see eth_estimateGas
			"ots_searchTransactions* result.firstPage", "ots_searchTransactions* result.lastPage", // anvil's depend on the blocks it has looked at
			"* *.size",                                  // anvil counts a block without its list of withdrawals, which is one byte
			"*_setTime result", "*_increaseTime result", // a second more or less
			"*_nodeInfo no answer", "eth_send*Sync no answer", // anvil's locks may wait for each other while it mines
			"*_*napshot result", "eth_new*Filter result",
		},
	}
}

// anvilForgets bring back what anvil keeps where a chain goes back, and ours does not: the base fee, the pool, what
// mines, the distance of blocks, the fee recipient, the gas limit.
var anvilForgets = []Call{
	{Method: "anvil_setNextBlockBaseFeePerGas", Params: []any{"0x3b9aca00"}}, {Method: "anvil_dropAllTransactions"},
	{Method: "evm_setAutomine", Params: []any{true}}, {Method: "anvil_removeBlockTimestampInterval"},
	{Method: "evm_setBlockGasLimit", Params: []any{"0x1c9c380"}}, {Method: "anvil_setCoinbase", Params: []any{"0x0000000000000000000000000000000000000000"}},
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
