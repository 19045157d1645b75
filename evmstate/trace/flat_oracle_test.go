package trace_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// oracle holds the results of go-ethereum's tracers for a message.
type oracle struct {
	FlatCallTracer []trace.Frame
	PrestateTracer struct {
		Pre, Post map[common.Address]prestate
	}
}

var oracleConfig = trace.Config{
	Tracer:       "muxTracer",
	TracerConfig: json.RawMessage(`{"flatCallTracer":{"convertParityErrors":true},"prestateTracer":{"diffMode":true}}`),
	Timeout:      time.Hour,
}

// Ensure frames and state differences equal the results of go-ethereum's flatCallTracer and prestateTracer, over random
// code that calls, creates, stores and destroys.
func TestFlatAgainstTracers(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	base, random := at.State, rand.New(rand.NewPCG(29, 4))
	kinds := make(map[string]int)
	for range laboratory.Budget(t, 300, 1500) {
		code := randomActions(random)
		gas := uint64(60_000 + random.IntN(400_000))
		at.State = base.With(slices.Values([]evmstate.Change{{
			Address: counter, Exists: true, Nonce: 1, Balance: uint256.NewInt(1), Whole: true,
			Code:  &evmstate.Code{Hash: crypto.Keccak256Hash(code), Bytes: code},
			Slots: []evmstate.Slot{{Key: common.Hash{31: 1}, Value: common.Hash{31: 2}}},
		}}))
		call := simulate.Call{From: &sender, To: &counter, Gas: &gas}
		if random.IntN(4) == 0 {
			call.To, call.Data = nil, code
		}
		raw, err := trace.Call(t.Context(), at, call, nil, nil, oracleConfig)
		require.NoError(t, err, "%x", code)
		var want oracle
		require.NoError(t, json.Unmarshal(raw, &want))
		flats, err := trace.FlatCalls(t.Context(), at, []simulate.Call{call}, []trace.FlatConfig{{StateDiff: true}})
		require.NoError(t, err)
		have := flats[0]

		// The transaction's own frame has the gas of its code.
		root, known := &have.Frames[0], &want.FlatCallTracer[0]
		require.Less(t, *root.Action.Gas, *known.Action.Gas)
		root.Action.Gas = known.Action.Gas
		if root.Result != nil {
			root.Result.GasUsed = known.Result.GasUsed
		}
		require.Equal(t, encoded(t, want.FlatCallTracer), encoded(t, have.Frames), "%x", code)
		for _, frame := range have.Frames {
			kinds[frame.Type+frame.Action.CallType+frame.Action.CreationMethod]++
			kinds[frame.Error]++
		}
		require.Equal(t, encoded(t, want.diff()), encoded(t, have.StateDiff), "%x", code)
		kinds["storage"] += len(have.StateDiff[counter].Storage)
	}
	for _, kind := range []string{
		"callcall", "callstaticcall", "calldelegatecall", "callcallcode", "createcreate", "createcreate2", "suicide", "storage",
		"Reverted", "Out of gas", "Bad instruction", "Stack underflow", "Bad jump destination",
	} {
		require.Positive(t, kinds[kind], "%s did not occur: %v", kind, kinds)
	}
}

func encoded(t *testing.T, value any) string {
	raw, err := json.MarshalIndent(value, "", " ")
	require.NoError(t, err)
	return string(raw)
}

// randomActions returns code that calls and creates at random, some of it with itself, and often fails.
func randomActions(random *rand.Rand) []byte {
	targets := []common.Address{counter, caller, failing, logging, common.BytesToAddress([]byte{2}), common.BytesToAddress([]byte{9}), {0xee}}
	var code []byte
	push := func(values ...int) {
		for _, value := range values {
			code = append(code, byte(vm.PUSH1), byte(value))
		}
	}
	for range 1 + random.IntN(6) {
		target := targets[random.IntN(len(targets))]
		switch action := random.IntN(12); action {
		case 0, 1, 2, 3, 4:
			op := []vm.OpCode{vm.CALL, vm.CALLCODE, vm.DELEGATECALL, vm.STATICCALL, vm.CALL}[action]
			push(32, 0, random.IntN(40), random.IntN(2))
			if op == vm.CALL || op == vm.CALLCODE {
				push(random.IntN(2) * random.IntN(2))
			}
			code = append(append(code, byte(vm.PUSH20)), target[:]...)
			code = append(code, byte(vm.GAS), byte(op))
		case 5, 6:
			push(random.IntN(64), 0, 0)
			code = append(code, byte(vm.CODECOPY))
			push(random.IntN(64), 0, 0)
			code = append(code, byte(vm.CREATE))
		case 7:
			push(random.IntN(3), random.IntN(16), 0, 0)
			code = append(code, byte(vm.CREATE2))
		case 8, 9:
			push(random.IntN(3), random.IntN(3))
			code = append(code, byte(vm.SSTORE))
		case 10:
			code = append(append(code, byte(vm.PUSH20)), target[:]...)
			code = append(code, []byte{byte(vm.SELFDESTRUCT), byte(vm.POP), byte(vm.CALLER)}[random.IntN(3)])
		case 11:
			push(random.IntN(40), 0)
			code = append(code, []byte{byte(vm.REVERT), byte(vm.RETURN), byte(vm.JUMP), byte(vm.INVALID), byte(vm.SLOAD)}[random.IntN(5)])
		}
	}
	return code
}
