package main

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/preconf/control"
)

// asked lists the methods that read, with the kinds of their parameters: each is asked with every combination of their
// values.
var asked = map[string][]string{
	"eth_getLogs": {"filter"}, "eth_call": {"call", "block"}, "eth_getCode": {"account", "block"}, "eth_simulateV1": {"simulation", "block"},

	"eth_getBalance": {"account", "tag"}, "eth_getTransactionCount": {"account", "tag"}, "eth_getAccount": {"account", "block"},
	"eth_getAccountInfo": {"account", "block"}, "eth_getStorageAt": {"account", "slot", "block"}, "eth_getStorageValues": {"slots", "tag"},
	"eth_getProof": {"account", "slotList", "block"},

	"eth_blockNumber": {}, "eth_getBlockByNumber": {"tag", "bool"}, "eth_getBlockByHash": {"blockHash", "bool"}, "eth_getHeaderByNumber": {"tag"},
	"eth_getHeaderByHash": {"blockHash"}, "eth_getBlockTransactionCountByNumber": {"tag"}, "eth_getBlockTransactionCountByHash": {"blockHash"},
	"eth_getBlockReceipts": {"tag"}, "eth_getBlockAccessList": {"tag"}, "eth_getUncleCountByBlockNumber": {"block"}, "eth_getUncleCountByBlockHash": {"blockHash"},
	"eth_getUncleByBlockNumberAndIndex": {"block", "index"}, "eth_getUncleByBlockHashAndIndex": {"blockHash", "index"},

	"eth_getTransactionByHash": {"hash"}, "eth_getTransactionByBlockNumberAndIndex": {"block", "index"}, "eth_getTransactionByBlockHashAndIndex": {"blockHash", "index"},
	"eth_getRawTransactionByHash": {"hash"}, "eth_getRawTransactionByBlockNumberAndIndex": {"block", "index"}, "eth_getRawTransactionByBlockHashAndIndex": {"blockHash", "index"},
	"eth_getTransactionBySenderAndNonce": {"account", "index"}, "eth_getTransactionReceipt": {"hash"}, "base_transactionStatus": {"hash"},

	"eth_signTransaction": {"signable"}, "eth_fillTransaction": {"plainCall"}, "eth_accounts": {}, "eth_requestAccounts": {}, "eth_sign": {"account", "data"},
	"personal_sign": {"data", "account"}, "personal_ecRecover": {"data", "signature"},

	"eth_estimateGas": {"call", "block"}, "eth_createAccessList": {"call", "block"}, "eth_gasPrice": {}, "eth_maxPriorityFeePerGas": {},
	"eth_feeHistory": {"count", "tag", "percentiles"}, "eth_baseFee": {}, "eth_blobBaseFee": {},

	"optimism_outputAtBlock": {"tag"}, "optimism_syncStatus": {}, "optimism_rollupConfig": {}, "optimism_version": {},

	"eth_supportedEntryPoints": {}, "eth_getUserOperationByHash": {"hash"}, "eth_getUserOperationReceipt": {"hash"}, "debug_bundler_dumpMempool": {"entryPoint"},
	"fakenode_operation": {"hash"}, "pimlico_getUserOperationGasPrice": {}, "pimlico_getUserOperationStatus": {"hash"},

	"wallet_getCallsStatus": {"batch"}, "wallet_showCallsStatus": {"batch"}, "wallet_getCapabilities": {"account"}, "wallet_getPermissions": {},

	"eth_chainId": {}, "net_version": {}, "eth_networkId": {}, "net_listening": {}, "net_peerCount": {}, "web3_clientVersion": {}, "web3_sha3": {"data"}, "rpc_modules": {}, "admin_nodeInfo": {},
	"eth_config": {}, "eth_capabilities": {}, "eth_syncing": {}, "eth_coinbase": {}, "eth_protocolVersion": {}, "eth_mining": {}, "eth_hashrate": {},

	"txpool_status": {}, "txpool_content": {}, "txpool_contentFrom": {"account"}, "txpool_inspect": {}, "eth_pendingTransactions": {},

	"debug_getRawBlock": {"tag"}, "debug_getRawHeader": {"tag"}, "debug_getRawBlockAccessList": {"tag"}, "debug_getRawReceipts": {"tag"}, "debug_getRawTransaction": {"hash"},
	"debug_getRawTransactions": {"tag"}, "debug_executionWitness": {"tag"},
	"debug_traceTransaction": {"hash", "tracer"}, "debug_traceCall": {"call", "block", "tracer"}, "debug_traceBlockByNumber": {"number", "tracer"},
	"debug_traceBlockByHash": {"blockHash", "tracer"},

	"trace_block": {"tag"}, "trace_transaction": {"hash"}, "trace_get": {"hash", "path"}, "trace_filter": {"range"}, "trace_call": {"plainCall", "traces", "block"},
	"trace_callMany": {"tracedCalls", "block"}, "trace_replayTransaction": {"hash", "traces"}, "trace_replayBlockTransactions": {"number", "traces"},
	"ots_getApiLevel": {}, "ots_getInternalOperations": {"hash"}, "ots_hasCode": {"account", "block"}, "ots_getTransactionError": {"hash"}, "ots_traceTransaction": {"hash"},
	"ots_getBlockDetails": {"number"}, "ots_getBlockDetailsByHash": {"blockHash"}, "ots_getBlockTransactions": {"number", "zero", "page"},
	"ots_searchTransactionsBefore": {"account", "zero", "page"}, "ots_searchTransactionsAfter": {"account", "zero", "page"},
	"ots_getTransactionBySenderAndNonce": {"account", "index"}, "ots_getContractCreator": {"account"}, "erigon_getHeaderByNumber": {"number"},

	"fakenode_faults": {}, "fakenode_orphans": {}, "fakenode_info": {}, "fakenode_profile": {"hash"}, "fakenode_transaction": {"hash"}, "fakenode_bridge": {},
	"fakenode_forkMisses": {}, "fakenode_worlds": {},
	"anvil_getAutomine": {}, "hardhat_getAutomine": {}, "anvil_getIntervalMining": {}, "anvil_getGenesisTime": {}, "anvil_nodeInfo": {}, "anvil_metadata": {},
	"hardhat_metadata": {}, "anvil_dumpState": {}, "hardhat_dumpState": {},
}

// leftAlone lists the methods that the test neither asks nor calls, with the reason.
var leftAlone = map[string]string{
	"fakenode_setFault": "faults of the endpoint are not kept", "fakenode_feedFault": "faults of the feed are not kept", "fakenode_calls": "the journal is not kept",
	"fakenode_subscriptions": "connections end with the node", "fakenode_disconnect": "connections end with the node",
	"eth_subscribe": "connections end with the node", "eth_unsubscribe": "connections end with the node",
	"eth_newFilter": "filters are not kept", "eth_newBlockFilter": "filters are not kept", "eth_newPendingTransactionFilter": "filters are not kept",
	"eth_getFilterChanges": "filters are not kept", "eth_getFilterLogs": "filters are not kept", "eth_uninstallFilter": "filters are not kept",
	"anvil_reset": "goes back to where the node was started", "hardhat_reset": "goes back to where the node was started",
	"anvil_setRpcUrl": "is for forks", "fakenode_console": "lines of blocks from the file are lost",
	"realtime_sendRawTransaction": "under megaeth only", "eth_callAfter": "under megaeth only", "eth_getLogsWithCursor": "under megaeth only",
	"eth_sendRawTransactionSync": "waits in wall time", "eth_sendTransactionSync": "waits in wall time",
	"eth_signTypedData": "asks no chain", "eth_signTypedData_v4": "asks no chain", "wallet_switchEthereumChain": "shows nothing", "wallet_addEthereumChain": "shows nothing",
	"wallet_requestPermissions": "takes and gives nothing", "wallet_revokePermissions": "takes and gives nothing", "wallet_watchAsset": "shows nothing",
	"debug_traceBlock": "is debug_traceBlockByNumber of a block that is sent along", "trace_rawTransaction": "is trace_call of a transaction that is sent along",
	"fakenode_scenarioStart": "is fakenode_scenario move by move", "fakenode_scenarioNext": "is fakenode_scenario move by move",
	"fakenode_replica":     "remembers nothing from before, see TestReplicasAreKept",
	"testing_buildBlockV1": "is eth_simulateV1 by another name", "fakenode_compareForks": "executes what debug_traceTransaction does",
	"eth_estimateUserOperationGas": "is eth_call of an operation that is sent along", "pm_getPaymasterStubData": "signs what is sent along", "pm_getPaymasterData": "signs what is sent along",
	"eth_callMany": "is eth_call, several times", "anvil_classifyTransaction": "has one answer", "anvil_getBlobByHash": "blobs are not kept",
	"anvil_getBlobsByTransactionHash": "blobs are not kept",
	"eth_sendUserOperation":           "scenarios send them", "superroot_atTimestamp": "is optimism_outputAtBlock of the block at a time",
}

// commands draws the parameters of the methods that change a node.
var commands = map[string]func(*drawing) []any{
	"eth_sendTransaction":    func(d *drawing) []any { return []any{d.transaction()} },
	"eth_sendRawTransaction": func(d *drawing) []any { return []any{d.raw()} },
	"eth_sendUnsignedTransaction": func(d *drawing) []any {
		return []any{map[string]any{"from": whale, "to": d.account(), "value": d.quantity(9)}}
	},
	"wallet_sendCalls": func(d *drawing) []any {
		calls := []any{map[string]any{"to": d.account(), "value": "0x1"}, map[string]any{"to": emitter, "data": logged(d.IntN(4))}}
		batch := map[string]any{"version": "2.0.0", "chainId": d.on.chainID, "from": d.dev(), "atomicRequired": d.coin(), "calls": calls}
		if d.coin() {
			batch["id"] = fmt.Sprintf("batch-%d", 1+d.IntN(2))
		}
		return []any{batch}
	},
	"debug_bundler_clearState": nothing,
	"debug_setHead":            func(d *drawing) []any { return []any{d.number()} },

	"fakenode_clearFaults": nothing, "fakenode_preconfirm": nothing, "fakenode_release": nothing, "fakenode_snapshot": nothing,
	"fakenode_advance": func(d *drawing) []any { return []any{d.IntN(5_000)} },
	"fakenode_jump":    func(d *drawing) []any { return []any{d.IntN(5_000)} },
	"fakenode_seal":    func(d *drawing) []any { return []any{1 + d.IntN(3)} },
	"fakenode_reorg": func(d *drawing) []any {
		return []any{map[string]any{"depth": 1 + d.IntN(3), "length": d.IntN(4), "transactions": d.of("requeue", "drop", "reverse"), "force": d.coin()}}
	},
	"fakenode_replaceProposal": func(d *drawing) []any { return []any{d.of("requeue", "drop")} },
	"fakenode_flashblockFault": func(d *drawing) []any {
		var kinds []string
		for _, kind := range control.FaultKinds() {
			if kind != control.LateBlock || d.course.other == nil { // a late block is head after a restart
				kinds = append(kinds, string(kind))
			}
		}
		fault := map[string]any{"kind": d.of(kinds...)}
		if d.coin() {
			fault["count"] = 1 + d.IntN(3)
		} else if d.coin() {
			fault["hashes"] = []any{d.hash()}
		}
		if d.IntN(3) == 0 {
			fault["transactions"] = d.of("requeue", "gone")
		}
		if d.IntN(3) == 0 {
			fault["retract"] = true
		}
		return []any{fault}
	},
	"fakenode_hold": func(d *drawing) []any {
		hold := make(map[string]any)
		switch d.IntN(3) {
		case 0:
			hold["senders"] = []any{d.dev()}
		case 1:
			hold["hashes"] = []any{d.hash()}
		}
		switch d.IntN(3) {
		case 0:
			hold["milliseconds"] = d.IntN(5_000)
		case 1:
			hold["blocks"] = 1 + d.IntN(4)
		}
		return []any{hold}
	},
	"fakenode_setSafe": func(d *drawing) []any { return []any{d.number()} }, "fakenode_setFinalized": func(d *drawing) []any { return []any{d.number()} },
	"fakenode_revert":    func(d *drawing) []any { return []any{d.snapshot(), d.coin()} },
	"fakenode_scenario":  func(d *drawing) []any { return []any{d.of(d.course.scenarios...)} },
	"fakenode_mintToken": func(d *drawing) []any { return []any{d.account(), d.IntN(1000)} },
	"fakenode_delegate": func(d *drawing) []any {
		return []any{d.dev(), d.of(simple7702.V08Address.Hex(), common.Address{}.Hex())}
	},
	"fakenode_deposit": func(d *drawing) []any {
		return []any{map[string]any{"from": d.account(), "to": d.account(), "mint": d.quantity(99), "value": d.quantity(9)}}
	},
	"fakenode_setL1": func(d *drawing) []any {
		l1 := make(map[string]any)
		for _, member := range []string{"baseFee", "blobBaseFee", "operatorFeeConstant"} {
			if d.coin() {
				l1[member] = d.quantity(1_000_000_000)
			}
		}
		return []any{l1}
	},
	"fakenode_propose": func(d *drawing) []any { return []any{map[string]any{}} },
	"fakenode_resolveGame": func(d *drawing) []any {
		return []any{map[string]any{"index": d.IntN(2), "status": d.of("defender", "challenger")}}
	},
	"fakenode_blacklistGame": func(d *drawing) []any { return []any{d.IntN(2)} },
	"fakenode_pausePortal":   func(d *drawing) []any { return []any{d.coin()} },
	"fakenode_bundlerFault": func(d *drawing) []any {
		return []any{map[string]any{"kind": d.of("lose", "late", "revert", "forget"), "count": 1 + d.IntN(3)}}
	},
	"fakenode_paymaster": func(d *drawing) []any {
		return []any{map[string]any{"deny": []any{d.dev()}, "validFor": d.IntN(100), "maxCost": d.quantity(1e9)}}
	},
	"fakenode_weather": func(d *drawing) []any {
		w := map[string]any{"of": d.of("baseFee", "blobBaseFee", "gasLimit", "l1BaseFee", "l1BlobBaseFee"), "shape": d.of("spike", "ramp", "sawtooth", "list", "calm")}
		switch w["shape"] {
		case "list":
			w["values"] = []any{20_000_000 + d.IntN(1e9), 30_000_000}
		case "spike", "ramp", "sawtooth":
			w["to"], w["blocks"] = 20_000_000+d.IntN(1e9), 2+d.IntN(4)
		}
		return []any{w}
	},
	"fakenode_newWorld":   func(d *drawing) []any { return []any{map[string]any{"name": d.of("a", "b")}} },
	"fakenode_closeWorld": func(d *drawing) []any { return []any{d.of("a", "b")} },

	"evm_mine": nothing, "evm_mine_detailed": nothing, "anvil_mine_detailed": nothing,
	"anvil_mine": mined, "hardhat_mine": mined,
	"evm_setAutomine": switched, "anvil_setAutomine": switched, "miner_start": nothing, "miner_stop": nothing,
	"evm_setIntervalMining": seconds, "anvil_setIntervalMining": seconds,
	"anvil_setCoinbase": ofAccount, "hardhat_setCoinbase": ofAccount,
	"evm_setBlockGasLimit": gasLimit, "anvil_setBlockGasLimit": gasLimit, "anvil_setMinGasPrice": fee, "hardhat_setMinGasPrice": fee,
	"anvil_setNextBlockPrevRandao": word, "hardhat_setPrevRandao": word, "anvil_setNextBlockBaseFeePerGas": fee, "hardhat_setNextBlockBaseFeePerGas": fee,

	"evm_increaseTime": seconds, "anvil_increaseTime": seconds, "evm_setTime": later, "anvil_setTime": later,
	"evm_setNextBlockTimestamp": later, "anvil_setNextBlockTimestamp": later,
	"anvil_setBlockTimestampInterval": seconds, "hardhat_setBlockTimestampInterval": func(d *drawing) []any { return []any{1000 * (1 + d.IntN(4))} },
	"anvil_removeBlockTimestampInterval": nothing, "hardhat_removeBlockTimestampInterval": nothing,

	"anvil_setBalance": balance, "hardhat_setBalance": balance, "evm_setAccountBalance": balance, "anvil_addBalance": balance, "hardhat_addBalance": balance,
	"anvil_setCode": code, "hardhat_setCode": code, "evm_setAccountCode": code,
	"anvil_setNonce": nonce, "hardhat_setNonce": nonce, "evm_setAccountNonce": nonce,
	"anvil_setStorageAt": storage, "hardhat_setStorageAt": storage, "evm_setAccountStorageAt": storage,
	"anvil_dealERC20": deal, "anvil_setERC20Balance": deal,
	"anvil_setERC20Allowance":  func(d *drawing) []any { return []any{d.account(), d.account(), token, d.quantity(99)} },
	"anvil_impersonateAccount": ofAccount, "hardhat_impersonateAccount": ofAccount,
	"anvil_impersonateSignature": func(d *drawing) []any {
		return []any{hexutil.Bytes(append(make([]byte, 64), byte(d.IntN(3)))), d.account()}
	},
	"anvil_stopImpersonatingAccount": ofAccount, "hardhat_stopImpersonatingAccount": ofAccount,
	"anvil_autoImpersonateAccount": switched, "hardhat_autoImpersonateAccount": switched,
	"anvil_loadState": dumped, "hardhat_loadState": dumped,

	"evm_snapshot": nothing, "anvil_snapshot": nothing, "evm_revert": reverted, "anvil_revert": reverted,
	"anvil_reorg":           func(d *drawing) []any { return []any{1 + d.IntN(3), []any{}} },
	"anvil_rollback":        func(d *drawing) []any { return []any{1 + d.IntN(2)} },
	"anvil_dropTransaction": ofHash, "hardhat_dropTransaction": ofHash, "anvil_dropAllTransactions": nothing, "hardhat_dropAllTransactions": nothing,
	"anvil_removePoolTransactions": ofAccount, "anvil_setLoggingEnabled": switched, "hardhat_setLoggingEnabled": switched,
}

func nothing(*drawing) []any     { return []any{} }
func switched(d *drawing) []any  { return []any{d.coin()} }
func seconds(d *drawing) []any   { return []any{d.IntN(5)} }
func mined(d *drawing) []any     { return []any{1 + d.IntN(3), d.IntN(5)} }
func ofAccount(d *drawing) []any { return []any{d.account()} }
func ofHash(d *drawing) []any    { return []any{d.hash()} }
func gasLimit(d *drawing) []any  { return []any{20_000_000 + d.IntN(20_000_000)} }
func fee(d *drawing) []any       { return []any{d.quantity(3_000_000_000)} }
func word(d *drawing) []any      { return []any{common.Hash{0: byte(d.IntN(256))}} }
func later(d *drawing) []any     { return []any{d.on.time + d.Uint64N(20)} }
func balance(d *drawing) []any   { return []any{d.account(), hexutil.EncodeUint64(1e18 + d.Uint64N(9))} }
func code(d *drawing) []any      { return []any{whale, hexutil.Encode(labcode.Emitter()[:d.IntN(3)])} }
func nonce(d *drawing) []any     { return []any{d.account(), 100 + d.IntN(4)} }
func storage(d *drawing) []any {
	return []any{emitter, d.quantity(2), common.Hash{31: byte(d.IntN(3))}}
}
func deal(d *drawing) []any     { return []any{d.account(), token, d.quantity(99)} }
func dumped(d *drawing) []any   { return []any{d.dump()} }
func reverted(d *drawing) []any { return []any{d.snapshot()} }

// often are the methods that are drawn more often than the others.
var often = []string{
	"eth_sendTransaction", "eth_sendTransaction", "eth_sendRawTransaction", "fakenode_preconfirm", "fakenode_preconfirm", "fakenode_seal", "fakenode_advance",
	"fakenode_flashblockFault", "fakenode_reorg",
}

// logged returns the data of a call to the emitter.
func logged(topic int) hexutil.Bytes { return labcode.EmitterCall(byte(topic), 2, 3) }

// fixedValues returns the values that name one block, where the network's are fixed; nil for other kinds.
func (c *course) fixedValues(kind string, on *courseNetwork) []any {
	if !on.fixed {
		return nil
	}
	switch kind {
	case "tag":
		return on.numbers
	case "block":
		return []any{on.numbers[0], map[string]any{"blockHash": on.blocks[0]}}
	case "filter", "range":
		return []any{map[string]any{"fromBlock": on.numbers[0], "toBlock": on.numbers[0]}}
	}
	return nil
}

// values returns the values of a kind of parameter on a network.
func (c *course) values(kind string, on *courseNetwork) []any {
	if values := c.fixedValues(kind, on); values != nil {
		return values
	}
	switch kind {
	case "tag":
		return append([]any{"latest", "pending", "safe", "finalized", "earliest"}, on.numbers...)
	case "block":
		return []any{"latest", "pending", map[string]any{"blockHash": on.blocks[0]}}
	case "number":
		return on.numbers
	case "blockHash":
		return on.blocks
	case "hash":
		return on.hashes
	case "batch":
		return append([]any{"batch-1", "batch-2"}, on.batches...)
	case "account":
		return []any{fixtures.Dev(0).Address, fixtures.Dev(1).Address, fixtures.Dev(2).Address, whale, emitter}
	case "slot":
		return []any{"0x0", "0x1"}
	case "slots":
		return []any{map[common.Address]any{emitter: []any{common.Hash{}, common.Hash{31: 1}}}}
	case "slotList":
		return []any{[]any{"0x0"}}
	case "bool":
		return []any{false, true}
	case "index":
		return []any{"0x0", "0x1", "0x2"}
	case "zero":
		return []any{0}
	case "page":
		return []any{25}
	case "data":
		return []any{"0x1234"}
	case "signature":
		return []any{"0x" + fmt.Sprintf("%0128x", 5) + "1b"}
	case "count":
		return []any{"0x5"}
	case "percentiles":
		return []any{[]any{10, 50}}
	case "plainCall":
		return []any{map[string]any{"from": fixtures.Dev(0).Address, "to": emitter, "data": hexutil.Encode(labcode.EmitterCall(1, 2, 3))}}
	case "call":
		return append(c.values("plainCall", on), map[string]any{"from": whale, "to": emitter, "value": "0x1"}, map[string]any{"data": hexutil.Encode(labcode.Observer(vm.NUMBER, vm.TIMESTAMP, vm.BASEFEE, vm.PREVRANDAO, vm.COINBASE, vm.GASLIMIT, vm.BLOBBASEFEE))})
	case "signable":
		return []any{map[string]any{"from": fixtures.Dev(0).Address, "to": emitter, "gas": "0x5208", "gasPrice": "0x77359400", "nonce": "0x1"}}
	case "simulation":
		return []any{map[string]any{"blockStateCalls": []any{map[string]any{"calls": c.values("call", on)}}}}
	case "filter":
		return []any{
			map[string]any{"fromBlock": "earliest", "toBlock": "latest"}, map[string]any{"fromBlock": "earliest", "toBlock": "pending", "address": emitter},
			map[string]any{"blockHash": on.blocks[0]},
		}
	case "range":
		return []any{map[string]any{"fromBlock": on.numbers[0], "toBlock": "latest"}}
	case "path":
		return []any{[]any{"0x0"}}
	case "traces":
		return []any{[]any{"trace", "stateDiff"}}
	case "tracedCalls":
		return []any{[]any{[]any{c.values("plainCall", on)[0], []any{"trace"}}}}
	case "tracer":
		return []any{map[string]any{"tracer": "callTracer", "tracerConfig": map[string]any{"withLog": true}}, map[string]any{"tracer": "prestateTracer"}}
	case "entryPoint":
		return []any{entrypoint.V06Address, entrypoint.V07Address}
	}
	panic("unknown kind " + kind)
}
