package parity

// methodKinds are the kinds of the parameters of each method. A kind that ends in ? may be left out.
var methodKinds = map[string]string{
	"eth_accounts": "", "eth_blockNumber": "", "eth_chainId": "", "eth_coinbase": "", "eth_gasPrice": "", "eth_maxPriorityFeePerGas": "", "eth_mining": "",
	"eth_syncing": "", "eth_blobBaseFee": "", "eth_protocolVersion": "", "eth_hashrate": "", "eth_networkId": "", "net_version": "", "net_listening": "",
	"web3_clientVersion": "", "web3_sha3": "data", "eth_config": "", "eth_baseFee": "", "eth_capabilities": "",

	"eth_getBalance": "address tag?", "eth_getTransactionCount": "address tag?", "eth_getCode": "address tag?", "eth_getStorageAt": "address word|count tag?",
	"eth_getAccount": "address tag?", "eth_getAccountInfo": "address tag?", "eth_getProof": "address word[] tag?",

	"eth_getBlockByNumber": "tag bool", "eth_getBlockByHash": "blockHash bool", "eth_getHeaderByNumber": "tag", "eth_getHeaderByHash": "blockHash",
	"eth_getBlockTransactionCountByNumber": "tag", "eth_getBlockTransactionCountByHash": "blockHash", "eth_getBlockReceipts": "tag",
	"eth_getUncleCountByBlockNumber": "tag", "eth_getUncleCountByBlockHash": "blockHash", "eth_getUncleByBlockNumberAndIndex": "tag index",
	"eth_getUncleByBlockHashAndIndex": "blockHash index",

	"eth_getTransactionByHash": "hash", "eth_getTransactionByBlockNumberAndIndex": "tag index", "eth_getTransactionByBlockHashAndIndex": "blockHash index",
	"eth_getRawTransactionByHash": "hash", "eth_getRawTransactionByBlockNumberAndIndex": "tag index", "eth_getRawTransactionByBlockHashAndIndex": "blockHash index",
	"eth_getTransactionBySenderAndNonce": "account nonce", "eth_getTransactionReceipt": "hash",

	"eth_sendTransaction": "transaction|feeTransaction|mixedTransaction|plainTransaction|plainTransaction|transfer|transfer|creation", "eth_sendRawTransaction": "raw",
	"eth_sendTransactionSync": "plainTransaction|transfer", "eth_sendRawTransactionSync": "raw",
	"eth_signTransaction": "transaction|feeTransaction|transfer", "eth_fillTransaction": "transaction|feeTransaction|transfer|creation",
	"eth_sendUnsignedTransaction": "transaction|transfer",
	"eth_sign":                    "account data", "personal_sign": "data account", "eth_signTypedData_v4": "account typed", "eth_signTypedData": "account typed",

	"eth_call":             "call|feeCall|mixedCall|plainCall|creation tag? null|overrides? blockOverride|newBlockOverride?",
	"eth_estimateGas":      "call|feeCall|mixedCall|plainCall|creation tag? null|overrides? blockOverride|newBlockOverride?",
	"eth_createAccessList": "call|plainCall|creation tag?",
	"eth_simulateV1":       "simulation tag?",
	"eth_feeHistory":       "count|blocks tag percentile[]?",

	"eth_newFilter": "filter|filter|hashFilter", "eth_newBlockFilter": "", "eth_newPendingTransactionFilter": "", "eth_getFilterChanges": "filterID",
	"eth_getFilterLogs": "filterID", "eth_uninstallFilter": "filterID", "eth_getLogs": "filter|filter|hashFilter",

	"txpool_status": "", "txpool_content": "", "txpool_inspect": "", "txpool_contentFrom": "account", "eth_pendingTransactions": "",

	"debug_traceTransaction": "hash tracing?", "debug_traceCall": "call|plainCall|feeCall tag? tracing?", "debug_traceBlockByNumber": "tag tracing?",
	"debug_traceBlockByHash": "blockHash tracing?", "debug_getRawTransaction": "hash", "debug_getRawHeader": "tag", "debug_getRawBlock": "tag", "debug_getRawReceipts": "tag",
	"trace_transaction": "hash", "trace_block": "tag", "trace_filter": "traceFilter", "trace_replayBlockTransactions": "tag traceKind[]",
	"trace_call": "plainCall|call traceKind[] tag?", "trace_get": "hash index[]", "trace_replayTransaction": "hash traceKind[]",
	"ots_getApiLevel": "", "ots_hasCode": "address tag", "ots_getTransactionError": "hash", "ots_getInternalOperations": "hash", "ots_traceTransaction": "hash",
	"ots_getBlockDetails": "tag", "ots_getBlockTransactions": "zero zero five", "ots_getTransactionBySenderAndNonce": "account nonce", "ots_getContractCreator": "address",
	"ots_searchTransactionsBefore": "account zero five", "ots_searchTransactionsAfter": "account zero five", "erigon_getHeaderByNumber": "tag",

	"evm_mine": "mining|later?", "anvil_mine": "blocks? seconds?", "hardhat_mine": "blocks? seconds?", "evm_mine_detailed": "mining?", "anvil_mine_detailed": "mining?",
	"evm_setAutomine": "true|true|true|false", "anvil_setAutomine": "true", "anvil_getAutomine": "", "anvil_getIntervalMining": "", "evm_setIntervalMining": "zero",
	"evm_increaseTime": "seconds", "anvil_increaseTime": "seconds", "evm_setNextBlockTimestamp": "later", "anvil_setNextBlockTimestamp": "later", "evm_setTime": "later",
	"anvil_setTime": "later", "anvil_setBlockTimestampInterval": "interval", "anvil_removeBlockTimestampInterval": "", "anvil_getGenesisTime": "",
	"evm_snapshot": "", "anvil_snapshot": "", "evm_revert": "snapshot", "anvil_revert": "snapshot", "anvil_reset": "", "hardhat_reset": "",
	"anvil_setBalance": "address balance", "hardhat_setBalance": "address balance", "anvil_addBalance": "address balance", "anvil_setNonce": "address nonce",
	"anvil_setCode": "address code", "anvil_setStorageAt": "address word|count word", "hardhat_setStorageAt": "contract word word", "anvil_setCoinbase": "address",
	"hardhat_setCoinbase": "address", "evm_setAccountNonce": "address nonce", "evm_setAccountBalance": "address balance", "evm_setAccountCode": "address code",
	"evm_setAccountStorageAt": "address word word",
	"anvil_setBlockGasLimit":  "gasLimit", "evm_setBlockGasLimit": "gasLimit", "anvil_setNextBlockBaseFeePerGas": "fee", "hardhat_setNextBlockBaseFeePerGas": "fee",
	"anvil_setMinGasPrice": "fee", "anvil_impersonateAccount": "address", "hardhat_impersonateAccount": "address", "anvil_stopImpersonatingAccount": "address",
	"anvil_autoImpersonateAccount": "bool", "anvil_dropTransaction": "hash", "hardhat_dropTransaction": "hash", "anvil_dropAllTransactions": "",
	"anvil_removePoolTransactions": "account", "anvil_nodeInfo": "", "anvil_metadata": "", "hardhat_metadata": "", "anvil_setLoggingEnabled": "bool",
	"hardhat_setLoggingEnabled": "bool", "anvil_rollback": "one|null", "anvil_setPrevRandao": "word", "hardhat_setPrevRandao": "word",
	"no_suchMethod": "count",
}

// weights are how many times as often as others a method is called.
var weights = map[string]int{
	"eth_sendTransaction": 16, "eth_sendRawTransaction": 8, "eth_call": 10, "eth_estimateGas": 8, "eth_getBlockByNumber": 6, "eth_simulateV1": 6, "eth_feeHistory": 3,
	"eth_getLogs": 6, "eth_newFilter": 4, "eth_getFilterChanges": 6, "eth_getFilterLogs": 3, "eth_getTransactionReceipt": 4, "eth_getTransactionByHash": 3,
	"debug_traceTransaction": 4, "debug_traceCall": 5, "eth_fillTransaction": 4, "evm_mine": 3, "anvil_mine": 3, "eth_createAccessList": 3, "evm_revert": 2, "evm_snapshot": 3,
}

// commands are the prefixes of methods that may change a chain, after which heads are compared.
var commands = []string{"evm_", "anvil_", "hardhat_", "eth_send"}

// goBack are the methods after which a chain goes on from an earlier block.
var goBack = []string{"anvil_rollback", "evm_revert", "anvil_revert", "anvil_reset", "hardhat_reset"}
