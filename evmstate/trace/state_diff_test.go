package trace_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
)

// Ensure a change is written as what came, what went, what it was and is, or as none.
func TestDeltaJSON(t *testing.T) {
	t.Parallel()
	one, two := hexutil.Uint64(1), hexutil.Uint64(2)
	for want, delta := range map[string]trace.Delta[hexutil.Uint64]{
		`"="`: {}, `{"+":"0x2"}`: {To: &two}, `{"-":"0x1"}`: {From: &one}, `{"*":{"from":"0x1","to":"0x2"}}`: {From: &one, To: &two},
	} {
		raw, err := json.Marshal(delta)
		require.NoError(t, err)
		require.Equal(t, want, string(raw))
	}
}

// Ensure state differences count towards the limit of the traces that they belong to.
func TestStateDiffSize(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	flat := func(limit int, diff bool, call simulate.Call) error {
		_, err := trace.FlatCalls(t.Context(), at, []simulate.Call{call}, []trace.FlatConfig{{StateDiff: diff, MaxResult: limit}})
		return err
	}
	count := simulate.Call{From: &sender, To: &counter}
	stores := simulate.Call{From: &sender, Data: program.New().ReturnViaCodeCopy(make([]byte, 1_000)).Bytes()}
	code := len(stores.Data)
	for _, c := range []struct {
		call        simulate.Call
		frame, diff int
	}{
		// A frame has 512 bytes, an account 256, a slot 256 more; and each byte of data two.
		{count, 512 + 2*32, 2*256 + 256},
		{stores, 512 + 2*code + 2*1_000, 2*256 + 2*1_000},
	} {
		require.NoError(t, flat(c.frame+1, false, c.call))
		require.Equal(t, &trace.SizeError{Limit: c.frame}, flat(c.frame, false, c.call))
		require.NoError(t, flat(c.frame+c.diff+1, true, c.call))
		err := flat(c.frame+c.diff, true, c.call)
		require.Equal(t, &trace.SizeError{Limit: c.frame + c.diff}, err)
	}
	require.EqualError(t, flat(100, false, count), "the trace is too large: the limit is 100 bytes")
}
