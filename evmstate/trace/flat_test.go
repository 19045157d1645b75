package trace_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
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
	laboratory.OneGoroutine(t)
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

// prestate is an account in the result of go-ethereum's prestateTracer: before the transaction the whole account with
// only the slots that change; after it, only the changes. Zeros are left out.
type prestate struct {
	Balance *hexutil.Big
	Code    *hexutil.Bytes
	Nonce   uint64
	Storage map[common.Hash]common.Hash
}

// diff returns the state difference of prestateTracer in diffMode, without accounts that it lists as new though they do
// not exist: their code hash changed from zero to the hash of no code.
func (o *oracle) diff() trace.StateDiff {
	changed := o.PrestateTracer
	diff := make(trace.StateDiff, len(changed.Post))
	for address, after := range changed.Post {
		if before, existed := changed.Pre[address]; existed {
			diff[address] = before.change(after)
		} else if after.exists() {
			diff[address] = after.created()
		}
	}
	for address, before := range changed.Pre {
		if _, remains := changed.Post[address]; !remains {
			diff[address] = before.removed()
		}
	}
	return diff
}

func (p prestate) exists() bool {
	return p.Nonce != 0 || p.Balance != nil || p.Code != nil && len(*p.Code) > 0 || len(p.Storage) > 0
}

func (p prestate) balance() *hexutil.Big {
	if p.Balance == nil {
		return new(hexutil.Big)
	}
	return p.Balance
}

func (p prestate) code() *hexutil.Bytes {
	if p.Code == nil {
		return new(hexutil.Bytes)
	}
	return p.Code
}

func (p prestate) created() trace.AccountDiff {
	diff := trace.AccountDiff{
		Balance: trace.Delta[hexutil.Big]{To: p.balance()},
		Code:    trace.Delta[hexutil.Bytes]{To: p.code()},
		Nonce:   trace.Delta[hexutil.Uint64]{To: (*hexutil.Uint64)(&p.Nonce)},
		Storage: make(map[common.Hash]trace.Delta[common.Hash], len(p.Storage)),
	}
	for slot, value := range p.Storage {
		diff.Storage[slot] = trace.Delta[common.Hash]{To: &value}
	}
	return diff
}

func (p prestate) removed() trace.AccountDiff {
	diff := trace.AccountDiff{
		Balance: trace.Delta[hexutil.Big]{From: p.balance()},
		Code:    trace.Delta[hexutil.Bytes]{From: p.code()},
		Nonce:   trace.Delta[hexutil.Uint64]{From: (*hexutil.Uint64)(&p.Nonce)},
		Storage: make(map[common.Hash]trace.Delta[common.Hash], len(p.Storage)),
	}
	for slot, value := range p.Storage {
		diff.Storage[slot] = trace.Delta[common.Hash]{From: &value}
	}
	return diff
}

// change returns the change of an account that existed before and after. A nonce never becomes 0, so a 0 in after means
// unchanged.
func (p prestate) change(after prestate) trace.AccountDiff {
	diff := trace.AccountDiff{Storage: make(map[common.Hash]trace.Delta[common.Hash])}
	if after.Balance != nil {
		diff.Balance = trace.Delta[hexutil.Big]{From: p.balance(), To: after.Balance}
	}
	if after.Code != nil {
		diff.Code = trace.Delta[hexutil.Bytes]{From: p.code(), To: after.Code}
	}
	if after.Nonce != 0 {
		diff.Nonce = trace.Delta[hexutil.Uint64]{From: (*hexutil.Uint64)(&p.Nonce), To: (*hexutil.Uint64)(&after.Nonce)}
	}
	for _, slots := range []map[common.Hash]common.Hash{p.Storage, after.Storage} {
		for slot := range slots {
			from, to := p.Storage[slot], after.Storage[slot]
			diff.Storage[slot] = trace.Delta[common.Hash]{From: &from, To: &to}
		}
	}
	return diff
}
