package integration_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// simulated is a simulated block as a client reads it (contract 2.6-fields).
type simulated struct {
	Number, Timestamp, GasUsed  hexutil.Uint64
	Hash, ParentHash, StateRoot common.Hash
	BaseFeePerGas               *hexutil.Big
	Calls                       []simulatedCall
}

type simulatedCall struct {
	Status, GasUsed hexutil.Uint64
	ReturnData      hexutil.Bytes
	Logs            []types.Log
	Error           any // the contract: a string
}

// object is a JSON object of a request.
type object = map[string]any

// simulate calls eth_simulateV1 with blocks of calls.
func (l *lab) simulate(payload object, tag string) []simulated {
	l.t.Helper()
	var blocks []simulated
	l.do(&blocks, "eth_simulateV1", payload, tag)
	return blocks
}

// payload is a payload of eth_simulateV1 with these blocks.
func payload(blocks ...object) object { return object{"blockStateCalls": blocks} }

// Ensure that where the contract contradicts an official test, the node answers by the contract. The subtests are named
// after the official ones.
func TestContractAnswers(t *testing.T) {
	t.Parallel()
	var ( // ABI encodings of Error("user error") and Panic(17)
		userError = hexutil.MustDecode("0x08c379a00000000000000000000000000000000000000000000000000000000000000020000000000000000000000000000000000000000000000000000000000000000a75736572206572726f7200000000000000000000000000000000000000000000")
		overflow  = hexutil.MustDecode("0x4e487b710000000000000000000000000000000000000000000000000000000000000011")
	)
	node := openLab(t, fakenode.Config{})
	alice := node.Account(0).Address
	for name, data := range map[string]hexutil.Bytes{"call-revert-abi-error": userError, "call-revert-abi-panic": overflow} {
		t.Run(name, func(t *testing.T) {
			message, carried := node.fails(-32000, "eth_call", object{"to": reverter, "data": data}, "latest")
			require.Equal(t, "execution reverted", message)
			require.Equal(t, data.String(), carried)
		})
	}
	t.Run("filter-error-invalid-blockHash-and-range", func(t *testing.T) {
		sent := node.emit(0, 1, 2)
		hash := node.Seal()
		node.emit(0, 3, 4)
		node.Seal()
		for _, bounds := range []object{{"fromBlock": "0x2"}, {"toBlock": "0x0"}, {"fromBlock": "0x9", "toBlock": "0x7"}, {"fromBlock": "pending"}, {"fromBlock": "soon", "toBlock": 5}} {
			bounds["blockHash"] = hash
			var logs []types.Log
			node.do(&logs, "eth_getLogs", bounds)
			require.Len(t, logs, 1)
			require.Equal(t, sent, logs[0].TxHash)
		}
	})
	t.Run("eth-send-should-not-produce-logs-on-revert", func(t *testing.T) {
		blocks := node.simulate(object{"traceTransfers": true, "blockStateCalls": []object{{
			"calls": []object{{"from": alice, "to": reverter, "value": "0x3e8", "data": hexutil.Bytes(userError)}},
		}}}, "latest")
		failed := blocks[0].Calls[0]
		require.Equal(t, "execution reverted: user error", failed.Error)
		require.Zero(t, failed.Status)
		require.Equal(t, hexutil.Bytes(userError), failed.ReturnData)
		require.NotNil(t, failed.Logs)
		require.Empty(t, failed.Logs)
	})
	t.Run("eth-send-should-produce-no-logs-on-forward-revert", func(t *testing.T) {
		call := object{"from": alice, "to": forwarder, "value": "0x3e8", "data": hexutil.Bytes(addressWord(reverter))}
		blocks := node.simulate(object{"traceTransfers": true, "blockStateCalls": []object{{"calls": []object{call}}}}, "latest")
		failed := blocks[0].Calls[0]
		require.Equal(t, "execution reverted", failed.Error)
		require.Zero(t, failed.Status)
		require.Empty(t, failed.ReturnData)
		require.Empty(t, failed.Logs)
		call["data"] = hexutil.Bytes(addressWord(node.Account(1).Address))
		blocks = node.simulate(object{"traceTransfers": true, "blockStateCalls": []object{{"calls": []object{call}}}}, "latest")
		require.Nil(t, blocks[0].Calls[0].Error)
		require.Len(t, blocks[0].Calls[0].Logs, 2, "to the forwarder, and on")
	})
	t.Run("fee-recipient-receiving-funds", func(t *testing.T) {
		recipient := common.HexToAddress("0xc200000000000000000000000000000000000000")
		head := node.BlockNumber()
		nonce := uint64(node.nonce(0, "latest"))
		call := func(to common.Address, i uint64, data []byte) object {
			return object{"from": alice, "to": to, "maxFeePerGas": "0x14", "maxPriorityFeePerGas": "0xa", "nonce": hexutil.Uint64(nonce + i), "gas": "0x186a0", "input": hexutil.Bytes(data)}
		}
		blocks := node.simulate(object{"validation": true, "blockStateCalls": []object{{
			"blockOverrides": object{"number": hexutil.Uint64(head + 42), "feeRecipient": recipient, "baseFeePerGas": "0xa"},
			"calls":          []object{call(reverter, 0, nil), call(teller, 1, addressWord(recipient))},
		}}}, "latest")
		require.Len(t, blocks, 1, "gap blocks are not asked for")
		failed, told := blocks[0].Calls[0], blocks[0].Calls[1]
		require.Equal(t, "execution reverted", failed.Error)
		require.Zero(t, failed.Status)
		fee := new(big.Int).SetUint64(uint64(failed.GasUsed) * 10)
		require.Equal(t, common.BigToHash(fee).Bytes(), []byte(told.ReturnData), "a failed call pays its tip")
	})
	t.Run("run-out-of-gas-in-block-38015", func(t *testing.T) {
		million := common.BigToHash(big.NewInt(1_000_000)).Bytes()
		call := object{"from": alice, "to": burner, "input": hexutil.Bytes(million)}
		blocks := node.simulate(payload(
			object{"blockOverrides": object{"gasLimit": "0x16e360"}},
			object{"calls": []object{call, call}},
		), "latest")
		first, second := blocks[1].Calls[0], blocks[1].Calls[1]
		require.Nil(t, first.Error)
		require.Equal(t, "out of gas", second.Error)
		require.Zero(t, second.Status)
		require.EqualValues(t, 1_500_000, first.GasUsed+second.GasUsed, "it got what was left of the block")
		require.Equal(t, first.GasUsed+second.GasUsed, blocks[1].GasUsed)
	})
	t.Run("use-as-many-features-as-possible", func(t *testing.T) {
		moved := common.HexToAddress("0x123456")
		blocks := node.simulate(object{"traceTransfers": true, "blockStateCalls": []object{
			{},
			{
				"blockOverrides": object{"number": hexutil.Uint64(node.BlockNumber() + 5), "baseFeePerGas": "0x1"},
				"stateOverrides": object{"0x0000000000000000000000000000000000000002": object{"movePrecompileToAddress": moved}, alice.Hex(): object{"balance": "0x3e8"}, counter.Hex(): object{"state": object{word(0).Hex(): word(6)}}},
				"calls": []object{
					{"from": alice, "to": moved, "gas": "0x5208"},
					{"from": alice, "to": reverter, "value": "0x1", "input": hexutil.Bytes(userError)},
					{"from": alice, "to": counter, "value": "0x1"},
				},
			},
		}}, "latest")
		require.Len(t, blocks, 2)
		calls := blocks[1].Calls
		require.Equal(t, "out of gas", calls[0].Error)
		require.Equal(t, "execution reverted: user error", calls[1].Error)
		require.Nil(t, calls[2].Error)
		require.Equal(t, word(7).Bytes(), []byte(calls[2].ReturnData))
		require.Len(t, calls[2].Logs, 2)
		require.EqualValues(t, 0, calls[2].Logs[0].Index, "logs of failed calls have no place in the block")
		require.EqualValues(t, 1, calls[2].Logs[1].Index)
	})
}

// Ensure methods beside the contract's follow its rules under its profile: a revert is -32000, an unknown block -32001;
// under geth's they follow geth.
func TestContractRulesElsewhere(t *testing.T) {
	t.Parallel()
	for profile, codes := range map[fakenode.Profile]struct{ revert, unknown int }{
		fakenode.Spec: {-32000, -32001}, fakenode.Geth: {3, -32000},
	} {
		node := openLab(t, fakenode.Config{Compat: profile})
		call := object{"to": reverter, "input": "0x1234"}
		_, data := node.fails(codes.revert, "eth_estimateGas", call)
		require.Equal(t, "0x1234", data)
		_, data = node.fails(codes.revert, "eth_call", call, "latest")
		require.Equal(t, "0x1234", data)
		node.fails(codes.unknown, "eth_call", call, "0x111")
		node.fails(codes.unknown, "eth_getCode", reverter, "0x111")
		node.fails(codes.unknown, "eth_simulateV1", payload(object{}), "0x111")
		node.fails(codes.unknown, "eth_estimateGas", call, "0x111")
		node.fails(codes.unknown, "debug_traceBlockByHash", word(1))
	}
}

// nonce is eth_getTransactionCount of a development account.
func (l *lab) nonce(account int, tag string) hexutil.Uint64 {
	l.t.Helper()
	var nonce hexutil.Uint64
	l.do(&nonce, "eth_getTransactionCount", l.Account(account).Address, tag)
	return nonce
}
