package rpcserver_test

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures"
)

// subject holds the values of a chain for parameters of questions about it.
type subject struct {
	blocks, hashes, transactions, accounts, created []any
	raw                                             []any // blocks as RLP
	signed                                          hexutil.Bytes
}

// questions lists, for each method that reads, the parameters of the calls to make. A method that the list lacks fails
// the test, unless notAsked names it.
var questions = map[string]func(s *subject) [][]any{
	"eth_call":       func(s *subject) [][]any { return product(calls(s.accounts), tags(s)) },
	"eth_getCode":    ofAccounts,
	"eth_simulateV1": func(s *subject) [][]any { return product([]any{simulation(s)}, tags(s)) },
	"eth_getLogs": func(s *subject) [][]any {
		filters := []any{
			map[string]any{"fromBlock": "earliest", "toBlock": "latest"},
			map[string]any{"fromBlock": "0x2", "toBlock": "0x3", "address": s.accounts},
			map[string]any{"fromBlock": "0x0", "topics": []any{nil, []any{common.Hash{1}}}},
			map[string]any{"fromBlock": "0x3", "toBlock": "0x2"},
		}
		for _, hash := range s.hashes {
			filters = append(filters, map[string]any{"blockHash": hash})
		}
		return product(filters)
	},

	"eth_getBalance":          ofAccounts,
	"eth_getTransactionCount": ofAccounts,
	"eth_getAccount":          ofAccounts,
	"eth_getAccountInfo":      ofAccounts,
	"eth_getStorageAt":        func(s *subject) [][]any { return product(s.accounts, []any{"0x0", common.Hash{31: 1}}, tags(s)) },
	"eth_getStorageValues": func(s *subject) [][]any {
		return product([]any{map[string]any{s.accounts[0].(common.Address).Hex(): []any{common.Hash{}, common.Hash{31: 1}}}}, tags(s))
	},
	"eth_getProof": func(s *subject) [][]any {
		return product(s.accounts, []any{[]any{}, []any{"0x1", common.Hash{31: 2}}}, tags(s))
	},

	"eth_blockNumber":                      once,
	"eth_getBlockByNumber":                 func(s *subject) [][]any { return product(s.blocks, []any{true, false}) },
	"eth_getBlockByHash":                   func(s *subject) [][]any { return product(s.hashes, []any{true, false}) },
	"eth_getHeaderByNumber":                ofNumbers,
	"eth_getHeaderByHash":                  ofHashes,
	"eth_getBlockTransactionCountByNumber": ofNumbers,
	"eth_getBlockTransactionCountByHash":   ofHashes,
	"eth_getBlockAccessList":               func(s *subject) [][]any { return product(tags(s)) },
	"eth_getBlockReceipts":                 func(s *subject) [][]any { return product(tags(s)) },
	"eth_getUncleCountByBlockNumber":       ofNumbers,
	"eth_getUncleCountByBlockHash":         ofHashes,
	"eth_getUncleByBlockNumberAndIndex":    ofPlaces,
	"eth_getUncleByBlockHashAndIndex":      ofHashPlaces,

	"eth_getTransactionByHash":                   ofTransactions,
	"eth_getTransactionByBlockNumberAndIndex":    ofPlaces,
	"eth_getTransactionByBlockHashAndIndex":      ofHashPlaces,
	"eth_getRawTransactionByHash":                ofTransactions,
	"eth_getRawTransactionByBlockNumberAndIndex": ofPlaces,
	"eth_getRawTransactionByBlockHashAndIndex":   ofHashPlaces,
	"eth_getTransactionBySenderAndNonce":         ofNonces,
	"eth_getTransactionReceipt":                  ofTransactions,
	"base_transactionStatus":                     ofTransactions,

	"eth_estimateGas":      func(s *subject) [][]any { return product(calls(s.accounts), tags(s)) },
	"eth_createAccessList": func(s *subject) [][]any { return product(calls(s.accounts), tags(s)) },
	"eth_callMany": func(s *subject) [][]any {
		return product([]any{[]any{map[string]any{"transactions": calls(s.accounts)}}})
	},
	"eth_gasPrice":                     once,
	"eth_supportedEntryPoints":         once,
	"eth_getUserOperationByHash":       func(s *subject) [][]any { return product(s.transactions) }, // hashes of no operation
	"eth_getUserOperationReceipt":      func(s *subject) [][]any { return product(s.transactions) },
	"eth_estimateUserOperationGas":     func(*subject) [][]any { return product([]any{map[string]any{}}, []any{entrypoint.V07Address}) },
	"pimlico_getUserOperationGasPrice": once,
	"pimlico_getUserOperationStatus":   func(s *subject) [][]any { return product(s.transactions) },
	"pm_getPaymasterStubData":          ofSponsored,
	"pm_getPaymasterData":              ofSponsored,
	"debug_bundler_dumpMempool":        func(*subject) [][]any { return product([]any{entrypoint.V06Address, entrypoint.V09Address}) },
	"eth_maxPriorityFeePerGas":         once,
	"eth_feeHistory": func(s *subject) [][]any {
		return product([]any{"0x0", "0x1", "0x4", "0x400"}, s.blocks, []any{[]any{}, []any{0, 50, 100}})
	},
	"eth_baseFee":     once,
	"eth_blobBaseFee": once,

	"eth_chainId":        once,
	"net_version":        once,
	"eth_networkId":      once,
	"net_listening":      once,
	"net_peerCount":      once,
	"admin_nodeInfo":     once,
	"web3_clientVersion": once,
	"web3_sha3":          func(*subject) [][]any { return [][]any{{"0x12"}} },
	"rpc_modules":        once,
	"eth_config":         once,
	"eth_capabilities":   once,
	"eth_syncing":        once,
	"eth_coinbase":       once,

	"eth_protocolVersion": once,
	"eth_mining":          once,
	"eth_hashrate":        once,

	"txpool_status":           once,
	"txpool_content":          once,
	"txpool_contentFrom":      func(s *subject) [][]any { return product(s.accounts) },
	"txpool_inspect":          once,
	"eth_pendingTransactions": once,

	"debug_getRawBlock":           ofBlocks,
	"debug_getRawHeader":          ofBlocks,
	"debug_getRawBlockAccessList": ofBlocks,
	"debug_getRawReceipts":        ofBlocks,
	"debug_getRawTransaction":     ofTransactions,
	"debug_getRawTransactions":    ofBlocks,
	"debug_traceTransaction":      func(s *subject) [][]any { return product(s.transactions, tracers) },
	"debug_traceCall": func(s *subject) [][]any {
		return product(calls(s.accounts), tags(s), append(tracers, map[string]any{"txIndex": "0x1"}))
	},
	"debug_traceBlock":         func(s *subject) [][]any { return product(s.raw, tracers) },
	"debug_traceBlockByNumber": func(s *subject) [][]any { return product(s.blocks, tracers) },
	"debug_traceBlockByHash":   func(s *subject) [][]any { return product(s.hashes, tracers) },

	"trace_block":       ofBlocks,
	"trace_transaction": ofTransactions,
	"trace_get":         func(s *subject) [][]any { return product(s.transactions, []any{[]any{}, []any{"0x0"}, []any{"0x1"}}) },
	"trace_filter": func(s *subject) [][]any {
		return product([]any{
			map[string]any{}, map[string]any{"fromBlock": "0x2", "toBlock": "0x3"}, map[string]any{"toAddress": s.accounts},
			map[string]any{"fromAddress": s.accounts, "after": 1, "count": 2}, map[string]any{"fromBlock": "0x3", "toBlock": "0x2"},
		})
	},
	"trace_call": func(s *subject) [][]any { return product(calls(s.accounts), kinds, tags(s)) },
	"trace_callMany": func(s *subject) [][]any {
		return product([]any{[]any{[]any{calls(s.accounts)[0], []any{"trace"}}}}, tags(s))
	},
	"trace_rawTransaction": func(s *subject) [][]any {
		return product([]any{s.signed}, kinds, tags(s))
	},
	"trace_replayTransaction":       func(s *subject) [][]any { return product(s.transactions, kinds) },
	"trace_replayBlockTransactions": func(s *subject) [][]any { return product(tags(s), kinds) },

	"ots_getApiLevel":           once,
	"ots_getInternalOperations": ofTransactions,
	"ots_hasCode":               func(s *subject) [][]any { return product(s.accounts, s.blocks) },
	"ots_getTransactionError":   ofTransactions,
	"ots_traceTransaction":      ofTransactions,
	"ots_getBlockDetails":       ofNumbers,
	"ots_getBlockDetailsByHash": ofHashes,
	"ots_getBlockTransactions":  func(s *subject) [][]any { return product(s.blocks, []any{0, 1}, []any{1, 25}) },
	"ots_searchTransactionsBefore": func(s *subject) [][]any {
		return product(s.accounts, []any{0, 1, 3, 100}, []any{1, 25})
	},
	"ots_searchTransactionsAfter": func(s *subject) [][]any {
		return product(s.accounts, []any{0, 1, 3, 100}, []any{1, 25})
	},
	"ots_getTransactionBySenderAndNonce": ofNonces,
	"ots_getContractCreator":             func(s *subject) [][]any { return product(append(s.accounts, s.created...)) },
	"erigon_getHeaderByNumber":           ofNumbers,
}

// notAsked lists the methods that do not concern the chain below, with the reason.
var notAsked = map[string]string{
	"eth_sendRawTransaction":          "sends",
	"eth_sendRawTransactionSync":      "sends",
	"debug_executionWitness":          "is not served on a fork",
	"anvil_classifyTransaction":       "asks no chain",
	"anvil_getBlobByHash":             "is about what was sent here",
	"anvil_getBlobsByTransactionHash": "is about what was sent here",
	"realtime_sendRawTransaction":     "under megaeth only",
	"eth_callAfter":                   "under megaeth only",
	"eth_getLogsWithCursor":           "under megaeth only",
	"eth_sendTransaction":             "sends",
	"optimism_outputAtBlock":          "a fork has no L1 beside it",
	"optimism_syncStatus":             "a fork has no L1 beside it",
	"optimism_rollupConfig":           "a fork has no L1 beside it",
	"optimism_version":                "a fork has no L1 beside it",
	"superroot_atTimestamp":           "a fork has no L1 beside it",
	"eth_sendUserOperation":           "sends",
	"wallet_sendCalls":                "sends",
	"wallet_getCallsStatus":           "is about what was sent here",
	"wallet_showCallsStatus":          "is about what was sent here",
	"wallet_getCapabilities":          "a fork has other keys here",
	"wallet_switchEthereumChain":      "a fork has a chain id of its own",
	"wallet_addEthereumChain":         "a fork has a chain id of its own",
	"wallet_getPermissions":           "a fork has other keys here",
	"wallet_requestPermissions":       "a fork has other keys here",
	"wallet_revokePermissions":        "a fork has other keys here",
	"wallet_watchAsset":               "shows nothing",
	"personal_ecRecover":              "asks no chain",
	"eth_sendTransactionSync":         "sends",
	"eth_signTransaction":             "signs with the node's keys, of which a fork has others here",
	"eth_fillTransaction":             "is for the pending block",
	"eth_accounts":                    "a fork has other keys here",
	"eth_requestAccounts":             "a fork has other keys here",
	"eth_sign":                        "a fork has other keys here",
	"personal_sign":                   "a fork has other keys here",
	"eth_signTypedData":               "a fork has other keys here",
	"eth_signTypedData_v4":            "a fork has other keys here",
	"eth_subscribe":                   "is about what is to come",
	"eth_unsubscribe":                 "is about what is to come",
	"eth_newFilter":                   "TestForkFilterLogs asks",
	"eth_getFilterLogs":               "TestForkFilterLogs asks",
	"eth_newBlockFilter":              "is about what is to come",
	"eth_newPendingTransactionFilter": "is about what is to come",
	"eth_getFilterChanges":            "is about what is to come",
	"eth_uninstallFilter":             "is about what is to come",
}

var (
	tracers = []any{
		nil, map[string]any{"tracer": "callTracer", "tracerConfig": map[string]any{"withLog": true}},
		map[string]any{"tracer": "prestateTracer", "tracerConfig": map[string]any{"diffMode": true}},
	}
	kinds = []any{[]any{"trace", "stateDiff"}}
)

func once(*subject) [][]any             { return [][]any{{}} }
func ofAccounts(s *subject) [][]any     { return product(append(s.accounts, s.created...), tags(s)) }
func ofNumbers(s *subject) [][]any      { return product(s.blocks) }
func ofHashes(s *subject) [][]any       { return product(s.hashes) }
func ofBlocks(s *subject) [][]any       { return product(tags(s)) }
func ofTransactions(s *subject) [][]any { return product(s.transactions) }
func ofPlaces(s *subject) [][]any       { return product(s.blocks, []any{"0x0", "0x1", "0x9"}) }
func ofHashPlaces(s *subject) [][]any   { return product(s.hashes, []any{"0x0", "0x1", "0x9"}) }
func ofSponsored(*subject) [][]any {
	op := map[string]any{
		"sender": common.Address{1}, "nonce": "0x0", "callData": "0x", "callGasLimit": "0x1", "verificationGasLimit": "0x1", "preVerificationGas": "0x1",
		"maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x1",
	}
	return product([]any{op}, []any{entrypoint.V06Address, entrypoint.V07Address}, []any{"0x7a69"})
}
func ofNonces(s *subject) [][]any {
	return product(append(s.accounts, fixtures.Dev(1).Address, fixtures.Dev(3).Address), []any{"0x0", "0x1", "0x2", "0x9"})
}

// tags returns all ways to name a block: its number, its hash and the tags that a fork shares.
func tags(s *subject) []any {
	all := append([]any{}, s.blocks...)
	for _, hash := range s.hashes {
		all = append(all, map[string]any{"blockHash": hash})
	}
	return all
}

// product returns every combination of one value of each list. A nil value leaves the parameter out.
func product(lists ...[]any) [][]any {
	rows := [][]any{{}}
	for _, list := range lists {
		var longer [][]any
		for _, row := range rows {
			for _, value := range list {
				if value == nil {
					longer = append(longer, row)
					continue
				}
				longer = append(longer, append(row[:len(row):len(row)], value))
			}
		}
		rows = longer
	}
	return rows
}

// calls returns a call to each account, and one that creates a contract.
func calls(accounts []any) []any {
	from := common.Address{0xaa}
	objects := []any{map[string]any{"from": from, "data": "0x4360005260206000f3"}} // returns the block's number
	for _, account := range accounts {
		objects = append(objects, map[string]any{"from": from, "to": account, "data": "0x18160ddd"}) // totalSupply()
	}
	return objects
}

// simulation returns a payload of eth_simulateV1.
func simulation(s *subject) any {
	return map[string]any{"blockStateCalls": []any{map[string]any{"calls": calls(s.accounts)}}}
}
