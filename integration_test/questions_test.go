package integration_test

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// question is a call that both nodes answer.
type question struct {
	method    string
	arguments []any
}

// questions are every read that both nodes have, at every block of the history and under every tag.
func questions(transactions []common.Hash) []question {
	var list []question
	ask := func(method string, arguments ...any) { list = append(list, question{method, arguments}) }
	alice, bob := fixtures.Dev(0).Address, fixtures.Dev(1).Address
	accounts := []common.Address{alice, bob, fixtures.Dev(3).Address, counter, cleaner, created(alice, 2), {}, common.HexToAddress("0xdead")}

	blocks := []any{"earliest", "finalized", "safe", "latest", "0x9", "0x63"}
	for number := range 9 {
		blocks = append(blocks, hexutil.EncodeUint64(uint64(number)))
	}
	for _, block := range blocks {
		ask("eth_getBlockByNumber", block, true)
		ask("eth_getBlockByNumber", block, false)
		ask("eth_getHeaderByNumber", block)
		ask("eth_getBlockReceipts", block)
		ask("eth_getBlockTransactionCountByNumber", block)
		ask("eth_getUncleCountByBlockNumber", block)
		ask("eth_getUncleByBlockNumberAndIndex", block, "0x0")
		ask("eth_feeHistory", "0x4", block, []float64{10, 50, 90})
		ask("debug_getRawBlock", block)
		ask("debug_getRawHeader", block)
		ask("debug_getRawReceipts", block)
		for _, index := range []string{"0x0", "0x2", "0x9"} {
			ask("eth_getTransactionByBlockNumberAndIndex", block, index)
			ask("eth_getRawTransactionByBlockNumberAndIndex", block, index)
		}
		for _, account := range accounts {
			ask("eth_getBalance", account, block)
			ask("eth_getTransactionCount", account, block)
			ask("eth_getCode", account, block)
			ask("eth_getStorageAt", account, "0x0", block)
			ask("eth_getProof", account, []string{"0x0", "0x1"}, block)
		}
	}
	for _, block := range []string{"earliest", "0x3", "0x6", "latest", "safe", "0x63"} { // what executes, at fewer blocks
		for _, call := range calls(alice) {
			ask("eth_call", call, block)
			ask("eth_estimateGas", call, block)
			ask("eth_createAccessList", call, block)
			ask("eth_call", call, block,
				object{alice.Hex(): object{"balance": "0x5f5e100", "nonce": "0x9"}, counter.Hex(): object{"stateDiff": object{word(0).Hex(): word(40)}}},
				object{"number": "0x20", "baseFeePerGas": "0x0", "time": "0x7fffffff"})
		}
		ask("eth_simulateV1", object{"traceTransfers": true, "returnFullTransactions": true, "blockStateCalls": []object{
			{"calls": calls(alice)},
			{"calls": calls(alice), "blockOverrides": object{"number": "0x20"}, "stateOverrides": object{counter.Hex(): object{"state": object{}}}},
		}}, block)
		ask("eth_simulateV1", object{"validation": true, "blockStateCalls": []object{{"calls": calls(alice)[:1]}}}, block)
	}
	for _, hash := range append(transactions, word(1)) {
		ask("eth_getTransactionByHash", hash)
		ask("eth_getTransactionReceipt", hash)
		ask("eth_getRawTransactionByHash", hash)
		ask("debug_getRawTransaction", hash)
	}
	for _, method := range []string{
		"eth_chainId", "eth_blockNumber", "net_version", "eth_gasPrice", "eth_maxPriorityFeePerGas", "eth_blobBaseFee",
		"eth_syncing", "eth_accounts", "txpool_status", "txpool_content", "txpool_inspect", "net_listening", "eth_config", "eth_baseFee",
	} {
		ask(method)
	}
	for _, filter := range filters() {
		ask("eth_getLogs", filter)
	}
	return append(list, mistakes()...)
}

// calls are calls of every outcome.
func calls(from common.Address) []object {
	return []object{
		{"from": from, "to": counter},
		{"from": from, "to": reverter, "input": "0xdeadbeef"},
		{"from": from, "to": observer, "gas": "0x186a0"},
		{"from": from, "to": emitter, "input": hexutil.Bytes(labcode.EmitterCall(5, 6, 7)), "value": "0x1"},
		{"from": from, "to": burner, "input": word(255), "gas": "0x7530"},
		{"from": from, "to": forwarder, "value": "0x10", "input": hexutil.Bytes(addressWord(fixtures.Dev(4).Address))},
		{"from": from, "input": hexutil.Bytes(labcode.Deployment([]byte{0x5f, 0x5f, 0xf3}))},
		{"from": from, "to": fixtures.Dev(1).Address},
	}
}

// filters are log filters of every kind.
func filters() []object {
	list := []object{
		{}, {"fromBlock": "earliest"}, {"fromBlock": "0x0", "toBlock": "latest", "address": emitter},
		{"fromBlock": "0x0", "address": []common.Address{emitter, counter}},
		{"fromBlock": "0x0", "topics": []any{word(1)}}, {"fromBlock": "0x0", "topics": []any{nil, word(2)}},
		{"fromBlock": "0x0", "topics": []any{[]any{word(1), word(3)}, word(2)}},
		{"fromBlock": "0x0", "topics": []any{[]any{}, []any{word(9)}}},
		{"fromBlock": "0x0", "topics": []any{nil, nil, nil}},
		{"fromBlock": "0x3", "toBlock": "0x2"}, {"fromBlock": "0x1", "toBlock": "0x63"}, {"fromBlock": "0x63", "toBlock": "0x64"},
		{"blockHash": word(9)}, {"blockHash": word(9), "fromBlock": "0x1"}, {"fromBlock": "safe"}, {"fromBlock": "finalized"},
	}
	for number := range 10 {
		bound := hexutil.EncodeUint64(uint64(number))
		list = append(list, object{"fromBlock": bound, "toBlock": bound})
	}
	return list
}

// mistakes are calls that fail.
func mistakes() []question {
	var list []question
	ask := func(method string, arguments ...any) { list = append(list, question{method, arguments}) }
	for _, raw := range []string{"0x", "0x00", "0xf86c", "0x02c0"} {
		ask("eth_sendRawTransaction", raw)
	}
	ask("eth_nothing")
	ask("eth_getBalance")
	ask("eth_getBalance", "0x1")
	ask("eth_getBalance", counter, "soon")
	ask("eth_getBalance", counter, "latest", "more")
	ask("eth_getBlockByNumber", 5, true)
	ask("eth_getStorageAt", counter, "0xzz", "latest")
	ask("eth_call", "0x1", "latest")
	ask("eth_call", object{"to": counter}, word(9))
	ask("eth_getLogs", object{"topics": []any{nil, nil, nil, nil, nil}})
	ask("eth_getLogs", object{"address": "0x12"})
	ask("eth_getBlockByHash", word(9), false)
	ask("eth_simulateV1", object{"blockStateCalls": []object{}}, "latest")
	for i := range 3 {
		ask("eth_simulateV1", payload(object{"blockOverrides": object{"number": fmt.Sprintf("0x%x", 8+i)}}), "latest")
	}
	return list
}
