package trace_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
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

// Ensure a frame says who acted on whom and with what output, whatever it is.
func TestFrameParts(t *testing.T) {
	t.Parallel()
	destroys := program.New().Selfdestruct(sender).Bytes()
	at := headView(t, newChain(t, chain.Options{}))
	at.State = at.State.WithCode(counter, destroys)
	value := uint256.NewInt(3)
	stores := program.New().ReturnViaCodeCopy([]byte{0, 1}).Bytes()
	fails := []byte{byte(vm.INVALID)}
	reverts := program.New().Mstore([]byte{7}, 0).Push(1).Push0().Op(vm.REVERT).Bytes()
	flats, err := trace.FlatCalls(t.Context(), at, []simulate.Call{
		{From: &sender, To: &counter, Value: value}, {From: &sender, Data: stores}, {From: &sender, Data: fails},
		{From: &sender, Data: reverts}, {From: &sender, To: &failing, Data: []byte{1, 2, 3, 4}},
	}, make([]trace.FlatConfig, 5))
	require.NoError(t, err)
	gone := flats[0].Frames[1]
	require.Equal(t, trace.FrameSelfDestruct, gone.Type)
	require.Equal(t, []*common.Address{&counter, &sender}, []*common.Address{gone.Sender(), gone.Receiver()})
	require.Nil(t, gone.Output())
	require.EqualValues(t, 3, gone.Action.Balance.ToInt().Int64())
	made := flats[1].Frames[0]
	require.Equal(t, made.Result.Address, made.Receiver())
	require.NotNil(t, made.Receiver())
	require.Equal(t, []byte{0, 1}, made.Output())
	for i, want := range []struct {
		err    string
		output []byte
	}{{"Bad instruction", nil}, {"Reverted", []byte{7}}} {
		failed := flats[2+i].Frames[0]
		require.Equal(t, want.err, failed.Error)
		require.Nil(t, failed.Receiver(), "nothing was created")
		require.Equal(t, &sender, failed.Sender())
		require.Equal(t, want.output, failed.Output())
	}
	require.Equal(t, &failing, flats[4].Frames[0].Receiver())
}
