package trace_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
)

func TestFlatFrames(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &caller, &failing, nil)
	flats, err := trace.FlatBlock(t.Context(), c, c.Head(), trace.FlatConfig{})
	require.NoError(t, err)
	require.Len(t, flats, 3)

	calls := flats[0]
	require.Equal(t, c.Head().Transactions()[0].Hash(), calls.TxHash)
	require.Nil(t, calls.StateDiff)
	require.Len(t, calls.Frames, 2)
	require.Equal(t, sender, *calls.Frames[0].Sender())
	require.Equal(t, caller, *calls.Frames[0].Receiver())
	require.Equal(t, 1, calls.Frames[0].Subtraces)
	intrinsic := hexutil.Uint64(21_000 + 4*16) // gas before the code runs, with 4 bytes of data
	require.Equal(t, 200_000-intrinsic, *calls.Frames[0].Action.Gas)
	require.Equal(t, hexutil.Uint64(c.Head().Receipts()[0].GasUsed)-intrinsic, *calls.Frames[0].Result.GasUsed)
	require.Empty(t, calls.Frames[0].TraceAddress)
	require.Equal(t, caller, *calls.Frames[1].Sender())
	require.Equal(t, counter, *calls.Frames[1].Receiver())
	require.Equal(t, []int{0}, calls.Frames[1].TraceAddress)
	require.Equal(t, common.HexToHash("0x1").Bytes(), calls.Frames[1].Output())

	reverted := flats[1].Frames[0]
	require.Equal(t, "Reverted", reverted.Error)
	require.Equal(t, errorString("no"), reverted.Output())

	created := flats[2].Frames[0]
	require.Equal(t, trace.FrameCreate, created.Type)
	require.Equal(t, "create", created.Action.CreationMethod)

	alone, err := trace.FlatTransaction(t.Context(), c, c.Head(), 0, trace.FlatConfig{})
	require.NoError(t, err)
	require.Equal(t, calls, alone)
	none, err := trace.FlatBlock(t.Context(), c, c.BlockByNumber(0), trace.FlatConfig{})
	require.NoError(t, err)
	require.Empty(t, none, "genesis")
}

func TestFlatCallsBuildOnEachOther(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter)
	state, err := c.StateAt(c.Head())
	require.NoError(t, err)
	view := chain.View{Chain: c, Header: c.Head().Header(), State: state}
	call := simulate.Call{From: &sender, To: &counter}
	flats, err := trace.FlatCalls(t.Context(), view, []simulate.Call{call, call}, make([]trace.FlatConfig, 2))
	require.NoError(t, err)
	require.Equal(t, common.HexToHash("0x2").Bytes(), flats[0].Frames[0].Output())
	require.Equal(t, common.HexToHash("0x3").Bytes(), flats[1].Frames[0].Output())
}
