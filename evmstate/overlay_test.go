package evmstate_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

// Ensure the accesses and changes of a transaction are returned once, by the Finalise that ends it.
func TestOverlayFinalisedTwice(t *testing.T) {
	t.Parallel()
	o := newMachine(t, evmstate.StateFromAlloc(benchAlloc())).Overlay()
	rules := benchRules
	rules.IsAmsterdam = true
	o.Prepare(rules, alice, coinbase, &token, nil, nil)
	o.SetState(token, slot1, common.Hash{5})
	require.NotEmpty(t, o.Finalise(rules).Accounts)
	require.Nil(t, o.Finalise(rules))
	require.Equal(t, common.Hash{5}, o.State().Storage(token, slot1))
}

// Ensure a balance that receives more than it can hold stays at 2^256-1 wei, and is what it was after a revert.
func TestBalancesDoNotWrap(t *testing.T) {
	t.Parallel()
	o := newMachine(t, evmstate.NewState()).Overlay()
	most := new(uint256.Int).SetAllOne()
	o.AddBalance(alice, new(uint256.Int).SubUint64(most, 1), tracing.BalanceChangeUnspecified)
	before := o.Snapshot()
	o.AddBalance(alice, uint256.NewInt(2), tracing.BalanceChangeTransfer)
	require.Equal(t, most, o.GetBalance(alice))
	o.AddBalance(alice, most, tracing.BalanceIncreaseWithdrawal)
	require.Equal(t, most, o.GetBalance(alice))
	o.RevertToSnapshot(before)
	require.Equal(t, new(uint256.Int).SubUint64(most, 1), o.GetBalance(alice))
}

func TestOverlayPrepare(t *testing.T) {
	t.Parallel()
	o := newMachine(t, evmstate.StateFromAlloc(benchAlloc())).Overlay()
	precompiles := append(vm.ActivePrecompiles(benchRules), common.Address{0x99}) // the last moved there
	list := types.AccessList{{Address: nobody, StorageKeys: []common.Hash{slot1}}}
	o.Prepare(benchRules, alice, coinbase, &token, precompiles, list)
	for _, warm := range append([]common.Address{alice, coinbase, token, nobody}, precompiles...) {
		require.True(t, o.AddressInAccessList(warm), warm)
	}
	for _, cold := range []common.Address{bob, {}, {18: 9, 19: 9}} {
		require.False(t, o.AddressInAccessList(cold), cold)
	}
	_, warm := o.SlotInAccessList(nobody, slot1)
	require.True(t, warm)
	_, warm = o.SlotInAccessList(nobody, slot2)
	require.False(t, warm)

	o.SetTransientState(token, slot1, common.Hash{1})
	o.Prepare(benchRules, bob, coinbase, nil, nil, nil)
	addressWarm, slotWarm := o.SlotInAccessList(nobody, slot1)
	require.False(t, addressWarm || slotWarm || o.AddressInAccessList(alice))
	require.False(t, o.AddressInAccessList(precompiles[0]))
	require.Zero(t, o.GetTransientState(token, slot1))
}

// TestOverlayRevert makes every kind of change and reverts step by step.
func TestOverlayRevert(t *testing.T) {
	t.Parallel()
	o := newMachine(t, evmstate.StateFromAlloc(benchAlloc())).Overlay()
	picture := func() []any {
		addressWarm, slotWarm := o.SlotInAccessList(token, slot1)
		return []any{
			o.Exist(nobody), o.Empty(nobody), *o.GetBalance(nobody), o.GetNonce(alice), o.GetCodeHash(nobody), o.GetCodeSize(token),
			o.GetState(token, slot1), o.GetTransientState(token, slot1), o.GetRefund(), addressWarm, slotWarm,
			o.HasSelfDestructed(token), o.IsNewContract(token),
		}
	}
	steps := []func(){
		func() { o.CreateAccount(nobody) },
		func() { o.AddBalance(nobody, wei(5), tracing.BalanceChangeUnspecified) },
		func() { o.SubBalance(nobody, wei(2), tracing.BalanceChangeUnspecified) },
		func() { o.SetNonce(alice, 9, tracing.NonceChangeUnspecified) },
		func() { o.SetCode(token, []byte{1}, tracing.CodeChangeUnspecified) },
		func() { o.SetState(token, slot1, common.Hash{1}) },
		func() { o.SetState(token, slot1, common.Hash{2}) },
		func() { o.SetTransientState(token, slot1, common.Hash{3}) },
		func() { o.AddRefund(10) },
		func() { o.SubRefund(4) },
		func() { o.AddAddressToAccessList(token) },
		func() { o.AddSlotToAccessList(token, slot1) },
		func() { o.CreateContract(token) },
		func() { o.SelfDestruct(token) },
	}
	pictures, revisions := [][]any{}, []int{}
	for i, step := range steps {
		pictures, revisions = append(pictures, picture()), append(revisions, o.Snapshot())
		step()
		require.NotEqual(t, pictures[i], picture(), "step %d does something", i)
	}
	for i := len(steps) - 1; i >= 0; i -= 2 {
		o.RevertToSnapshot(revisions[i])
		require.Equal(t, pictures[i], picture(), "before step %d", i)
	}
	o.RevertToSnapshot(revisions[0])
	o.Finalise(benchRules)
	require.Equal(t, evmstate.StateFromAlloc(benchAlloc()).Root(), o.State().Root())
}

// TestOverlayManyObjects touches more accounts and slots than a table searches without an index, and more than it keeps
// over a reset, in one transaction after another.
func TestOverlayManyObjects(t *testing.T) {
	t.Parallel()
	o := newMachine(t, evmstate.NewState()).Overlay()
	for _, count := range []int{5, 300, 20, 300, 9, 8} {
		for i := range count {
			address, slot := common.Address{1, byte(i), byte(i >> 8)}, common.Hash{byte(i), byte(i >> 8)}
			o.AddBalance(address, wei(1), tracing.BalanceChangeUnspecified)
			o.SetState(token, slot, common.BytesToHash([]byte{byte(count), byte(i) | 1}))
		}
		o.SetNonce(token, 1, tracing.NonceChangeUnspecified)
		o.Finalise(benchRules)
		for i := range count {
			slot := common.Hash{byte(i), byte(i >> 8)}
			require.Equal(t, common.BytesToHash([]byte{byte(count), byte(i) | 1}), o.State().Storage(token, slot))
		}
	}
	require.Equal(t, wei(6), o.State().Balance(common.Address{1, 4}))
	require.Equal(t, wei(2), o.State().Balance(common.Address{1, 299 - 256, 1}))
	require.Equal(t, newReference(t, o.State().Alloc()).root, o.State().Root())
}

// TestOverlayOldHooks checks that a tracer with only the first versions of the hooks gets calls of those.
func TestOverlayOldHooks(t *testing.T) {
	t.Parallel()
	var nonces [][2]uint64
	var codes [][2]int
	hooks := &tracing.Hooks{
		OnNonceChange: func(_ common.Address, before, after uint64) { nonces = append(nonces, [2]uint64{before, after}) },
		OnCodeChange: func(_ common.Address, _ common.Hash, before []byte, _ common.Hash, after []byte) {
			codes = append(codes, [2]int{len(before), len(after)})
		},
	}
	machine := evmstate.NewMachine(evmstate.StateFromAlloc(richAlloc()), benchBlock, benchConfig, vm.Config{Tracer: hooks})
	defer machine.Release()
	o := machine.Overlay()
	o.SetNonce(alice, 4, tracing.NonceChangeUnspecified)
	o.SetCode(token, []byte{1, 2, 3}, tracing.CodeChangeUnspecified)
	o.SetCode(token, []byte{1, 2, 3}, tracing.CodeChangeUnspecified) // no change
	o.SelfDestruct(token)
	o.Finalise(benchRules)
	require.Equal(t, [][2]uint64{{3, 4}, {1, 0}}, nonces)
	require.Equal(t, [][2]int{{2, 3}, {3, 0}}, codes)
}
