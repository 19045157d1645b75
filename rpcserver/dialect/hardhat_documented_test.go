package dialect_test

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// instantHardhat seals a block for each transaction.
var instantHardhat = fakenode.Config{Preset: fakenode.Hardhat}

// hardhatDocumented has a case for each row of the table in docs/recipes/hardhat.md.
var hardhatDocumented = map[string]func(*testing.T){
	"typed data of another chain":      func(t *testing.T) { signsAnyChain(t, newDevNode(t, instantHardhat)) },
	"a state override of a precompile": func(t *testing.T) { requirePrecompile(newDevNode(t, instantHardhat), true) },
	"`eth_getLogs` beyond the head": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		requireLogsWithin(n)
		require.Empty(t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x5"}))
		require.Empty(t, answer[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "0x5", "toBlock": "0x6"}))
	},
	"what cannot be a transaction, or a call": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		to := n.Account(1).Address
		for _, method := range []string{"eth_sendTransaction", "eth_call", "eth_estimateGas", "debug_traceCall"} {
			for want, members := range map[string]map[string]any{
				"Contract creation without any data provided":              {},
				"maxPriorityFeePerGas (2) is bigger than maxFeePerGas (1)": {"to": to, "maxFeePerGas": "0x1", "maxPriorityFeePerGas": "0x2"},
				"Transaction requires at least 21000 gas but got 20999":    {"to": to, "gas": "0x5207"},
			} {
				code, message, _ := n.failure(method, n.object(members))
				require.Equal(t, -32000, code, method)
				require.Equal(t, want, message, method)
			}
		}
		for want, inner := range map[string]types.TxData{
			"Trying to send a raw transaction with an invalid chainId. The expected chainId is 31337": &types.DynamicFeeTx{ChainID: big.NewInt(1), To: &to, Gas: 21_000},
			"maxPriorityFeePerGas (2) is bigger than maxFeePerGas (1)":                                &types.DynamicFeeTx{ChainID: big.NewInt(31337), To: &to, Gas: 21_000, GasFeeCap: big.NewInt(1), GasTipCap: big.NewInt(2)},
		} {
			tx := types.NewTx(inner)
			raw, err := types.MustSignNewTx(n.Account(0).Key, types.LatestSignerForChainID(tx.ChainId()), inner).MarshalBinary()
			require.NoError(t, err)
			code, message, _ := n.failure("eth_sendRawTransaction", hexutil.Bytes(raw))
			require.Equal(t, want, message)
			require.Equal(t, tx.ChainId().Int64() == 1, code == -32602)
		}
		code, _, _ := n.failure("eth_sendRawTransaction", "0x01")
		require.Equal(t, -32602, code)
	},
	"a sender that is left out": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		caller := n.deploy("335f5260205ff3") // returns its caller
		require.Equal(t, common.BytesToHash(n.Account(0).Address.Bytes()), answer[common.Hash](n, "eth_call", map[string]any{"to": caller}, "latest"))
		answer[hexutil.Uint64](n, "eth_estimateGas", map[string]any{"to": n.Account(1).Address, "value": "0x1"})
		answer[common.Hash](n, "eth_sendTransaction", map[string]any{"to": n.Account(1).Address, "value": "0x1"})
	},
	"the order of transactions": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		answer[bool](n, "evm_setAutomine", false)
		send := func(from int, tip string) common.Hash {
			return answer[common.Hash](n, "eth_sendTransaction", map[string]any{"from": n.Account(from).Address, "to": n.Account(2).Address, "maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": tip})
		}
		low, high := send(0, "0x1"), send(1, "0x2")
		answer[string](n, "evm_mine")
		require.Equal(t, []any{high.Hex(), low.Hex()}, answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)["transactions"])
	},
	"a block, mined or pending": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		mined := answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)
		require.Equal(t, "0x0", answer[map[string]any](n, "eth_getBlockByHash", mined["hash"], false)["totalDifficulty"])
		pending := answer[map[string]any](n, "eth_getBlockByNumber", "pending", false)
		require.Equal(t, "0x0", pending["totalDifficulty"])
		require.NotEqual(t, common.Hash{}.Hex(), pending["hash"])
		require.Nil(t, pending["number"])
		require.Nil(t, pending["nonce"])
	},
	"`eth_mining`, `hardhat_setMinGasPrice`, `hardhat_stopImpersonatingAccount`": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		require.False(t, answer[bool](n, "eth_mining"))
		code, _, _ := n.failure("hardhat_setMinGasPrice", "0x1")
		require.Equal(t, -32000, code)
		someone := common.Address{1}
		require.False(t, answer[bool](n, "hardhat_stopImpersonatingAccount", someone))
		answer[bool](n, "hardhat_impersonateAccount", someone)
		require.True(t, answer[bool](n, "hardhat_stopImpersonatingAccount", someone))
	},
	"a transaction from before EIP-155": func(t *testing.T) { takesUnprotected(t, newDevNode(t, instantHardhat)) },
	"the fee recipient": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		require.Equal(t, common.HexToAddress("0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e"), answer[common.Address](n, "eth_coinbase"))
		hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
		block := answer[map[string]any](n, "eth_getBlockByNumber", n.receipt(hash).BlockNumber, false)
		require.Equal(t, "0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e", block["miner"])
	},
	"a transaction that fails": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		reverter := n.deploy(echoRevert)
		for data, want := range hardhatReverts {
			_, message, about := n.failure("eth_sendTransaction", n.object(map[string]any{"to": reverter, "data": data}))
			require.Equal(t, want, message)
			members := about.(map[string]any)
			require.Equal(t, data, members["data"])
			require.Equal(t, want, members["message"])
			require.Equal(t, "0x0", n.receipt(common.HexToHash(members["txHash"].(string))).Status, "it was mined")
		}
		for code, want := range map[string]string{
			invalidOpcode: "Error: VM Exception while processing transaction: invalid opcode",
			endlessLoop:   "Transaction ran out of gas",
			"50":          "Error: Transaction reverted without a reason string", // stack underflow
		} {
			contract := n.deploy(code)
			_, message, _ := n.failure("eth_sendTransaction", n.object(map[string]any{"to": contract, "gas": "0x186a0"}))
			require.Equal(t, want, message)
		}
		signed, err := types.SignNewTx(n.Account(1).Key, types.LatestSignerForChainID(big.NewInt(31337)), &types.LegacyTx{
			To: &reverter, Gas: 100_000, GasPrice: big.NewInt(params.GWei),
		})
		require.NoError(t, err)
		raw, err := signed.MarshalBinary()
		require.NoError(t, err)
		code, message, _ := n.failure("eth_sendRawTransaction", hexutil.Bytes(raw))
		require.Equal(t, -32603, code)
		require.Equal(t, "Error: Transaction reverted without a reason string", message)
		answer[bool](n, "evm_setAutomine", false)
		answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": reverter})) // nobody knows yet
	},
	"a call or estimate that fails": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		reverter := n.deploy(echoRevert)
		for _, method := range []string{"eth_call", "eth_estimateGas"} {
			for data, want := range hardhatReverts {
				code, message, about := n.failure(method, n.object(map[string]any{"to": reverter, "data": data}))
				require.Equal(t, -32603, code)
				require.Equal(t, want, message)
				require.Equal(t, map[string]any{"message": want, "data": data}, about)
			}
		}
	},
	"`pending` without automining": func(t *testing.T) { requirePendingPool(t, fakenode.Hardhat) },
	"a transaction without `gas`": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		hash := answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
		tx := answer[map[string]any](n, "eth_getTransactionByHash", hash)
		require.Equal(t, "0x1000000", tx["gas"])
		answer[bool](n, "evm_setBlockGasLimit", "0xf4240")
		_, message, _ := n.failure("eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
		require.Equal(t, "Transaction gas limit is 16777216 and exceeds block gas limit of 1000000", message)
		n = newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat, GasLimit: 1_000_000})
		hash = answer[common.Hash](n, "eth_sendTransaction", n.object(map[string]any{"to": n.Account(1).Address}))
		require.Equal(t, "0xf4240", answer[map[string]any](n, "eth_getTransactionByHash", hash)["gas"])
	},
	"time": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		head := n.Moment().Latest().Time()
		require.Equal(t, "10", answer[string](n, "evm_increaseTime", 10))
		_, message, _ := n.failure("evm_setNextBlockTimestamp", head-1)
		require.Regexp(t, `^Timestamp \d+ is lower than the previous block's timestamp \d+$`, message)
		_, message, _ = n.failure("evm_setNextBlockTimestamp", head)
		require.Regexp(t, `^Timestamp \d+ is equal to the previous block's timestamp\. Enable the 'allowBlocksWithSameTimestamp' option to allow this$`, message)
		require.Regexp(t, `^\d+$`, answer[string](n, "evm_setNextBlockTimestamp", head+100))
		require.Equal(t, "0", answer[string](n, "evm_mine"))
		require.Equal(t, head+100, n.Moment().Latest().Time())
	},
	"`evm_setIntervalMining`": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		require.True(t, answer[bool](n, "evm_setIntervalMining", 0))
		require.True(t, answer[bool](n, "hardhat_getAutomine"))
		for blocks, interval := range map[uint64]any{1: 3000, 3: []int{1000, 9000}} {
			require.True(t, answer[bool](n, "evm_setIntervalMining", interval))
			before := n.BlockNumber()
			n.Advance(3 * time.Second)
			require.Equal(t, before+blocks, n.BlockNumber(), interval)
		}
		require.False(t, answer[bool](n, "hardhat_getAutomine"))
		_, message, _ := n.failure("evm_setIntervalMining", []int{2, 1})
		require.Contains(t, message, "have [2,1] (not the least and the most)")
	},
	"`hardhat_setNonce` below the nonce, a block that is not there, gas above a block's": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		alice := n.Account(0).Address
		require.True(t, answer[bool](n, "hardhat_setNonce", alice, "0x7"))
		_, message, _ := n.failure("hardhat_setNonce", alice, "0x6")
		require.Equal(t, "New nonce (6) must not be smaller than the existing nonce (7)", message)
		_, message, _ = n.failure("eth_getBalance", alice, "0x99")
		require.Equal(t, "Received invalid block tag 153. Latest block number is 0", message)
		unknown := common.Hash{31: 1}
		_, message, _ = n.failure("eth_getBalance", alice, map[string]any{"blockHash": unknown})
		require.Equal(t, "Received invalid block tag "+unknown.Hex()+". Latest block number is 0", message)
		_, message, _ = n.failure("eth_sendTransaction", n.object(map[string]any{"to": alice, "gas": "0xffffffff"}))
		require.Equal(t, "Transaction gas limit is 4294967295 and exceeds block gas limit of 60000000", message)
	},
	"`safe`, `finalized`": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		n.Seal()
		for _, tag := range []string{"safe", "finalized"} {
			require.Equal(t, "0x1", answer[map[string]any](n, "eth_getBlockByNumber", tag, false)["number"])
		}
	},
	"`web3_clientVersion`, `hardhat_metadata`": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		require.Equal(t, "HardhatNetwork/2.29.1/@nomicfoundation/edr/0.3.8", answer[string](n, "web3_clientVersion"))
		about := answer[map[string]any](n, "hardhat_metadata")
		require.Equal(t, "edr/0.3.8/revm/33.1.0", about["clientVersion"])
		require.Equal(t, []string{"chainId", "clientVersion", "instanceId", "latestBlockHash", "latestBlockNumber"}, slices.Sorted(maps.Keys(about)))
	},
	"an unknown method": func(t *testing.T) {
		code, message, about := newDevNode(t, instantHardhat).failure("eth_nope")
		require.Equal(t, -32004, code)
		require.Equal(t, "Method eth_nope is not supported", message)
		require.Equal(t, map[string]any{"message": message, "data": nil}, about)
	},
	"`hardhat_setCode` with code over the limit": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		answer[any](n, "hardhat_setCode", n.Account(0).Address, hexutil.Bytes(make([]byte, 70_000)))
		require.Len(t, answer[hexutil.Bytes](n, "eth_getCode", n.Account(0).Address, "latest"), 70_000)
	},
	"commands without a result": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		account := n.Account(0).Address
		for method, arguments := range map[string][]any{
			"hardhat_mine": {}, "hardhat_setBalance": {account, "0x1"}, "hardhat_setNonce": {account, "0x5"}, "hardhat_setCode": {account, "0x"},
			"hardhat_impersonateAccount": {account}, "hardhat_setCoinbase": {account},
			"hardhat_setNextBlockBaseFeePerGas": {"0x1"}, "hardhat_setPrevRandao": {common.Hash{31: 1}}, "hardhat_setLoggingEnabled": {true},
			"evm_setAutomine": {true}, "hardhat_reset": {},
		} {
			require.Equal(t, true, answer[any](n, method, arguments...), method)
		}
	},
	"automining":        hardhatRefusesWhatWouldWait,
	"`eth_estimateGas`": hardhatEstimates,
	"what a call costs": hardhatCosts,
	"`debug_traceTransaction`, `debug_traceCall`": func(t *testing.T) {
		n := newDevNode(t, instantHardhat)
		// The creation code writes 0x1234 into slot 1, 5 into memory, and returns that word.
		making := n.object(map[string]any{"data": "0x611234600155600560005260206000f3", "gas": "0x186a0"})
		steps := answer[hardhatSteps](n, "debug_traceTransaction", answer[common.Hash](n, "eth_sendTransaction", making))
		require.False(t, steps.Failed)
		require.EqualValues(t, 81758, steps.Gas)
		word := func(n uint64) string { return fmt.Sprintf("%064x", n) }
		require.Equal(t, map[string]any{
			"depth": 1.0, "gas": 24642.0, "gasCost": 0.0, "op": "RETURN", "pc": 15.0,
			"memory": []any{word(5)}, "stack": []any{word(32), word(0)}, "storage": map[string]any{word(1): word(0x1234)},
		}, steps.StructLogs[len(steps.StructLogs)-1])
		require.Equal(t, map[string]any{}, steps.StructLogs[0]["storage"])
		failed := answer[hardhatSteps](n, "debug_traceCall", n.object(map[string]any{"data": "0x60006000fd"}), "latest")
		require.True(t, failed.Failed)
		require.Empty(t, failed.ReturnValue)
		_, message, _ := n.failure("debug_traceCall", making, "latest", map[string]any{"tracer": "prestateTracer"}) // a program that links it has it
		require.Contains(t, message, "tracer prestateTracer: this program has only the struct logger")
	},
}

// Ensure --preset hardhat answers as docs/recipes/hardhat.md says, word for word as Hardhat 2.29.
func TestPresetHardhat(t *testing.T) {
	t.Parallel()
	runDocumented(t, "../../docs/recipes/hardhat.md", "As Hardhat's own network", hardhatDocumented)
}

// hardhatReverts maps the data of a revert to Hardhat's text.
var hardhatReverts = map[string]string{
	"0x": "Error: Transaction reverted without a reason string",
	"0x08c379a000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000004" +
		"6e6f706500000000000000000000000000000000000000000000000000000000": "Error: VM Exception while processing transaction: reverted with reason string 'nope'",
	"0x4e487b710000000000000000000000000000000000000000000000000000000000000011": "Error: VM Exception while processing transaction: reverted with panic code 0x11 " +
		"(Arithmetic operation overflowed outside of an unchecked block)",
	"0x4e487b710000000000000000000000000000000000000000000000000000000000000099": "Error: VM Exception while processing transaction: reverted with unknown panic code 0x99",
	"0xdeadbeef01": "Error: VM Exception while processing transaction: reverted with an unrecognized custom error (return data: 0xdeadbeef01)",
}

// hardhatSteps is the result of Hardhat's struct logger.
type hardhatSteps struct {
	Failed      bool
	Gas         uint64
	ReturnValue string
	StructLogs  []map[string]any
}
