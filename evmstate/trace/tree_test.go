package trace_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
)

// subject is the account whose code a test sets.
var subject = common.HexToAddress("0xc700000000000000000000000000000000000000")

// treeOf returns the tree of a call of subject with the given code, on a block with counter and the like.
func treeOf(t *testing.T, code []byte, call simulate.Call) *trace.Tree {
	t.Helper()
	at := headView(t, newChain(t, chain.Options{}))
	at.State = at.State.WithCode(subject, code)
	call.From, call.To = &sender, &subject
	tree, err := trace.TreeCall(t.Context(), at, call, nil, nil, 0)
	require.NoError(t, err)
	return tree
}

// Ensure a tree has every call, creation and log in order, with who called whom, what it moved, read and returned.
func TestTree(t *testing.T) {
	t.Parallel()
	create := program.New().Mstore(program.New().Return(0, 3).Bytes(), 0).Push(program.New().Return(0, 3).Size()).Push0().Push(5).Op(vm.CREATE)
	code := program.New().
		Call(nil, counter, 3, 0, 4, 0, 32).Op(vm.POP).
		Push0().Push0().Op(vm.LOG0).
		StaticCall(nil, logging, 0, 0, 0, 0).Op(vm.POP).
		DelegateCall(nil, counter, 0, 0, 0, 0).Op(vm.POP).
		CallCode(nil, failing, 1, 0, 0, 0, 0).Op(vm.POP).
		Append(create.Bytes()).Op(vm.POP).
		Return(28, 4)
	value := big.NewInt(100)
	tree := treeOf(t, code.Bytes(), simulate.Call{Value: uint256.NewInt(100), Data: []byte{1, 2, 3}})
	root := tree.Root
	require.Equal(t, common.Hash{}, tree.Hash)
	require.EqualValues(t, 21_000+3*16, tree.Intrinsic)
	require.Equal(t, "CALL", root.Op)
	require.Equal(t, sender, root.From)
	require.Equal(t, subject, root.To)
	require.Equal(t, value, root.Value)
	require.Equal(t, []byte{1, 2, 3}, root.Input)
	require.Equal(t, code.Bytes(), root.Code)
	require.Equal(t, crypto.Keccak256Hash(code.Bytes()), root.CodeHash)
	require.Nil(t, root.Delegate)
	require.NoError(t, root.Err)

	require.Len(t, root.Steps, 6)
	require.Equal(t, subject, root.Steps[1].Log.Address)
	require.Nil(t, root.Steps[1].Branch)
	calls := root.Calls()
	require.Len(t, calls, 5)
	below := uint64(0)
	for i, want := range []trace.Branch{
		{Op: "CALL", To: counter, Value: big.NewInt(3), Input: make([]byte, 4), Output: common.Hash{31: 1}.Bytes()},
		{Op: "STATICCALL", To: logging, Value: new(big.Int), Input: []byte{}, Err: vm.ErrWriteProtection},
		{Op: "DELEGATECALL", To: counter, Value: value, Input: []byte{}, Output: common.Hash{31: 1}.Bytes()},
		{Op: "CALLCODE", To: failing, Value: big.NewInt(1), Input: []byte{}, Output: errorString("no"), Err: vm.ErrExecutionReverted},
		{Op: "CREATE", To: crypto.CreateAddress(subject, 0), Value: big.NewInt(5), Input: program.New().Return(0, 3).Bytes(), Output: make([]byte, 3)},
	} {
		have := calls[i]
		require.Equal(t, want.Op, have.Op)
		require.Equal(t, subject, have.From, want.Op)
		require.Equal(t, want.To, have.To, want.Op)
		require.Zero(t, want.Value.Cmp(have.Value), want.Op)
		require.Equal(t, want.Input, append([]byte{}, have.Input...), want.Op)
		require.Equal(t, append([]byte{}, want.Output...), append([]byte{}, have.Output...), want.Op)
		require.ErrorIs(t, have.Err, want.Err, want.Op)
		require.NotEmpty(t, have.Code, want.Op)
		require.Equal(t, crypto.Keccak256Hash(have.Code), have.CodeHash, want.Op)
		require.True(t, have.AllGiven, want.Op)
		require.False(t, have.ReadsGas, want.Op)
		below += have.GasUsed
	}
	require.Equal(t, make([]byte, 3), calls[4].Code, "the code that a creation stores")
	require.Len(t, calls[1].Steps, 0, "the log that it may not emit")
	require.Equal(t, root.GasUsed, root.Self()+below)
	require.Equal(t, tree.GasUsed, tree.Intrinsic+root.GasUsed)
}

// Ensure a tree tells calls with all the gas from those with an amount that code chose, and code that decides by the
// gas left from code that passes it on.
func TestTreeGas(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code     *program.Program
		all      bool // the call below gets all that it may
		readsGas bool
	}{
		"all":          {program.New().Call(nil, counter, 0, 0, 0, 0, 0), true, false},
		"more":         {program.New().Call(uint256.NewInt(1<<40), counter, 0, 0, 0, 0, 0), true, false},
		"chosen":       {program.New().Call(uint256.NewInt(60_000), counter, 0, 0, 0, 0, 0), false, false},
		"compares gas": {program.New().Op(vm.GAS, vm.POP).Call(uint256.NewInt(60_000), counter, 0, 0, 0, 0, 0), false, true},
		"a part of it": {program.New().Push0().Push0().Push0().Push0().Push(counter).Push(2).Op(vm.GAS, vm.DIV, vm.STATICCALL), false, true},
	} {
		root := treeOf(t, c.code.Bytes(), simulate.Call{}).Root
		require.True(t, root.AllGiven, name)
		require.Equal(t, c.readsGas, root.ReadsGas, name)
		require.Len(t, root.Calls(), 1, name)
		require.Equal(t, c.all, root.Calls()[0].AllGiven, name)
		require.False(t, root.Calls()[0].ReadsGas, name)
	}
}

// Ensure a tree has what was hashed of 64 bytes, as entries of mappings are found, and of no other length.
func TestTreePreimages(t *testing.T) {
	t.Parallel()
	entry := [64]byte{1, 31: 2, 32: 3, 63: 4}
	hash := func(offset, size uint64) []byte {
		return program.New().Push(size).Push(offset).Op(vm.KECCAK256, vm.POP).Bytes()
	}
	code := program.New().Mstore(entry[:], 32).Append(hash(32, 64)).Append(hash(32, 63)).Append(hash(32, 65)).Append(hash(0, 32))
	tree := treeOf(t, code.Bytes(), simulate.Call{})
	require.Equal(t, map[common.Hash][64]byte{crypto.Keccak256Hash(entry[:]): entry}, tree.Preimages)
	for _, short := range []*program.Program{program.New().Push0().Op(vm.KECCAK256), program.New().Op(vm.CALL)} {
		require.ErrorContains(t, treeOf(t, short.Bytes(), simulate.Call{}).Root.Err, "stack underflow")
	}
	moved := treeOf(t, program.New().Mstore(entry[:], 32).Append(hash(33, 64)).Bytes(), simulate.Call{})
	require.Empty(t, moved.Preimages, "memory had not grown that far yet")
}

// Ensure a call of an account that delegates (EIP-7702) has the code that runs, and whose it is; and that an account
// that destroys itself is a call to whom its balance goes.
func TestTreeOfDelegation(t *testing.T) {
	t.Parallel()
	tree := treeOf(t, types.AddressToDelegation(counter), simulate.Call{})
	require.Equal(t, &counter, tree.Root.Delegate)
	require.Equal(t, subject, tree.Root.To)
	own := headView(t, newChain(t, chain.Options{})).State.Code(counter)
	require.Equal(t, own, tree.Root.Code)
	require.Equal(t, crypto.Keccak256Hash(own), tree.Root.CodeHash)

	gone := treeOf(t, program.New().Selfdestruct(sender).Bytes(), simulate.Call{Value: uint256.NewInt(9)}).Root
	require.Len(t, gone.Calls(), 1)
	last := gone.Calls()[0]
	require.Equal(t, "SELFDESTRUCT", last.Op)
	require.Equal(t, subject, last.From)
	require.Equal(t, sender, last.To)
	require.EqualValues(t, 9, last.Value.Int64())
	require.Empty(t, last.Code)
}

// Ensure the tree of a transaction has its hash, gas and changes, after those before it.
func TestTreeTransaction(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter, &counter)
	b := c.Head()
	tree, err := trace.TreeTransaction(t.Context(), c, b, 1)
	require.NoError(t, err)
	require.Equal(t, b.Transaction(1).Hash(), tree.Hash)
	require.Equal(t, b.Receipts()[1].GasUsed, tree.GasUsed)
	require.Equal(t, common.Hash{31: 2}.Bytes(), tree.Root.Output)
	_, err = trace.TreeTransaction(t.Context(), c, b, 2)
	require.EqualError(t, err, "transaction index 2 out of range: the block has 2 transactions")
}

// Ensure the reason of a failure is the one of the transaction asked for: none, a revert with its text, or the EVM's.
func TestFailure(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter, &failing, &endless)
	for index, want := range []error{nil, &evmstate.RevertError{Data: errorString("no")}, vm.ErrOutOfGas} {
		failure, err := trace.Failure(t.Context(), c, c.Head(), index)
		require.NoError(t, err)
		if want == nil {
			require.NoError(t, failure)
			continue
		}
		require.EqualError(t, failure, want.Error())
	}
	_, err := trace.Failure(t.Context(), c, c.Head(), 3)
	require.EqualError(t, err, "transaction index 3 out of range: the block has 3 transactions")
	_, err = trace.Failure(t.Context(), c, c.Head(), -1)
	require.EqualError(t, err, "transaction index -1 out of range: the block has 3 transactions")
}

// Ensure a tree keeps 64 MiB of inputs and outputs; of later ones it has 4 bytes of the input and nothing of the
// output. It runs alone, as TestFramesEndBySize does.
func TestTreeDataIsBounded(t *testing.T) {
	identity := common.BytesToAddress([]byte{4})
	size := 1 << 20
	code := program.New().Mstore([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 0)
	for range 32 {
		code.Call(nil, identity, 0, 0, size, 0, 0).Op(vm.POP)
	}
	for _, last := range []int{0, 3, 4, 5} {
		code.Call(nil, identity, 0, 0, last, 0, 0).Op(vm.POP)
	}
	calls := treeOf(t, code.Bytes(), simulate.Call{}).Root.Calls()
	require.Len(t, calls, 36)
	for i, call := range calls[:32] {
		require.NoError(t, call.Err)
		require.Len(t, call.Input, size, i)
		require.Len(t, call.Output, size, i)
	}
	for i, want := range [][]byte{nil, {1, 2, 3}, {1, 2, 3, 4}, {1, 2, 3, 4}} {
		require.NoError(t, calls[32+i].Err)
		require.Equal(t, string(want), string(calls[32+i].Input))
		require.Empty(t, calls[32+i].Output)
	}
}
