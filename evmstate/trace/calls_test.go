package trace_test

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/eth/tracers"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure callTracer answers byte for byte as go-ethereum's does, over random code that calls, creates, logs and fails.
func TestCallsAgainstTracer(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	base, random := at.State, rand.New(rand.NewPCG(7, 42))
	shown := make(map[string]int)
	for i := range laboratory.Budget(t, 150, 500) {
		code := randomActions(random)
		gas := uint64(60_000 + random.IntN(400_000))
		at.State = base.With(slices.Values([]evmstate.Change{{
			Address: counter, Exists: true, Nonce: 1, Balance: uint256.NewInt(1), Whole: true,
			Code: &evmstate.Code{Hash: crypto.Keccak256Hash(code), Bytes: code},
		}}))
		call := simulate.Call{From: &sender, To: &counter, Gas: &gas}
		if random.IntN(4) == 0 {
			call.To, call.Data = nil, code
		}
		config := json.RawMessage([]string{`{}`, `{"withLog":true}`, `{"onlyTopCall":true}`, `{"onlyTopCall":true,"withLog":true}`}[i%4])
		theirs, err := tracers.DefaultDirectory.New("callTracer", &tracers.Context{}, config, at.Chain.TracerConfig())
		require.NoError(t, err)
		want, err := trace.CallUnder(t.Context(), at, call, theirs)
		require.NoError(t, err)
		have, err := trace.Call(t.Context(), at, call, nil, nil, trace.Config{Tracer: "callTracer", TracerConfig: config})
		require.NoError(t, err)
		require.Equal(t, string(want), string(have), "%x", code)
		for _, member := range []string{"logs", "calls", "error", "output"} {
			shown[member] += strings.Count(string(have), `"`+member+`"`)
		}
	}
	for member, times := range shown {
		require.Positive(t, times, member)
	}
}

// Ensure a reason that only the node knows is shown, and Solidity's own before it.
func TestCallsDeclared(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{})
	reason := func(data []byte) any {
		t.Helper()
		code := program.New().Mstore(data, 0).Push(len(data)).Push0().Op(vm.REVERT).Bytes()
		raw, err := trace.Call(t.Context(), headView(t, c), simulate.Call{To: &counter}, simulate.StateOverrides{counter: {Code: &code}}, nil,
			trace.Config{Tracer: "callTracer", Declared: func([]byte) string { return "Declared()" }})
		require.NoError(t, err)
		return fields(t, raw)["revertReason"]
	}
	require.Equal(t, "Declared()", reason(common.FromHex("0x01020304")))
	require.Equal(t, "no", reason(errorString("no")))
}

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
