package rpcserver_test

import (
	"strings"

	"github.com/fakenode/fakenode/preconf/control"
)

// objectKinds are the members of the objects that methods take, by the kind of their values.
var objectKinds = map[string]map[string]string{
	"call": {
		"from": "address", "to": "address", "gas": "gas|gas|u64", "gasPrice": "fee", "maxFeePerGas": "fee",
		"maxPriorityFeePerGas": "fee", "value": "0x0|0x1|quantity", "nonce": "nonce|nonce|u64", "data": "bytes", "accessList": "access[]",
		"maxFeePerBlobGas": "fee", "blobVersionedHashes": "hash[]", "authorizationList": "authorization[]", "type": "0x0|0x1|0x2|0x3|0x4|u64",
	},
	"plainCall": {"from": "address", "to": "address", "data": "bytes", "value": "0x0|0x1", "gas": "0x5208|0x186a0|0xf4240"},
	"access":    {"address": "address", "storageKeys": "slot[]"},
	"authorization": {
		"chainId": "0x0|0x7a69|fee", "address": "address", "nonce": "0x0|0x1|u64", "yParity": "0x0|0x1", "r": "fee", "s": "fee",
	},
	"filter":            {"fromBlock": "tag", "toBlock": "tag", "address": "address|address[]", "topics": "topic[]", "blockHash": "hash"},
	"plainFilter":       {"fromBlock": "0x0|earliest|latest|pending", "toBlock": "latest|pending", "address": "address"},
	"option":            {"address": "address|address[]", "topics": "topic[]", "includeTransactions": "bool"},
	"override":          {"nonce": "u64", "code": "bytes", "balance": "fee", "stateDiff": "slots"},
	"storageOverride":   {"state": "slots", "movePrecompileToAddress": "address"},
	"blockOverride":     {"number": "u64|fee", "time": "u64", "gasLimit": "u64", "feeRecipient": "address", "prevRandao": "hash", "baseFeePerGas": "fee", "blobBaseFee": "fee", "difficulty": "fee", "withdrawals": "withdrawal[]"},
	"rareBlockOverride": {"beaconRoot": "hash", "blockHash": "junk"},
	"withdrawal":        {"index": "u64", "validatorIndex": "u64", "address": "address", "amount": "u64"},
	"simulation":        {"blockStateCalls": "simulatedBlock[]", "traceTransfers": "bool", "validation": "bool", "returnFullTransactions": "bool"},
	"simulatedBlock": {
		"calls": "call[]|plainCall[]", "stateOverrides": "maybeOverrides", "blockOverrides": "maybeBlock|lightOverride",
	},
	"lightOverride": {"time": "later", "feeRecipient": "address"},
	"tracer": {
		"tracer": "tracerName", "tracerConfig": "tracerOptions", "timeout": "1s|5s", "enableMemory": "bool", "disableStack": "bool",
		"disableStorage": "bool", "enableReturnData": "bool", "limit": "small", "stateOverrides": "maybeOverrides", "blockOverrides": "maybeBlock", "txIndex": "u64",
	},
	"tracerOptions": {"onlyTopCall": "bool", "withLog": "bool", "diffMode": "bool", "disableCode": "bool", "includeEmpty": "bool"},
	"reorg": {
		"depth": "small", "length": "small", "transactions": "requeue|drop|reverse", "drop": "hash[]", "blocks": "raw[][]", "removedOrder": "forward|reverse", "force": "bool",
	},
	"reorgDepth":   {"depth": "small"},
	"forcedReorg":  {"depth": "small", "force": "true", "transactions": "requeue|drop|reverse"},
	"fault":        {"kind": "faultKind", "count": "small", "transactions": "requeue|gone", "hashes": "hash[]", "retract": "bool"},
	"mineOptions":  {"timestamp": "number", "blocks": "small"},
	"attributes":   {"timestamp": "later|u64", "prevRandao": "hash", "suggestedFeeRecipient": "address", "withdrawals": "withdrawal[]", "parentBeaconBlockRoot": "hash"},
	"resetOptions": {"forking": "junk"},
	"callFilter":   {"method": "eth_call"},
	"emptyObject":  {},
}

// faultWords returns all kinds of faults of pre-confirmation.
func faultWords() string {
	var words []string
	for _, kind := range control.FaultKinds() {
		words = append(words, string(kind))
	}
	return strings.Join(words, "|")
}

// completeKinds are the kinds of objects without optional members.
var completeKinds = map[string]bool{"access": true, "authorization": true, "withdrawal": true, "attributes": true}

// wordKinds are kinds with one of several words as value.
var wordKinds = map[string]string{
	"maybeOverrides": "null|null|overrides",
	"maybeBlock":     "null|null|blockOverride|blockOverride|rareBlockOverride",
	"index":          "0x0|0x0|0x1|0x5|u64",
	"topic":          "hash|slot[]|null",
	"faultKind":      faultWords(),
	"tracerName":     "callTracer|prestateTracer|4byteTracer|flatCallTracer|muxTracer|noopTracer|{data:[],step:function(l){this.data.push(l.op.toNumber())},fault:function(){},result:function(){return this.data}}",
	"gas":            "0x5208|0x186a0|0xf4240",
	"subscribed":     "newHeads|logs|pendingLogs|newPendingTransactions|newFlashblocks|newFlashblockTransactions|syncing|junk",
}

// paramKinds are the parameters of each method, by kind.
var paramKinds = map[string][]string{
	"eth_getLogs": {"filter|plainFilter"}, "eth_call": {"call|plainCall", "tag", "maybeOverrides", "maybeBlock"},
	"eth_getCode": {"address", "tag"}, "eth_simulateV1": {"simulation", "tag"},

	"eth_getBalance": {"address", "tag"}, "eth_getTransactionCount": {"address", "tag"}, "eth_getStorageAt": {"address", "slot|quantity", "tag"},
	"eth_getStorageValues": {"slotsByAddress", "tag"}, "eth_getProof": {"address", "slot[]", "tag"},

	"eth_getAccount": {"address", "tag"}, "eth_getAccountInfo": {"address", "tag"}, "eth_getTransactionBySenderAndNonce": {"address", "nonce|quantity"},
	"eth_pendingTransactions": {}, "eth_networkId": {},

	"eth_blockNumber": {}, "eth_getBlockByNumber": {"tag", "bool"}, "eth_getBlockByHash": {"hash", "bool"}, "eth_getHeaderByNumber": {"tag"},
	"eth_getHeaderByHash": {"hash"}, "eth_getBlockTransactionCountByNumber": {"tag"}, "eth_getBlockTransactionCountByHash": {"hash"},
	"eth_getBlockReceipts": {"tag"}, "eth_getUncleCountByBlockNumber": {"tag"}, "eth_getUncleCountByBlockHash": {"hash"},
	"eth_getUncleByBlockNumberAndIndex": {"tag", "index"}, "eth_getUncleByBlockHashAndIndex": {"hash", "index"},

	"eth_getTransactionByHash": {"hash"}, "eth_getTransactionByBlockNumberAndIndex": {"tag", "index"},
	"eth_getTransactionByBlockHashAndIndex": {"hash", "index"}, "eth_getRawTransactionByHash": {"hash"},
	"eth_getRawTransactionByBlockNumberAndIndex": {"tag", "index"}, "eth_getRawTransactionByBlockHashAndIndex": {"hash", "index"},
	"eth_getTransactionReceipt": {"hash"},

	"eth_sendRawTransaction": {"raw"}, "eth_sendRawTransactionSync": {"raw", "1"}, "eth_sendTransactionSync": {"plainCall|call", "1"}, "base_transactionStatus": {"hash"},
	"eth_sendTransaction": {"plainCall|plainCall|call"}, "eth_sendUnsignedTransaction": {"plainCall|call"}, "eth_signTransaction": {"plainCall|call"},
	"eth_fillTransaction": {"plainCall|call"}, "eth_accounts": {}, "eth_requestAccounts": {}, "eth_sign": {"address", "bytes"},
	"personal_sign": {"bytes", "address", "password"}, "personal_ecRecover": {"bytes", "bytes"}, "eth_signTypedData": {"address", "typed"}, "eth_signTypedData_v4": {"address", "typed"},

	"eth_estimateGas": {"plainCall|call", "tag", "maybeOverrides", "maybeBlock"}, "eth_createAccessList": {"plainCall|call", "tag", "maybeOverrides", "maybeBlock"},
	"eth_gasPrice": {}, "eth_maxPriorityFeePerGas": {}, "eth_feeHistory": {"index|u64", "tag", "percentile[]"}, "eth_baseFee": {}, "eth_blobBaseFee": {},

	"eth_chainId": {}, "net_version": {}, "net_listening": {}, "net_peerCount": {}, "admin_nodeInfo": {}, "web3_clientVersion": {}, "web3_sha3": {"bytes"}, "rpc_modules": {},
	"eth_config": {}, "eth_capabilities": {}, "eth_syncing": {}, "eth_coinbase": {}, "eth_protocolVersion": {},
	"testing_buildBlockV1": {"head", "attributes", "null|raw[]", "0x|0x01"},

	"eth_subscribe": {"subscribed", "option"}, "eth_unsubscribe": {"id"},
	"eth_newFilter": {"filter|plainFilter"}, "eth_newBlockFilter": {}, "eth_newPendingTransactionFilter": {"bool"}, "eth_getFilterChanges": {"id"},
	"eth_getFilterLogs": {"id"}, "eth_uninstallFilter": {"id"},
	"txpool_status": {}, "txpool_content": {}, "txpool_contentFrom": {"address"}, "txpool_inspect": {},

	"debug_getRawBlock": {"tag"}, "debug_getRawHeader": {"tag"}, "debug_getRawBlockAccessList": {"tag"}, "eth_getBlockAccessList": {"tag"}, "debug_getRawReceipts": {"tag"}, "debug_getRawTransaction": {"hash"},
	"debug_traceTransaction": {"hash", "tracer"}, "debug_traceCall": {"plainCall|call", "tag", "tracer"}, "debug_traceBlock": {"rawBlock|bytes", "tracer"},
	"debug_traceBlockByNumber": {"tag", "tracer"}, "debug_traceBlockByHash": {"hash", "tracer"}, "debug_setHead": {"number"},

	"fakenode_setFault": {"callFault"}, "fakenode_clearFaults": {}, "fakenode_calls": {"callFilter"},
	"fakenode_advance": {"milliseconds"}, "fakenode_jump": {"milliseconds"}, "fakenode_preconfirm": {}, "fakenode_seal": {"small"}, "fakenode_reorg": {"reorg|reorgDepth|forcedReorg"}, "fakenode_replaceProposal": {"requeue|drop|junk"},
	"fakenode_console": {"hash"}, "fakenode_hold": {"junk"}, "fakenode_release": {}, "fakenode_flashblockFault": {"fault"}, "fakenode_setSafe": {"number"}, "fakenode_setFinalized": {"number"}, "fakenode_snapshot": {},
	"fakenode_revert": {"id", "bool"}, "fakenode_delegate": {"address", "address"}, "fakenode_scenario": {"Doom", "junk"}, "fakenode_info": {},

	"evm_mine": {"mineOptions"}, "evm_mine_detailed": {"mineOptions"}, "anvil_mine": {"small", "small"}, "anvil_mine_detailed": {"mineOptions"},
	"hardhat_mine": {"small", "small"}, "evm_setAutomine": {"bool"}, "anvil_setAutomine": {"bool"}, "anvil_getAutomine": {}, "hardhat_getAutomine": {},
	"evm_setIntervalMining": {"interval"}, "anvil_setIntervalMining": {"interval"}, "anvil_getIntervalMining": {}, "anvil_setCoinbase": {"address"},
	"hardhat_setCoinbase": {"address"}, "evm_setBlockGasLimit": {"quantity"}, "anvil_setBlockGasLimit": {"quantity"}, "anvil_setMinGasPrice": {"quantity"},
	"hardhat_setMinGasPrice": {"quantity"}, "anvil_setNextBlockPrevRandao": {"hash"}, "hardhat_setPrevRandao": {"hash"},
	"anvil_setNextBlockBaseFeePerGas": {"quantity"}, "hardhat_setNextBlockBaseFeePerGas": {"quantity"},

	"evm_increaseTime": {"small|small|number"}, "anvil_increaseTime": {"small"}, "evm_setTime": {"number"}, "anvil_setTime": {"number"}, "evm_setNextBlockTimestamp": {"number"},
	"anvil_setNextBlockTimestamp": {"number"}, "anvil_setBlockTimestampInterval": {"small"}, "anvil_removeBlockTimestampInterval": {}, "hardhat_setBlockTimestampInterval": {"number"}, "hardhat_removeBlockTimestampInterval": {}, "anvil_getGenesisTime": {},

	"anvil_setBalance": {"address", "quantity"}, "hardhat_setBalance": {"address", "quantity"}, "evm_setAccountBalance": {"address", "quantity"},
	"anvil_addBalance": {"address", "quantity"}, "anvil_setCode": {"address", "bytes"}, "hardhat_setCode": {"address", "bytes"}, "evm_setAccountCode": {"address", "bytes"},
	"anvil_setNonce": {"address", "nonce|u64"}, "hardhat_setNonce": {"address", "nonce|u64"}, "evm_setAccountNonce": {"address", "nonce|u64"},
	"anvil_setStorageAt": {"address", "slot|quantity", "hash"}, "hardhat_setStorageAt": {"address", "slot", "hash"}, "evm_setAccountStorageAt": {"address", "slot", "hash"},
	"anvil_dealERC20": {"address", "address", "quantity"}, "anvil_setERC20Balance": {"address", "address", "quantity"},
	"anvil_setERC20Allowance": {"address", "address", "address", "quantity"}, "anvil_impersonateAccount": {"address"}, "hardhat_impersonateAccount": {"address"},
	"anvil_stopImpersonatingAccount": {"address"}, "hardhat_stopImpersonatingAccount": {"address"}, "anvil_autoImpersonateAccount": {"bool"},
	"anvil_dumpState": {}, "hardhat_dumpState": {}, "anvil_loadState": {"dump|bytes"}, "hardhat_loadState": {"dump"},

	"evm_snapshot": {}, "anvil_snapshot": {}, "evm_revert": {"id"}, "anvil_revert": {"id"}, "anvil_reorg": {"small", "reorgPair[]"}, "anvil_rollback": {"small"},
	"anvil_reset": {}, "hardhat_reset": {"resetOptions|emptyObject"}, "anvil_dropTransaction": {"hash"}, "hardhat_dropTransaction": {"hash"},
	"anvil_dropAllTransactions": {}, "hardhat_dropAllTransactions": {}, "anvil_removePoolTransactions": {"address"}, "anvil_nodeInfo": {}, "anvil_metadata": {},
	"hardhat_metadata": {}, "anvil_setLoggingEnabled": {"bool"}, "hardhat_setLoggingEnabled": {"bool"},
}

// anything is the kind of the parameters of methods that are not in paramKinds.
const anything = "address|hash|tag|quantity|bytes|bool|id|raw|plainCall|filter|junk"
