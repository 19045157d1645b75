package trace_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm/program"
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

func TestStateDiff(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter)
	c = extend(t, c, &counter)
	flat, err := trace.FlatTransaction(t.Context(), c, c.Head(), 0, trace.FlatConfig{StateDiff: true})
	require.NoError(t, err)
	raw, err := json.Marshal(flat.StateDiff[counter])
	require.NoError(t, err)
	require.JSONEq(t, `{"balance":"=","code":"=","nonce":"=","storage":{"`+common.Hash{}.Hex()+`":{"*":{"from":"`+
		common.HexToHash("0x1").Hex()+`","to":"`+common.HexToHash("0x2").Hex()+`"}}}}`, string(raw))
	raw, err = json.Marshal(flat.StateDiff[sender].Nonce)
	require.NoError(t, err)
	require.JSONEq(t, `{"*":{"from":"0x1","to":"0x2"}}`, string(raw))
}

func TestStateDiffOfNewAndGoneAccounts(t *testing.T) {
	t.Parallel()
	code := program.New().Sstore(1, 7).ReturnViaCodeCopy([]byte{0}).Bytes()
	c := newChain(t, chain.Options{})
	view := chain.View{Chain: c, Header: c.Head().Header()}
	var err error
	view.State, err = c.StateAt(c.Head())
	require.NoError(t, err)
	flats, err := trace.FlatCalls(t.Context(), view, []simulate.Call{{From: &sender, Data: code}}, []trace.FlatConfig{{StateDiff: true}})
	require.NoError(t, err)
	created := flats[0].StateDiff[*flats[0].Frames[0].Receiver()]
	raw, err := json.Marshal(created)
	require.NoError(t, err)
	require.JSONEq(t, `{"balance":{"+":"0x0"},"code":{"+":"0x00"},"nonce":{"+":"0x1"},"storage":{"`+common.HexToHash("0x1").Hex()+`":{"+":"`+common.HexToHash("0x7").Hex()+`"}}}`, string(raw))
	for _, account := range flats[0].StateDiff {
		require.False(t, account.Balance.From != nil && account.Balance.To == nil, "no account is gone")
	}
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
