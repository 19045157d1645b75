package evmstate_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/tracing"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

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

// Ensure slots that are written again and again have their old values after going back to any Snapshot, and one
// transaction does not see another's.
func TestSlotsAfterReverts(t *testing.T) {
	t.Parallel()
	machine := evmstate.NewMachine(evmstate.StateFromAlloc(benchAlloc()), benchBlock, benchConfig, vm.Config{})
	defer machine.Release()
	o, random := machine.Overlay(), rand.New(rand.NewPCG(2, 9))
	type place struct {
		address common.Address
		key     common.Hash
	}
	model := map[place]common.Hash{}
	for range 200 {
		before := maps.Clone(model)
		type point struct {
			revision int
			model    map[place]common.Hash
		}
		var points []point
		for range 60 {
			at := place{common.Address{0xff, byte(random.IntN(2))}, common.Hash{31: byte(random.IntN(3))}}
			switch random.IntN(8) {
			case 0:
				points = append(points, point{o.Snapshot(), maps.Clone(model)})
			case 1:
				if len(points) > 0 {
					i := random.IntN(len(points))
					o.RevertToSnapshot(points[i].revision)
					model = maps.Clone(points[i].model)
					points = points[:i]
				}
			default:
				value := common.Hash{31: byte(random.IntN(4))}
				require.Equal(t, model[at], o.SetState(at.address, at.key, value))
				model[at] = value
			}
			now, committed := o.GetStateAndCommittedState(at.address, at.key)
			require.Equal(t, []common.Hash{model[at], before[at]}, []common.Hash{now, committed})
			require.Equal(t, model[at], o.GetState(at.address, at.key))
		}
		o.Finalise(benchRules)
	}
}
