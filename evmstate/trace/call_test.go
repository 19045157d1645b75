package trace_test

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
)

func TestCall(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter)
	draft := newDraft(t, c, &counter, &counter)
	state, err := c.StateAt(c.Head())
	require.NoError(t, err)
	sealed := chain.View{Chain: c, Header: c.Head().Header(), State: state}
	pending := chain.View{Chain: c, Header: draft.Header(), State: draft.State()}
	call := simulate.Call{From: &sender, To: &counter}

	value := func(v chain.View, so simulate.StateOverrides, bo *simulate.BlockOverrides) any {
		t.Helper()
		raw, err := trace.Call(t.Context(), v, call, so, bo, trace.Config{})
		require.NoError(t, err)
		return fields(t, raw)["returnValue"]
	}
	hash := func(n int64) string { return common.BigToHash(big.NewInt(n)).Hex() }
	require.Equal(t, hash(2), value(sealed, nil, nil))
	require.Equal(t, hash(4), value(pending, nil, nil), "pre-confirmed")
	require.Equal(t, hash(8), value(pending, simulate.StateOverrides{counter: {StateDiff: map[common.Hash]common.Hash{{}: common.HexToHash("0x7")}}}, nil))
	number := simulate.StateOverrides{counter: {Code: &[]byte{0x43, 0x5f, 0x52, 0x60, 0x20, 0x5f, 0xf3}}}
	require.Equal(t, hash(2), value(pending, number, nil))
	require.Equal(t, hash(99), value(pending, number, &simulate.BlockOverrides{Number: big.NewInt(99)}))
	require.Equal(t, hash(4), value(pending, nil, nil), "nothing was committed")

	call.Value = uint256.NewInt(1)
	call.From = &endless
	_, err = trace.Call(t.Context(), sealed, call, nil, nil, trace.Config{})
	require.ErrorIs(t, err, core.ErrInsufficientFunds)
	_, err = trace.Call(t.Context(), sealed, simulate.Call{To: &endless}, nil, nil, trace.Config{GasCap: 1 << 60, DisableStack: true, Limit: 1000, Timeout: 20 * time.Millisecond})
	require.Equal(t, trace.ErrTimeout, err)
}

func TestCallInTheMiddleOfABlock(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter, &failing, &counter)
	for index, want := range []int64{1, 2, 2} {
		v, err := trace.ViewBefore(t.Context(), c, c.Head(), index)
		require.NoError(t, err)
		raw, err := trace.Call(t.Context(), v, simulate.Call{To: &counter}, nil, nil, trace.Config{})
		require.NoError(t, err)
		require.Equal(t, common.BigToHash(big.NewInt(want)).Hex(), fields(t, raw)["returnValue"])
	}
	_, err := trace.ViewBefore(t.Context(), c, c.Head(), 3)
	require.EqualError(t, err, "transaction index 3 out of range: the block has 3 transactions")
	empty := newChain(t, chain.Options{})
	v, err := trace.ViewBefore(t.Context(), empty, empty.Head(), 0)
	require.NoError(t, err)
	require.Equal(t, empty.Head().Header(), v.Header)
	_, err = trace.ViewBefore(t.Context(), c, c.BlockByNumber(0), 0)
	require.ErrorIs(t, err, trace.ErrGenesis)
}

// Ensure a call that cannot be made is traced in no form, with the reason.
func TestCallsThatCannotBeMade(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	poor := simulate.Call{From: &endless, To: &counter, Value: uint256.NewInt(1)}
	for name, run := range map[string]func() error{
		"call": func() error { _, err := trace.Call(t.Context(), at, poor, nil, nil, trace.Config{}); return err },
		"calls": func() error {
			_, err := trace.Call(t.Context(), at, poor, nil, nil, trace.Config{Tracer: "callTracer"})
			return err
		},
		"flat": func() error {
			_, err := trace.FlatCalls(t.Context(), at, []simulate.Call{poor}, make([]trace.FlatConfig, 1))
			return err
		},
		"tree": func() error { _, err := trace.TreeCall(t.Context(), at, poor, nil, nil, 0); return err },
	} {
		require.ErrorIs(t, run(), core.ErrInsufficientFunds, name)
		traced := strings.HasPrefix(run().Error(), "tracing failed: ")
		require.Equal(t, name == "call" || name == "calls", traced, name)
	}
	both, slot := map[common.Hash]common.Hash{}, simulate.StateOverrides{}
	slot[counter] = simulate.AccountOverride{State: both, StateDiff: map[common.Hash]common.Hash{{}: {1}}}
	_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter}, slot, nil, trace.Config{})
	require.ErrorContains(t, err, "both")
	_, err = trace.TreeCall(t.Context(), at, simulate.Call{To: &counter}, slot, nil, 0)
	require.ErrorContains(t, err, "both")
	low := big.NewInt(1)
	fees := simulate.Call{To: &counter, GasPrice: low, MaxFeePerGas: low}
	_, err = trace.Call(t.Context(), at, fees, nil, nil, trace.Config{})
	require.ErrorContains(t, err, "both gasPrice and")
	_, err = trace.FlatCalls(t.Context(), at, []simulate.Call{fees}, make([]trace.FlatConfig, 1))
	require.ErrorContains(t, err, "both gasPrice and")
}
