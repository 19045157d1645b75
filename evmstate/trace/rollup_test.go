package trace_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth/tracers"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
)

// Ensure every kind of transaction of an OP-stack chain is traced with the gas, the fees and the effects that it had: a
// deposit with what it mints, a signed one with what it costs the L1, and the last one, which executes nothing.
func TestRollup(t *testing.T) {
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
		call := fields(t, results[i].Result)
		require.Equal(t, hexutil.EncodeUint64(receipt.GasUsed), call["gasUsed"])
		require.Equal(t, key(v.Sender(i)), call["from"])
		require.Equal(t, key(*tx.To()), call["to"])
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

// Ensure a tracer gets the receipt of the message at its end: its outcome, gas and logs, and the contract that it made.
func TestReceiptForTracers(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}, &counter))
	var got *types.Receipt
	run := func(call simulate.Call) *types.Receipt {
		t.Helper()
		got = nil
		call.From = &sender
		_, err := trace.CallUnder(t.Context(), at, call, &tracers.Tracer{
			Hooks: &tracing.Hooks{
				OnTxStart: func(*tracing.VMContext, *types.Transaction, common.Address) {},
				OnTxEnd:   func(receipt *types.Receipt, err error) { got = receipt },
			},
			GetResult: func() (json.RawMessage, error) { return nil, nil },
		})
		require.NoError(t, err)
		return got
	}
	emits := run(simulate.Call{To: &logging})
	require.Equal(t, types.ReceiptStatusSuccessful, emits.Status)
	require.Len(t, emits.Logs, 2)
	require.Greater(t, emits.GasUsed, uint64(21_000))
	require.Equal(t, emits.GasUsed, emits.CumulativeGasUsed)
	require.Zero(t, emits.ContractAddress)
	fails := run(simulate.Call{To: &failing})
	require.Equal(t, types.ReceiptStatusFailed, fails.Status)
	require.Empty(t, fails.Logs)
	code := program.New().ReturnViaCodeCopy([]byte{0}).Bytes()
	require.Equal(t, crypto.CreateAddress(sender, 1), run(simulate.Call{Data: code}).ContractAddress)
	require.Nil(t, run(simulate.Call{From: &sender, To: &counter, Value: uint256.MustFromDecimal("9999999999999999999")}))
}

// Ensure a tracer that hashes is charged for the size of what is hashed, and not for any other word on the stack.
func TestPreimageSize(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	call := func(limit int, code *program.Program) error {
		bytes := code.Bytes()
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter}, simulate.StateOverrides{counter: {Code: &bytes}}, nil,
			trace.Config{Tracer: "keccak256PreimageTracer", MaxResult: limit})
		return err
	}
	hash := program.New().Push(1_000_000).Push(1_000).Push0().Op(vm.KECCAK256, vm.POP)
	require.NoError(t, call(4_000, hash))
	require.Equal(t, &trace.SizeError{Limit: 1_063}, call(1_063, hash), "64 bytes beside those that are hashed")
	small := program.New().Push(1_000).Push(2).Push0().Op(vm.KECCAK256, vm.POP)
	require.NoError(t, call(600, small))
	for range 2 {
		small = program.New().Append(slices.Concat(small.Bytes(), small.Bytes()))
	}
	require.NoError(t, call(4*66, small))
	require.Equal(t, &trace.SizeError{Limit: 4*66 - 1}, call(4*66-1, small))
}
