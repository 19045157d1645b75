package evmstate_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

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
