package door_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/trace"
)

// Ensure every kind of transaction of an OP-stack chain is traced with the gas, the fees and the effects that it had: a
// deposit with what it mints, a signed one with what it costs the L1, and the last one, which executes nothing.
func TestTraceOfRollup(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Rules: fakenode.LagoonRules})
	payer, payee := node.Account(0).Address, common.Address{0xaa}
	_, err := node.Timeline().Deposit(optimism.Deposit{
		From: payer, To: &payee, Mint: big.NewInt(7), Value: big.NewInt(5), Gas: 50_000, Data: []byte{1},
	})
	require.NoError(t, err)
	_, err = node.Transact(node.Account(0), fakenode.Tx{To: &payee, Value: uint256.NewInt(3)})
	require.NoError(t, err)
	node.Seal()
	v := node.Moment().Latest()
	state, err := v.State()
	require.NoError(t, err)
	kinds := make(map[byte]int)
	results, err := trace.Block(t.Context(), v.Chain(), v.Block(), trace.Config{Tracer: "callTracer"})
	require.NoError(t, err)
	flats, err := trace.FlatBlock(t.Context(), v.Chain(), v.Block(), trace.FlatConfig{StateDiff: true})
	require.NoError(t, err)
	last := make(map[common.Address]*hexutil.Big)
	for i, receipt := range v.Receipts() {
		tx := v.Transaction(i)
		kinds[tx.Type()]++
		require.Empty(t, results[i].Error)
		var call map[string]any
		require.NoError(t, json.Unmarshal(results[i].Result, &call))
		require.Equal(t, hexutil.EncodeUint64(receipt.GasUsed), call["gasUsed"])
		require.Equal(t, hexutil.Encode(v.Sender(i).Bytes()), call["from"])
		require.Equal(t, hexutil.Encode(tx.To().Bytes()), call["to"])
		require.Equal(t, hexutil.Encode(tx.Data()), call["input"])
		require.Equal(t, hexutil.EncodeUint64(tx.Gas()), call["gas"])
		require.NotContains(t, call, "error")
		require.Equal(t, tx.Hash(), flats[i].TxHash)
		require.Equal(t, []byte(tx.Data()), []byte(*flats[i].Frames[0].Action.Input))
		for address, account := range flats[i].StateDiff {
			if account.Balance.To != nil {
				last[address] = account.Balance.To
			}
		}
		failure, err := trace.Failure(t.Context(), v.Chain(), v.Block(), i)
		require.NoError(t, err)
		require.NoError(t, failure)
	}
	for _, address := range []common.Address{payer, payee} {
		require.Zero(t, state.Balance(address).ToBig().Cmp(last[address].ToInt()), address)
	}
	require.EqualValues(t, 8, state.Balance(payee).Uint64())
	require.Equal(t, 2, kinds[optimism.DepositType])
	require.Equal(t, 1, kinds[optimism.PostExecType])
	end := flats[len(flats)-1]
	require.Empty(t, end.StateDiff)
	require.Len(t, end.Frames, 1)
	require.Zero(t, *end.Frames[0].Result.GasUsed)
	require.Equal(t, "call", end.Frames[0].Action.CallType)
	tree, err := trace.TreeTransaction(t.Context(), v.Chain(), v.Block(), len(flats)-1)
	require.NoError(t, err)
	require.Zero(t, tree.GasUsed)
	require.Zero(t, tree.Intrinsic)
}
