package parity

import (
	"encoding/json"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// observed lists the words that the observer of contracts returns.
var observed = []vm.OpCode{
	vm.NUMBER, vm.TIMESTAMP, vm.BASEFEE, vm.CHAINID, vm.COINBASE, vm.GASLIMIT, vm.ORIGIN, vm.CALLER, vm.GASPRICE, vm.CALLVALUE, vm.BLOBBASEFEE,
	vm.SELFBALANCE, vm.BLOCKHASH,
}

// contracts are placed in both nodes before each course.
var contracts = []struct{ address, code string }{
	{"0xc0de000000000000000000000000000000000001", hexutil.Encode(labcode.Emitter())},
	{"0xc0de000000000000000000000000000000000002", hexutil.Encode(labcode.Reverter())},
	{"0xc0de000000000000000000000000000000000003", hexutil.Encode(labcode.Counter())},
	{"0xc0de000000000000000000000000000000000004", hexutil.Encode(labcode.Observer(observed[:len(observed)-1]...))},
	{"0xc0de000000000000000000000000000000000005", "0xfe"},
	// Calls the emitter twice, and the reverter, with its call data.
	{"0xc0de000000000000000000000000000000000006", "0x36600060003760006000366000600073c0de00000000000000000000000000000000000" +
		"15af15060006000366000600073c0de0000000000000000000000000000000000025af15060006000366000600073c0de0000000000000000000000000000000000015af100"},
}

func parsedAddress(text string) common.Address { return common.HexToAddress(text) }

func fromHex(text string) []byte { return common.FromHex(text) }

func word(end string) string { return "0x" + strings.Repeat("0", 64-len(end)) + end }

// valueKinds are kinds with a value out of a list.
var valueKinds = map[string][]any{
	"account": accounts(4),
	"address": append(accounts(4), contracts[0].address, contracts[1].address, contracts[2].address, contracts[3].address, contracts[4].address, contracts[5].address,
		"0x0000000000000000000000000000000000000000", "0x0000000000000000000000000000000000000001", "0x0000000000000000000000000000000000000004",
		"0x000000000000000000000000000000000000dead", "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
	"contract": {contracts[0].address, contracts[1].address, contracts[2].address, contracts[3].address, contracts[4].address, contracts[5].address},
	"sender":   append(append(accounts(4), accounts(4)...), "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
	"data": {
		"0x", "0x", "0x00", "0x12345678", word("1"), word("2") + word("3")[2:], word("2") + word("4")[2:] + "0102",
		"0x08c379a0" + word("20")[2:] + word("2")[2:] + "6e6f" + strings.Repeat("0", 60), "0x4e487b71" + word("11")[2:],
		"0x600a600c600039600a6000f3602a60005260206000f3", "0x6001600055", "0x60016000fd", "0xfe", "0x5f5ff3", "0x33ff",
	},
	"gas":           {"0x5208", "0x186a0", "0x186a0", "0xf4240", "0x1", "0x1c9c380", "0x3938700", "0xffffffffffffffff"},
	"fee":           {"0x0", "0x1", "0x3b9aca00", "0x77359400", "0x12a05f200", "0x174876e800"},
	"tip":           {"0x0", "0x1", "0x3b9aca00"},
	"lowFee":        {"0x0", "0x1", "0x3b9aca00", "0x3b9aca00"}, // see generator.raw
	"value":         {"0x0", "0x0", "0x1", "0xde0b6b3a7640000", "0x21e19e0c9bab2400001", "0xf" + strings.Repeat("0", 63)},
	"nonce":         {"0x0", "0x1", "0x2", "0x5", "0x64"},
	"farNonce":      {"0x0", "0x0", "0x1", "0x64"},
	"word":          {word("0"), word("1"), word("2a"), word("ff00")},
	"count":         {"0x0", "0x1", "0x2", "0x3", "0x5"},
	"seconds":       {"0x0", "0x1", "0x3c", "0xe10", "0x15180", 1, 60, 3600, "10", 0},
	"sendGas":       {"0x186a0", "0x186a0", "0xf4240", "0x1", "0x1c9c380", "0x3938700"},
	"initCode":      {"0x00", "0x600a600c600039600a6000f3602a60005260206000f3", "0x6001600055", "0x60016000fd", "0xfe", "0x5f5ff3", "0x33ff"},
	"time":          {"$time 100", "$time 1000", "$time 90000", "$time -100", "0x1"}, // of an override
	"zero":          {0},
	"one":           {1},
	"interval":      {1, 60, 3600},
	"five":          {5},
	"index":         {"0x0", "0x0", "0x1", "0x5"},
	"bool":          {true, false},
	"percentile":    {0, 10, 50, 99.5, 100},
	"balance":       {"0x0", "0x1", "0xde0b6b3a7640000", "0x21e19e0c9bab2400000", "0xffffffffffffffffffffffffffffffff"},
	"code":          {"0x", "0x00", hexutil.Encode(labcode.Counter()), "0xef0100c0de000000000000000000000000000000000001", "0xfe"},
	"gasLimit":      {"0x1c9c380", "0x3938700", "0x989680"},
	"few":           {1, 2, 3},
	"blocks":        {"0x1", "0x2", "0x3", "0x0", 2},
	"tracer":        {"callTracer", "callTracer", "prestateTracer", "4byteTracer", "noopTracer", "muxTracer", "noSuchTracer"},
	"traceKind":     {"trace", "stateDiff", "vmTrace", "junk"},
	"topic":         {word("1"), word("2"), word("3"), nil},
	"method":        {"eth_call", "no_such", "eth_getBalances"},
	"authorization": {authorization(0, 0), authorization(31337, 0), authorization(1, 0), authorization(0, 5)},
	"typed": {map[string]any{
		"domain": map[string]any{"name": "A", "chainId": 31337}, "primaryType": "M", "message": map[string]any{"a": "0x01", "n": "12"},
		"types": map[string]any{
			"EIP712Domain": []any{map[string]any{"name": "name", "type": "string"}, map[string]any{"name": "chainId", "type": "uint256"}},
			"M":            []any{map[string]any{"name": "a", "type": "bytes"}, map[string]any{"name": "n", "type": "uint256"}},
		}}},
}

// authorization returns one of the development account 5, which exists.
func authorization(chainID, nonce uint64) any {
	signed, err := types.SignSetCode(fixtures.Dev(5).Key, types.SetCodeAuthorization{
		ChainID: *uint256.NewInt(chainID), Address: parsedAddress(contracts[0].address), Nonce: nonce,
	})
	if err != nil {
		panic(err) // the key is one
	}
	var object any
	text, err := json.Marshal(signed)
	if err == nil {
		err = json.Unmarshal(text, &object)
	}
	if err != nil {
		panic(err) // an authorization is plain JSON
	}
	return object
}

// mostWord is 2^256-1.
const mostWord = "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff"

// junk are values that are right for few parameters.
var junk = []any{
	nil, true, -1, 0, 1.5, "", "0x", "0X1", "0x01", "1", "latest", "zz", []any{}, map[string]any{}, []any{nil}, map[string]any{"a": 1},
	mostWord, "0x1" + strings.Repeat("0", 64), uint64(1) << 63, "-0x1",
}

func accounts(most int) []any {
	list := make([]any, most)
	for i := range list {
		list[i] = strings.ToLower(fixtures.Dev(i).Address.Hex())
	}
	return list
}

// objectKinds are the members of objects with the kinds of their values. A name that ends in ! is always there.
var objectKinds = map[string]string{
	"call":        "from:sender to!:contract|contract|address gas:gas gasPrice:fee value:value data:data nonce:nonce accessList:access[]",
	"feeCall":     "from:sender to:address gas:gas maxFeePerGas:fee maxPriorityFeePerGas:tip value:value input:data type:0x2|0x1|0x0|0x7 chainId:0x7a69|0x1",
	"mixedCall":   "from:sender to!:contract gas:gas gasPrice:fee maxFeePerGas:fee maxPriorityFeePerGas:tip chainId:0x7a69|0x1",
	"plainCall":   "from!:account to!:contract data!:data",
	"creation":    "from!:account data!:initCode gas:sendGas value:0x0|0x1",
	"transaction": "from!:sender to!:contract|contract|address gas:sendGas gasPrice:lowFee value:value data:data nonce:farNonce accessList:access[] type:0x0|0x1|0x2",
	"feeTransaction": "from!:sender to!:address gas:0x186a0|0xf4240|0x1c9c380 maxFeePerGas:fee maxPriorityFeePerGas:tip value:value input:data accessList:access[] type:0x2|0x2|0x4|0x0 " +
		"authorizationList:authorizations",
	"mixedTransaction": "from!:account to!:account gas:0x186a0|0xf4240 gasPrice:lowFee maxFeePerGas:fee maxPriorityFeePerGas:tip chainId:0x7a69|0x1",
	"plainTransaction": "from!:account to!:contract data!:data gas:0x186a0|0xf4240",
	"transfer":         "from!:account to!:account value!:0x0|0x1",
	"access":           "address!:address storageKeys!:word[]",
	"override":         "balance:balance nonce:nonce code:code stateDiff:slots",
	"fullOverride":     "balance:balance state:slots",
	"blockOverride":    "number:count|0x64|0xffff time:time gasLimit:gasLimit coinbase:address baseFee:fee random:word difficulty:count",
	"newBlockOverride": "number:count|0x64|0xffff time:time gasLimit:gasLimit feeRecipient:address prevRandao:word baseFeePerGas:fee blobBaseFee:fee",
	"filter":           "fromBlock:rangeTag toBlock:rangeTag address:address|address[] topics:topic[]|topicChoices[]",
	"openFilter":       "fromBlock:0x0|0x1|latest address:address|address[] topics:topic[]|topicChoices[]",
	"hashFilter":       "blockHash!:blockHash address:address fromBlock:null|0x0",
	"tracing":          "tracer:tracer tracerConfig:tracerOptions enableMemory:bool disableStack:bool disableStorage:bool enableReturnData:bool stateOverrides:overrides blockOverrides:blockOverride|newBlockOverride timeout:10s",
	"steps":            "disableMemory:bool disableStack:bool disableStorage:bool",
	"tracerOptions":    "onlyTopCall:bool withLog:bool diffMode:bool",
	"simulation":       "blockStateCalls!:simulated[] traceTransfers:bool validation:false|false|true returnFullTransactions:bool",
	"simulated":        "calls:plainCall[]|call[]|feeCall[] stateOverrides:overrides blockOverrides:newBlockOverride",
	"traceFilter":      "fromBlock:0x0|0x1|latest toBlock:latest|0x3 fromAddress:account[] toAddress:address[] after:zero count:five",
	"mining":           "timestamp!:later blocks!:few",
}

// careful methods get no junk: a huge number would mine for ever, and what one node takes alone parts the chains.
var careful = map[string]bool{
	"anvil_mine": true, "hardhat_mine": true, "evm_mine": true, "evm_mine_detailed": true, "anvil_mine_detailed": true, "anvil_rollback": true, "anvil_setIntervalMining": true, "evm_setIntervalMining": true,
	"anvil_setBlockGasLimit": true, "evm_setBlockGasLimit": true, "evm_setNextBlockTimestamp": true, "anvil_setNextBlockTimestamp": true,
	"evm_increaseTime": true, "evm_setTime": true, "anvil_setTime": true, "anvil_increaseTime": true, "anvil_setBlockTimestampInterval": true,
	"eth_sendRawTransactionSync": true, "eth_sendTransactionSync": true, "eth_sendTransaction": true, "evm_revert": true, "anvil_revert": true, "anvil_reset": true,
}
