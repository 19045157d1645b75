package dialect_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/labcode"
)

// instantAnvil seals a block for each transaction.
var instantAnvil = fakenode.Config{Preset: fakenode.Anvil}

// anvilDocumented has a case for each row of the table in docs/anvil.md.
var anvilDocumented = map[string]func(*testing.T){
	"`eth_getLogs` beyond the head": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		requireLogsWithin(n)
		for _, filter := range []map[string]any{{"fromBlock": "0x5"}, {"fromBlock": "0x5", "toBlock": "0x6"}} {
			code, _, _ := n.failure("eth_getLogs", filter)
			require.Equal(t, -32602, code)
		}
	},
	"`anvil_setCode` with code over the limit": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		for size, method := range []string{"anvil_setCode", "hardhat_setCode", "evm_setAccountCode"} {
			answer[any](n, method, n.Account(0).Address, hexutil.Bytes(make([]byte, 70_000+size)))
			require.Len(t, answer[hexutil.Bytes](n, "eth_getCode", n.Account(0).Address, "latest"), 70_000+size)
		}
	},
	"what is not there": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		unknown := common.HexToHash("0x11")
		for _, method := range []string{"trace_transaction", "ots_traceTransaction"} {
			require.Equal(t, []any{}, answer[any](n, method, unknown), method)
		}
		require.Equal(t, []any{}, answer[any](n, "trace_block", "0x9"))
		require.Equal(t, "0x", answer[any](n, "ots_getTransactionError", unknown))
		require.Nil(t, answer[any](n, "debug_getRawTransaction", unknown))
		for _, tracer := range []string{"callTracer", "prestateTracer"} {
			trace := answer[map[string]any](n, "debug_traceTransaction", unknown, map[string]any{"tracer": tracer})
			require.Equal(t, map[string]any{"failed": false, "gas": 0.0, "returnValue": "0x", "structLogs": []any{}}, trace)
		}
		require.Equal(t, []any{}, answer[any](n, "debug_traceBlockByNumber", "0x0"))
		for method, want := range map[string]int{
			"eth_getBlockTransactionCountByNumber": -32602, "eth_getUncleCountByBlockNumber": -32001, "ots_getBlockDetails": -32001, "debug_traceBlockByNumber": -32001,
		} {
			code, _, _ := n.failure(method, "0x9")
			require.Equal(t, want, code, method)
		}
		code, _, _ := n.failure("eth_getBalance", n.Account(0).Address)
		require.Equal(t, -32602, code, "without a block")
		require.Nil(t, answer[any](n, "eth_getBlockReceipts", "pending"))
		require.Equal(t, "0x0", answer[any](n, "evm_snapshot"))
		require.Contains(t, answer[map[string]any](n, "anvil_metadata")["snapshots"], "0x0")
		require.Equal(t, true, answer[any](n, "evm_revert", "0x0"))
		require.Equal(t, false, answer[any](n, "anvil_removeBlockTimestampInterval"))
		proof := answer[map[string]any](n, "eth_getProof", n.Account(0).Address, []string{"0x1"}, "latest")
		require.Equal(t, []any{"0x80"}, proof["storageProof"].([]any)[0].(map[string]any)["proof"])
		require.Equal(t, []any{}, answer[map[string]any](n, "eth_feeHistory", "0x1", "latest")["reward"])
		pooled := answer[map[string]any](n, "eth_fillTransaction", n.object(map[string]any{"to": n.Account(1).Address}))["tx"]
		require.NotContains(t, pooled, "blockTimestamp")
		require.Contains(t, pooled, "blockHash")
	},
	"`eth_accounts`": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		whale := common.HexToAddress("0xa11ce")
		answer[any](n, "anvil_impersonateAccount", whale)
		require.Contains(t, answer[[]common.Address](n, "eth_accounts"), whale)
	},
	"flashblocks": func(t *testing.T) {
		n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Interval})
		hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
		n.Advance(time.Second)
		require.Nil(t, n.receipt(hash))
		n.Preconfirm()
		require.NotNil(t, n.receipt(hash), "on command")
		n.Advance(time.Second)
		require.Equal(t, "0x1", answer[string](n, "eth_blockNumber"))
	},
	"a transaction without `gas`": func(t *testing.T) {
		n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
		object := n.object(map[string]any{"to": n.Account(1).Address, "data": "0x01"})
		answer[any](n, "anvil_setCode", n.Account(1).Address, "0x60015f55") // sets a slot, which costs less where it is set
		answer[common.Hash](n, "eth_sendTransaction", object)
		hash := answer[common.Hash](n, "eth_sendTransaction", object)
		gas := answer[struct{ Gas string }](n, "eth_getTransactionByHash", hash).Gas
		require.Equal(t, answer[string](n, "eth_estimateGas", object, "latest"), gas)
		require.NotEqual(t, answer[string](n, "eth_estimateGas", object, "pending"), gas)
		answer[any](n, "anvil_setNextBlockBaseFeePerGas", "0x174876e800") // from which the next one falls
		n.Seal()
		hash = answer[common.Hash](n, "eth_sendTransaction", object)
		gas = answer[struct{ Gas string }](n, "eth_getTransactionByHash", hash).Gas
		require.Equal(t, answer[string](n, "eth_estimateGas", object, "latest"), gas)

		answer[any](n, "anvil_setCode", n.Account(1).Address, "0x415f5500") // keeps the fee recipient
		answer[any](n, "anvil_setCoinbase", n.Account(2).Address)
		hash = answer[common.Hash](n, "eth_sendTransaction", object)
		require.Greater(t, uint64(answer[struct{ Gas hexutil.Uint64 }](n, "eth_getTransactionByHash", hash).Gas), uint64(40_000))
	},
	"`pending` while nothing is pre-confirmed": func(t *testing.T) { requirePendingPool(t, fakenode.Anvil) },
	"a replacement": func(t *testing.T) {
		n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
		object := n.object(map[string]any{"to": n.Account(1).Address, "nonce": "0x0", "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1"})
		answer[common.Hash](n, "eth_sendTransaction", object)
		object["value"] = "0x1"
		_, message, _ := n.failure("eth_sendTransaction", object)
		require.Equal(t, "replacement transaction underpriced", message)
		object["maxFeePerGas"] = "0x77359401"
		hash := answer[common.Hash](n, "eth_sendTransaction", object)
		n.Seal()
		require.Equal(t, "0x1", n.receipt(hash).Status)
	},
	"`newPendingTransactions` behind a missing nonce": func(t *testing.T) { requireAnnounced(t, instantAnvil, false) },
	"a state override of a precompile":                func(t *testing.T) { requirePrecompile(newDevNode(t, instantAnvil), true) },
	"`anvil_setNonce` below the current nonce": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		for _, method := range []string{"anvil_setNonce", "hardhat_setNonce", "evm_setAccountNonce"} {
			answer[any](n, method, n.Account(0).Address, "0x1a4")
			answer[any](n, method, n.Account(0).Address, "0x45")
			require.Equal(t, "0x45", answer[string](n, "eth_getTransactionCount", n.Account(0).Address, "latest"))
		}
	},
	"a burst of blocks": func(t *testing.T) {
		n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, RealClock: true})
		const burst = 30
		for range burst {
			answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
		}
		answer[any](n, "evm_setAutomine", false)
		for range burst {
			answer[any](n, "evm_mine")
		}
		head := answer[struct{ Number, Timestamp hexutil.Uint64 }](n, "eth_getBlockByNumber", "latest", false)
		require.EqualValues(t, 2*burst, head.Number)
		require.Less(t, uint64(head.Timestamp)-answer[uint64](n, "anvil_getGenesisTime"), uint64(burst), "seconds: one after another it would be above")
	},
	"the gas of a call without `gas`": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		gas := n.deploy("5a5f5260205ff3") // returns GAS
		left := func(override any, members map[string]any) uint64 {
			return new(big.Int).SetBytes(answer[hexutil.Bytes](n, "eth_call", n.object(members), "latest", nil, override)).Uint64() + 21_000 + 2
		}
		require.EqualValues(t, 30_000_000, left(nil, map[string]any{"to": gas}))
		require.EqualValues(t, 160_000_000, left(map[string]any{"gasLimit": "0x9896800"}, map[string]any{"to": gas}))
		require.EqualValues(t, 160_000_000, left(nil, map[string]any{"to": gas, "gas": "0x9896800"})) // also more than that
		answer[any](n, "anvil_setBlockGasLimit", "0x989680")
		answer[any](n, "anvil_mine")
		require.EqualValues(t, 10_000_000, left(nil, map[string]any{"to": gas}))
	},
	"names of block overrides": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		answer[any](n, "anvil_setCode", common.Address{9}, hexutil.Bytes(labcode.Observer(vm.NUMBER, vm.TIMESTAMP, vm.COINBASE, vm.PREVRANDAO, vm.BASEFEE)))
		overrides := map[string]any{
			"blockNumber": "0x11", "timestamp": "0x6fffffff", "coinbase": common.Address{19: 0x33}, "random": common.Hash{31: 0x44}, "baseFee": "0x55",
			"blockHash": map[string]any{"0x10": common.Hash{31: 0x66}},
		}
		call := map[string]any{"to": common.Address{9}}
		seen := fmt.Sprintf("0x%064x%064x%064x%064x%064x%064x", 0x11, 0x6fffffff, 0x33, 0x44, 0x55, 0x66)
		require.Equal(t, seen, answer[string](n, "eth_call", call, "latest", map[string]any{}, overrides))
		traced := answer[struct{ Output string }](n, "debug_traceCall", call, "latest", map[string]any{"tracer": "callTracer", "blockOverrides": overrides})
		require.Equal(t, seen, traced.Output)
		delete(overrides, "blockHash")
		block := map[string]any{"blockOverrides": overrides, "calls": []any{call}}
		blocks := answer[[]struct{ BaseFeePerGas string }](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{block}}, "latest")
		require.Equal(t, "0x55", blocks[len(blocks)-1].BaseFeePerGas)
	},
	"an unknown filter or snapshot": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		for _, id := range []string{"0x99", "0x" + strings.Repeat("1", 64), "none"} {
			code, message, _ := n.failure("eth_getFilterChanges", id)
			require.Equal(t, -32000, code)
			require.Contains(t, message, "filter not found")
			require.False(t, answer[bool](n, "eth_uninstallFilter", id))
			require.False(t, answer[bool](n, "evm_revert", id))
		}
	},
	"a block, mined or pending": func(t *testing.T) {
		n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
		require.Equal(t, "0x0", answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)["totalDifficulty"])
		require.NotEqual(t, common.Hash{}, answer[struct{ Hash common.Hash }](n, "eth_getBlockByNumber", "pending", false).Hash)
		mined := answer[[]map[string]any](n, "anvil_mine_detailed")
		require.Equal(t, "0x0", mined[0]["totalDifficulty"])
	},
	"`BASEFEE` in a call without a fee": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		reader := n.deploy("485f5260205ff3")
		block := answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)
		fee := answer[hexutil.Bytes](n, "eth_call", map[string]any{"to": reader}, "latest")
		require.Equal(t, block["baseFeePerGas"], hexutil.EncodeBig(new(big.Int).SetBytes(fee)))
	},
	"`anvil_mine` with an interval": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		before := answer[struct{ Timestamp hexutil.Uint64 }](n, "eth_getBlockByNumber", "latest", false).Timestamp
		answer[any](n, "anvil_mine", "0x1", "0x15180")
		answer[any](n, "anvil_mine", 3, 60)
		after := answer[struct{ Timestamp hexutil.Uint64 }](n, "eth_getBlockByNumber", "latest", false).Timestamp
		require.EqualValues(t, 86_400+3*60, after-before)
	},
	"the order of transactions": func(t *testing.T) {
		for _, order := range []fakenode.Order{0, fakenode.Fees} { // what --order fees says
			n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual, Order: order})
			answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "gasPrice": "0x77359400"}))
			dear := answer[common.Hash](n, "eth_sendTransaction", map[string]any{
				"from": n.Account(2).Address, "to": n.Account(1).Address, "maxFeePerGas": "0x12a05f200", "maxPriorityFeePerGas": "0x1",
			})
			answer[any](n, "anvil_mine")
			require.Equal(t, dear, answer[struct{ Transactions []common.Hash }](n, "eth_getBlockByNumber", "latest", false).Transactions[0])
			require.Equal(t, "fees", answer[map[string]any](n, "anvil_nodeInfo")["transactionOrder"])
		}
	},
	"codes of errors": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		invalid := n.deploy(invalidOpcode)
		for want, call := range map[int][]any{
			-32603: {"eth_call", n.object(map[string]any{"to": invalid})},
			-32003: {"eth_call", n.object(map[string]any{"to": invalid, "value": "0xffffffffffffffffffff"})},
			-32602: {"eth_call", n.object(map[string]any{"to": invalid}), "0x99"},
			-32001: {"eth_call", n.object(map[string]any{"to": invalid}), map[string]any{"blockHash": common.Hash{1}}},
			3:      {"eth_createAccessList", n.object(map[string]any{"to": n.deploy(echoRevert)})},
		} {
			code, _, _ := n.failure(call[0].(string), call[1:]...)
			require.Equal(t, want, code, call)
		}
		for want, call := range map[string][]any{
			"No Signer available":          {"eth_sendTransaction", map[string]any{"from": common.Address{1}, "to": common.Address{2}}},
			"Failed to decode transaction": {"eth_sendRawTransaction", "0x01"},
		} {
			code, message, _ := n.failure(call[0].(string), call[1:]...)
			require.Equal(t, -32602, code)
			require.Contains(t, message, want)
		}
	},
	"the gas limit of a block": func(t *testing.T) {
		require.Equal(t, "0x1c9c380", answer[map[string]any](newDevNode(t, instantAnvil), "eth_getBlockByNumber", "0x0", false)["gasLimit"])
	},
	"the base fee of block 1": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		answer[any](n, "anvil_mine", "0x2")
		for number, want := range []string{"0x3b9aca00", "0x3b9aca00", "0x342770c0"} {
			require.Equal(t, want, answer[map[string]any](n, "eth_getBlockByNumber", hexutil.Uint64(number), false)["baseFeePerGas"])
		}
	},
	"typed data of another chain":       func(t *testing.T) { signsAnyChain(t, newDevNode(t, instantAnvil)) },
	"a transaction from before EIP-155": func(t *testing.T) { takesUnprotected(t, newDevNode(t, instantAnvil)) },
	"the fee recipient": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		require.Equal(t, common.HexToAddress("0x0000000000000000000000000000000000000000"), answer[common.Address](n, "eth_coinbase"))
		hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
		block := answer[map[string]any](n, "eth_getBlockByNumber", n.receipt(hash).BlockNumber, false)
		require.Equal(t, "0x0000000000000000000000000000000000000000", block["miner"])
	},
	"an unknown method": func(t *testing.T) {
		code, message, _ := newDevNode(t, instantAnvil).failure("eth_nope")
		require.Equal(t, -32601, code)
		require.Equal(t, "Method not found", message)
	},
	"`eth_estimateGas` of what the sender cannot pay": anvilEstimates,
	"fees that are left out":                          anvilFills,
	"quantities in a transaction object":              anvilReads,
	"a sender that is left out": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		hash := answer[common.Hash](n, "eth_sendTransaction", map[string]any{"to": n.Account(1).Address})
		require.Equal(t, n.Account(0).Address, answer[struct{ From common.Address }](n, "eth_getTransactionByHash", hash).From)
		code, message, _ := n.failure("eth_signTransaction", map[string]any{"from": common.Address{9}, "to": n.Account(1).Address})
		require.Equal(t, []any{-32602, "No Signer available"}, []any{code, message})
	},
	"a transaction without `gas` that fails": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		for code, gas := range map[string]any{echoRevert: nil, invalidOpcode: "0x1c9c380"} { // no limit suffices: the largest there is
			hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.deploy(code), "data": "0x12"}))
			require.Equal(t, "0x0", n.receipt(hash).Status)
			if gas != nil {
				require.Equal(t, gas, answer[map[string]any](n, "eth_getTransactionByHash", hash)["gas"])
			}
		}
	},
	"a fee cap below the base fee": func(t *testing.T) {
		n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
		code, message, _ := n.failure("eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address, "gasPrice": "0x1"}))
		require.Equal(t, []any{-32003, "max fee per gas less than block base fee"}, []any{code, message})
		price := common.Address{7} // returns GASPRICE
		n.SetCode(price, common.FromHex("3a5f5260205ff3"))
		for given, seen := range map[string]int64{"0x1": 1, "0x3b9aca00": 1_000_000_000, "0x77359400": 2_000_000_000} {
			require.Equal(t, seen, answer[common.Hash](n, "eth_call", n.object(map[string]any{"to": price, "gasPrice": given})).Big().Int64())
		}
		code, message, _ = n.failure("eth_call", map[string]any{"from": common.Address{8}, "to": price, "gas": "0x5208", "gasPrice": "0x1"})
		require.Equal(t, []any{-32003, "Insufficient funds for gas * price + value"}, []any{code, message}, "it pays what it offers")
		// Also below a base fee that the call itself sets.
		call := n.object(map[string]any{"to": n.Account(1).Address, "gasPrice": "0x3b9aca00"})
		for _, method := range []string{"eth_call", "eth_estimateGas"} {
			answer[any](n, method, call, "latest", nil, map[string]any{"baseFee": "0x77359400"})
		}
	},
	"a receipt": func(t *testing.T) {
		n := newDevNode(t, instantAnvil)
		pay := n.object(map[string]any{"to": n.Account(1).Address})
		receipts := []map[string]any{answer[map[string]any](n, "eth_sendTransactionSync", pay), answer[[]map[string]any](n, "eth_getBlockReceipts", "latest")[0]}
		receipts = append(receipts, answer[map[string]any](n, "eth_getTransactionReceipt", receipts[0]["transactionHash"]))
		for _, receipt := range receipts {
			require.Equal(t, "0x1", receipt["blobGasPrice"])
		}
		require.Nil(t, answer[any](n, "eth_getTransactionReceipt", common.Hash{1}))
	},
	"the reason of a failure": func(t *testing.T) { // TestErrorsOfAnvil has them all
		n := newDevNode(t, instantAnvil)
		reverter := n.deploy(echoRevert)
		data := "0xdb731cf4" + fmt.Sprintf("ff%064x", 7)
		code, message, about := n.failure("eth_call", n.object(map[string]any{"to": reverter, "data": data}))
		require.Equal(t, []any{3, "execution reverted: custom error 0xdb731cf4: " + data[10:], data}, []any{code, message, about})
		for want, members := range map[string]map[string]any{
			"intrinsic gas too low": {"gas": "0x64"},
			"intrinsic gas too high -- tx.gas_limit > env.block.gas_limit": {"gas": "0x5f5e100"},
			"Insufficient funds for gas * price + value":                   {"gas": "0x5208", "value": "0xffffffffffffffffffff"},
		} {
			members["to"] = reverter
			_, message, _ := n.failure("eth_sendTransaction", n.object(members))
			require.Equal(t, want, message)
		}
	},
}

// Ensure --preset anvil answers as docs/anvil.md says where the contract or geth says otherwise.
func TestPresetAnvil(t *testing.T) {
	t.Parallel()
	runDocumented(t, "../../docs/anvil.md", "Under the preset", anvilDocumented)
}

// anvilEstimates requires that anvil's estimate of a transfer to an account without code checks nothing, and that of
// anything else does.
func anvilEstimates(t *testing.T) {
	n := newDevNode(t, instantAnvil)
	to, coded, poor := n.Account(1).Address, n.deploy("fe"), common.Address{0xcc}
	tooMuch := hexutil.EncodeBig(new(big.Int).Lsh(common.Big1, 200))
	code := func(code string) any {
		return map[common.Address]any{coded: map[string]any{"code": code}, to: map[string]any{"code": code}}
	}
	listed := []any{map[string]any{"address": to, "storageKeys": []any{}}}
	for _, c := range []struct {
		members   map[string]any
		overrides any
		want      string // the estimate, or a part of the error
	}{
		{map[string]any{"to": to, "value": tooMuch, "gasPrice": "0xffffffffff"}, nil, "0x5208"},
		{map[string]any{"to": to, "value": tooMuch, "from": poor}, nil, "0x5208"},
		{map[string]any{"to": to, "gas": "0x1"}, nil, "0x5208"},
		{map[string]any{"to": to, "maxPriorityFeePerGas": "0x77359400"}, nil, "0x5208"},
		{map[string]any{"to": to, "accessList": listed}, nil, "0x5b68"},
		{map[string]any{"to": to, "accessList": []any{}, "value": tooMuch}, nil, "Insufficient funds for gas * price + value"},
		{map[string]any{"to": to, "value": tooMuch, "data": "0x01"}, nil, "Insufficient funds for gas * price + value"},
		{map[string]any{"to": coded}, nil, "EVM error InvalidFEOpcode"},
		{map[string]any{"to": coded, "value": tooMuch}, code("0x"), "0x5208"}, // without code by an override
		{map[string]any{"to": to}, code("0xfe"), "EVM error InvalidFEOpcode"},
		{map[string]any{"to": to}, code("0x6001600055"), "0xa862"},
		{map[string]any{"to": coded, "gas": "0x5207"}, nil, "gas required exceeds allowance (20999)"},
	} {
		var gas string
		if err := n.rpc.CallContext(t.Context(), &gas, "eth_estimateGas", n.object(c.members), "latest", c.overrides); err != nil {
			gas = err.Error()
		}
		require.Contains(t, gas, c.want, "%v", c.members)
	}
	require.Equal(t, "0x5208", answer[string](n, "eth_estimateGas", map[string]any{"to": to, "value": "0xde0b6b3a7640000"}), "without a sender")
}

// anvilFills requires that anvil gives an object without a sender the first account, and a fee cap of the base fee and
// a tip where it has none, or of its own tip where that is above both.
func anvilFills(t *testing.T) {
	n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, Mode: fakenode.Manual})
	to := n.Account(1).Address
	base := hexutil.MustDecodeBig(answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)["baseFeePerGas"].(string))
	limit := new(big.Int).Add(base, hexutil.MustDecodeBig(answer[string](n, "eth_maxPriorityFeePerGas")))
	over := new(big.Int).Add(limit, common.Big1)
	for _, tc := range []struct {
		members map[string]any
		cap     *big.Int
	}{
		{map[string]any{}, limit},
		{map[string]any{"maxPriorityFeePerGas": "0x1"}, limit},
		{map[string]any{"maxPriorityFeePerGas": hexutil.EncodeBig(limit)}, limit},
		{map[string]any{"maxPriorityFeePerGas": hexutil.EncodeBig(over)}, new(big.Int).Add(base, over)},
		{map[string]any{"maxFeePerGas": "0x77777777777"}, big.NewInt(0x77777777777)},
		{map[string]any{"gasPrice": "0x77777777777"}, big.NewInt(0x77777777777)},
	} {
		tc.members["to"] = to
		tx := new(types.Transaction)
		require.NoError(t, tx.UnmarshalBinary(answer[hexutil.Bytes](n, "eth_signTransaction", tc.members)))
		require.Equal(t, tc.cap, tx.GasFeeCap(), tc.members)
		require.EqualValues(t, 21_000, tx.Gas())
		from, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
		require.NoError(t, err)
		require.Equal(t, n.Account(0).Address, from)
	}
	filled := answer[struct {
		Raw hexutil.Bytes
		Tx  map[string]any
	}](n, "eth_fillTransaction", map[string]any{"to": to})
	require.Equal(t, []any{hexutil.EncodeBig(limit), hexutil.Encode(n.Account(0).Address.Bytes()), nil},
		[]any{filled.Tx["maxFeePerGas"], filled.Tx["from"], filled.Tx["blockHash"]})
	tx := new(types.Transaction)
	require.NoError(t, tx.UnmarshalBinary(filled.Raw), "unsigned")
	require.Equal(t, filled.Tx["hash"], tx.Hash().Hex())
	_, message, _ := n.failure("eth_fillTransaction", n.object(map[string]any{"to": to, "chainId": "0x1"}))
	require.Contains(t, message, "does not match")
}

// anvilReads requires that anvil reads quantities in each form, wherever an object has them.
func anvilReads(t *testing.T) {
	n := newDevNode(t, instantAnvil)
	bob := n.Account(1).Address
	for given, want := range map[any]string{"0x": "0x0", 0: "0x0", "12": "0xc", "0x0c": "0xc", 12: "0xc"} {
		hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": bob, "value": given, "gas": "21000"}))
		require.Equal(t, want, answer[map[string]any](n, "eth_getTransactionByHash", hash)["value"], given)
	}
	for _, bad := range []any{-1, "-1", "1.5", true, "many"} {
		code, _, _ := n.failure("eth_call", n.object(map[string]any{"to": bob, "value": bad}))
		require.Equal(t, -32602, code, bad)
	}
	_, message, _ := n.failure("eth_call")
	require.Contains(t, message, "missing argument 0")
	simulated := answer[[]struct{ Calls []struct{ GasUsed string } }](n, "eth_simulateV1", map[string]any{"blockStateCalls": []any{
		map[string]any{"calls": []any{n.object(map[string]any{"to": bob, "value": 1, "gas": "30000"})}},
	}}, "latest")
	require.Equal(t, "0x5208", simulated[0].Calls[0].GasUsed)
}
