package parity

import "strings"

// Hardhat2 returns the peer of the preset hardhat that is Hardhat 2, with a function that starts both nodes.
func Hardhat2(start Start) *Peer {
	return hardhat("hardhat", start)
}

// Hardhat3 returns the peer that is Hardhat 3, see Hardhat2.
func Hardhat3(start Start) *Peer {
	p := hardhat("hardhat 3", start)
	p.Like, p.Lacks = "hardhat", append(p.Lacks, "hardhat_reset", "eth_mining", "net_listening")
	return p
}

func hardhat(name string, start Start) *Peer {
	return &Peer{
		Name: name, Start: start, AtOnce: 3, Moves: "evm_mine", Pool: "eth_pendingTransactions", Forgets: hardhatForgets, Tolerance: 6, // it mines ahead of the clock
		// Methods of other nodes, most of which ours answers all the same.
		Lacks: strings.Fields(`anvil_* trace_* ots_* erigon_* txpool_* debug_traceBlock* debug_getRaw* evm_setTime evm_setAccount* evm_mine_detailed
			eth_networkId eth_protocolVersion eth_hashrate eth_config eth_baseFee eth_capabilities eth_getAccount* eth_getProof eth_getHeader* eth_getBlockReceipts
			eth_getUncle* eth_getRaw* eth_getTransactionBySenderAndNonce *Sync eth_signTransaction eth_fillTransaction eth_sendUnsignedTransaction
			eth_createAccessList eth_simulateV1 eth_signTypedData`),
		Kinds: map[string]string{
			"eth_call": "call|feeCall|plainCall|creation tag? overrides?", "eth_estimateGas": "call|feeCall|plainCall|creation tag?",
			"eth_feeHistory": "count|blocks tag percentile[]", "debug_traceTransaction": "hash steps?", "debug_traceCall": "call|plainCall|feeCall tag? steps?",
			"evm_mine": "later?", "hardhat_setNonce": "address nonce", "hardhat_setCode": "contract code", "hardhat_getAutomine": "", "hardhat_setMinGasPrice": "fee",
			"hardhat_stopImpersonatingAccount": "address",
		},
		Masked: []string{
			"web3_clientVersion *", "hardhat_metadata result.client*", "hardhat_metadata result.instanceId",
			"* *.mixHash", "* *.parentBeaconBlockRoot", // random in Hardhat
			"* error.data.message",        // says error.message again
			"evm_increaseTime result",     // a second more or less
			"evm_revert result.timestamp", // of the next block: Hardhat adds the time since the snapshot instead of taking it off
			"* *.stateRoot",               // ours has more accounts in its genesis block
			"evm_snapshot result", "eth_new*Filter result",
		},
	}
}

// hardhatForgets bring back what Hardhat keeps where a chain goes back, and ours does not.
var hardhatForgets = []Call{
	{Method: "evm_setBlockGasLimit", Params: []any{"0x3938700"}}, {Method: "evm_mine"}, {Method: "evm_mine"}, {Method: "evm_mine"}, {Method: "evm_setAutomine", Params: []any{true}},
	{Method: "hardhat_setCoinbase", Params: []any{"0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e"}},
}
