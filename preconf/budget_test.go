package preconf_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/filter"
)

// Ensure the things of each kind that a network holds take only so many bytes together, that one more is refused with
// the kind and the limit and changes nothing, and that there is room again once others have ended.
func TestHeldThingsCountBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: 64 MiB for each kind")
	}
	t.Parallel()
	w := newTimeline(t, preconf.Config{})
	refused := func(kind string, err error) {
		t.Helper()
		var budget *control.BudgetError
		require.ErrorAs(t, err, &budget)
		require.Equal(t, kind, budget.Kind)
		require.ErrorContains(t, err, "the "+kind+" of this network would take more than 67108864 bytes")
	}
	half := make([]common.Hash, control.MaxHeld/32/2)

	require.NoError(t, w.Hold(control.Hold{Hashes: half}))
	refused("holds", w.Hold(control.Hold{Hashes: half}))
	require.Len(t, w.Moment().Holds(), 1)
	_, err := w.Release()
	require.NoError(t, err)
	require.NoError(t, w.Hold(control.Hold{Hashes: half}))

	omit := control.FlashblockFault{Kind: control.OmitTransactions, Hashes: half}
	_, err = w.FlashblockFault(omit)
	require.NoError(t, err)
	_, err = w.FlashblockFault(omit)
	refused("flashblock faults", err)
	w.ClearFlashblockFaults()

	list := control.Weather{Shape: control.List, Values: make([]*big.Int, control.MaxHeld/64/2+1)}
	for i := range list.Values {
		list.Values[i] = big.NewInt(30_000_000)
	}
	list.Of = control.OfGasLimit
	require.NoError(t, w.SetWeather(list))
	list.Of = control.OfBaseFee
	refused("courses of the weather", w.SetWeather(list))
	require.NoError(t, w.SetWeather(control.Weather{Of: control.OfGasLimit, Shape: control.Calm}))
	require.NoError(t, w.SetWeather(list))

	note := make([]byte, control.MaxHeld/2)
	require.NoError(t, w.SetNote("a", note))
	refused("notes", w.SetNote("b", note))
	require.Nil(t, w.Moment().Note("b"))

	logs := filter.Filter{Logs: chain.LogFilter{Topics: [][]common.Hash{half}}}
	first, err := w.NewFilter(logs)
	require.NoError(t, err)
	_, err = w.NewFilter(logs)
	require.NoError(t, err)
	_, err = w.NewFilter(logs)
	refused("filters", err)
	require.True(t, w.UninstallFilter(first))
	_, err = w.NewFilter(logs)
	require.NoError(t, err)
}

// Ensure that blocks which reorgs remove count, and that there is room again where a revert forgot them.
func TestRemovedBlocksCountBytes(t *testing.T) {
	t.Parallel()
	w := newTimeline(t, preconf.Config{})
	seal(t, w, 1)
	snapshot := w.Snapshot()
	for nonce := range uint64(20) {
		send(t, w, accounts[0].sign(types.DynamicFeeTx{Nonce: nonce, To: &emitter, Data: make([]byte, 100_000), Gas: 1_200_000}))
	}
	seal(t, w, 1)
	large := w.Moment().Latest().Block()
	require.Equal(t, 20, large.Count())
	fits := control.MaxHeld / large.MemorySize()
	require.Less(t, fits, 40, "the data count")
	for range fits {
		reorg(t, w, preconf.ReorgOptions{Depth: 1, Length: new(1)})
	}
	head, pooled := w.Moment().Latest().Hash(), w.Moment().PoolSize()
	_, err := w.Reorg(preconf.ReorgOptions{Depth: 1, Length: new(1)})
	require.EqualError(t, err, "the removed blocks of this network would take more than 67108864 bytes: evm_revert to a snapshot before them, or a reset")
	require.Equal(t, head, w.Moment().Latest().Hash())
	require.Equal(t, pooled, w.Moment().PoolSize())
	require.Error(t, w.Revert(snapshot+1))
	require.NoError(t, w.Revert(snapshot))
	seal(t, w, 1)
	reorg(t, w, preconf.ReorgOptions{Depth: 1})
	require.NoError(t, w.RevertOnce(snapshot))
	seal(t, w, 1)
	reorg(t, w, preconf.ReorgOptions{Depth: 1})
}
