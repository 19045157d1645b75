package explain_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver"
)

var (
	payingAddress   = common.HexToAddress("0x9a1")      // pays 3 wei to a stranger, fills slot 1, empties slot 2, and makes a call that fails
	fillingAddress  = common.HexToAddress("0xf111")     // fills slot 1
	refusingAddress = common.HexToAddress("0x4ef")      // reverts after it filled a slot
	strangerAddress = common.HexToAddress("0x5712a9e5") // does not exist
)

// newPaying returns a network in Amsterdam with these contracts.
func newPaying(t *testing.T) *servertest.Network {
	n := servertest.NewAmsterdam(t, rpcserver.Config{})
	n.Do("fakenode_advance", 4000)
	n.Do("anvil_setBalance", payingAddress, "0x64")
	n.Do("anvil_setStorageAt", payingAddress, "0x2", common.Hash{31: 1})
	n.Do("anvil_setCode", payingAddress, hexutil.Bytes(program.New().
		Call(nil, strangerAddress, 3, 0, 0, 0, 0).Op(vm.POP).Sstore(1, 1).Sstore(2, 0).
		Call(nil, refusingAddress, 0, 0, 0, 0, 0).Op(vm.POP, vm.STOP).Bytes()))
	n.Do("anvil_setCode", fillingAddress, hexutil.Bytes(program.New().Sstore(1, 1).Op(vm.STOP).Bytes()))
	n.Do("anvil_setCode", refusingAddress, hexutil.Bytes(program.New().Sstore(1, 1).Push0().Push0().Op(vm.REVERT).Bytes()))
	return n
}

// Ensure struct logs and every tracer of go-ethereum agree with the receipt about gas, which is of two kinds.
func TestTracersUnderTwoKindsOfGas(t *testing.T) {
	t.Parallel()
	n := newPaying(t)
	tx := n.Transact(0, &payingAddress, big.NewInt(7), []byte{1})
	n.Do("fakenode_advance", 2000)
	receipt := servertest.Fetch[types.Receipt](n, "eth_getTransactionReceipt", tx.Hash())
	require.Equal(t, types.ReceiptStatusSuccessful, receipt.Status)
	require.Len(t, receipt.Logs, 2, "of the ether that the transaction and the contract moved")
	kinds := servertest.Fetch[struct{ ExecutionGasUsed, StateGasUsed hexutil.Uint64 }](n, "eth_getTransactionReceipt", tx.Hash())
	require.Equal(t, hexutil.Uint64(183_600+97_920), kinds.StateGasUsed, "an account and a slot; what failed gave its own back")
	require.Greater(t, uint64(kinds.ExecutionGasUsed+kinds.StateGasUsed), receipt.GasUsed, "both are before refunds")

	steps := servertest.Fetch[struct {
		Gas        uint64
		StructLogs []struct {
			Op           string
			Gas, GasCost uint64
			Depth        int
		}
	}](n, "debug_traceTransaction", tx.Hash())
	require.Equal(t, receipt.GasUsed, steps.Gas)
	last := steps.StructLogs[len(steps.StructLogs)-1]
	require.Equal(t, "STOP", last.Op)
	for i, step := range steps.StructLogs[:len(steps.StructLogs)-1] {
		require.LessOrEqual(t, step.GasCost, step.Gas, "step %d, %s", i, step.Op)
	}

	traced := func(tracer, config string) json.RawMessage {
		return servertest.Fetch[json.RawMessage](n, "debug_traceTransaction", tx.Hash(), map[string]any{"tracer": tracer, "tracerConfig": json.RawMessage(config)})
	}
	type frame struct {
		GasUsed hexutil.Uint64
		Value   *hexutil.Big
		Error   string
		Logs    []json.RawMessage
		Calls   []frame
	}
	var top frame
	require.NoError(t, json.Unmarshal(traced("callTracer", `{"withLog":true}`), &top))
	require.Equal(t, receipt.GasUsed, uint64(top.GasUsed))
	require.Len(t, top.Calls, 2)
	require.Equal(t, []int{1, 1, 0}, []int{len(top.Logs), len(top.Calls[0].Logs), len(top.Calls[1].Logs)})
	require.Equal(t, "execution reverted", top.Calls[1].Error)
	var flat []struct {
		Result *struct{ GasUsed hexutil.Uint64 }
		Error  string
	}
	require.NoError(t, json.Unmarshal(traced("flatCallTracer", `{}`), &flat))
	require.Len(t, flat, 3)
	require.Equal(t, top.GasUsed, flat[0].Result.GasUsed)
	var diff struct {
		Pre, Post map[common.Address]struct {
			Balance *hexutil.Big
			Storage map[common.Hash]common.Hash
		}
	}
	require.NoError(t, json.Unmarshal(traced("prestateTracer", `{"diffMode":true}`), &diff))
	require.Equal(t, big.NewInt(3), diff.Post[strangerAddress].Balance.ToInt())
	require.Equal(t, map[common.Hash]common.Hash{{31: 1}: {31: 1}}, diff.Post[payingAddress].Storage)
	require.Equal(t, map[common.Hash]common.Hash{{31: 2}: {31: 1}}, diff.Pre[payingAddress].Storage)
	require.NotContains(t, diff.Post, refusingAddress)
	paid := new(big.Int).Sub(diff.Pre[servertest.Alice.Address].Balance.ToInt(), diff.Post[servertest.Alice.Address].Balance.ToInt())
	fee := new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed))
	require.Equal(t, fee.Add(fee, big.NewInt(7)), paid)
	var mux map[string]frame
	require.NoError(t, json.Unmarshal(traced("muxTracer", `{"callTracer":{}}`), &mux))
	require.Equal(t, top.GasUsed, mux["callTracer"].GasUsed)
	for _, tracer := range []string{"4byteTracer", "noopTracer", "keccak256PreimageTracer"} {
		require.JSONEq(t, `{}`, string(traced(tracer, `{}`)), tracer)
	}
	require.NoError(t, json.Unmarshal(traced("erc7562Tracer", `{}`), &top))
	require.Equal(t, receipt.GasUsed, uint64(top.GasUsed))
}

// Ensure subscriptions and filters tell the logs of ether that moves, pre-confirmed and sealed.
func TestEtherLogsAreTold(t *testing.T) {
	t.Parallel()
	n := newPaying(t)
	s := n.Socket()
	of := map[string]any{"address": params.SystemAddress}
	pending, sealed := s.Subscribe("pendingLogs", of), s.Subscribe("logs", of)
	filter := servertest.Fetch[string](n, "eth_newFilter", of)
	tx := n.Transact(0, &payingAddress, big.NewInt(7), []byte{1})
	told := servertest.Items[servertest.LogItem](t, s.Told("fakenode_preconfirm"), pending)
	for _, logs := range [][]servertest.LogItem{told, servertest.Items[servertest.LogItem](t, s.Told("fakenode_seal"), sealed), servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", filter)} {
		require.Len(t, logs, 2)
		require.Equal(t, tx.Hash(), logs[0].TransactionHash)
		require.Equal(t, params.SystemAddress, logs[1].Address)
	}
}

// Ensure estimates and access lists of what was made for them are enough, and no more than is used.
func TestEstimateWithAccessList(t *testing.T) {
	t.Parallel()
	n := newPaying(t)
	call := map[string]any{"from": servertest.Alice.Address, "to": fillingAddress}
	made := servertest.Fetch[struct {
		AccessList types.AccessList
		GasUsed    hexutil.Uint64
	}](n, "eth_createAccessList", call, "latest")
	require.Equal(t, types.AccessList{{Address: fillingAddress, StorageKeys: []common.Hash{{31: 1}}}}, made.AccessList)
	call["accessList"] = made.AccessList
	require.Equal(t, made.GasUsed, servertest.Fetch[hexutil.Uint64](n, "eth_estimateGas", call, "latest"))
	require.Greater(t, uint64(made.GasUsed), uint64(15_000+97_920+2_900+1_280+2_000+2_048))
}

// Ensure simulated blocks count slots, and that traced transfers are there once.
func TestSimulatedAmsterdam(t *testing.T) {
	t.Parallel()
	n := servertest.NewAmsterdam(t, rpcserver.Config{})
	pay := map[string]any{"calls": []any{map[string]any{"from": servertest.Alice.Address, "to": servertest.Bob.Address, "value": "0x5"}}}
	payload := map[string]any{"traceTransfers": true, "blockStateCalls": []any{pay, pay}}
	type simulated struct {
		SlotNumber          *hexutil.Uint64
		BlockAccessListHash *common.Hash
		Calls               []struct{ Logs []types.Log }
	}
	for first := range uint64(3) { // on the last block before the fork, and on each of the next two
		n.Do("fakenode_advance", 2000)
		for i, block := range servertest.Fetch[[]simulated](n, "eth_simulateV1", payload, "latest") {
			require.Equal(t, hexutil.Uint64(first+uint64(i)), *block.SlotNumber)
			require.NotNil(t, block.BlockAccessListHash)
			require.Len(t, block.Calls[0].Logs, 1)
			require.Equal(t, params.SystemAddress, block.Calls[0].Logs[0].Address)
		}
	}
}
