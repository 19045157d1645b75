package trace_test

import (
	"context"
	"encoding/json"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
)

// unread is a block whose content cannot be read.
type unread struct{ *chain.Block }

var errUnread = errors.New("not read")

func (unread) Load() error { return errUnread }

// Ensure a block that cannot be read, or whose parent is not in the chain, is traced in no form, with the reason.
func TestBlocksThatCannotBeTraced(t *testing.T) {
	t.Parallel()
	c := newChain(t, chain.Options{}, &counter)
	other := extend(t, newChain(t, chain.Options{}, &failing), &counter)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, x := range map[string]struct {
		ctx   context.Context
		block trace.Executed
		index int
		want  error
		text  string
	}{
		"unread":    {t.Context(), unread{c.Head()}, 0, errUnread, "not read"},
		"no parent": {t.Context(), other.Head(), 0, trace.ErrUnknownParent, "block 2: parent block not found"},
		"index":     {t.Context(), c.Head(), 1, &trace.IndexError{Index: 1, Transactions: 1}, "index 1 out of range"},
		"ended":     {ended, c.Head(), 0, context.Canceled, "context canceled"},
	} {
		for form, run := range map[string]func() error{
			"transaction": func() error { _, err := trace.Transaction(x.ctx, c, x.block, x.index, trace.Config{}); return err },
			"flat": func() error {
				_, err := trace.FlatTransaction(x.ctx, c, x.block, x.index, trace.FlatConfig{})
				return err
			},
			"tree":    func() error { _, err := trace.TreeTransaction(x.ctx, c, x.block, x.index); return err },
			"failure": func() error { _, err := trace.Failure(x.ctx, c, x.block, x.index); return err },
			"compare": func() error {
				_, err := trace.Compare(x.ctx, c, x.block, x.index, under(t, c, "osaka", "osaka"))
				return err
			},
			"block":  func() error { _, err := trace.Block(x.ctx, c, x.block, trace.Config{}); return err },
			"flats":  func() error { _, err := trace.FlatBlock(x.ctx, c, x.block, trace.FlatConfig{}); return err },
			"before": func() error { _, err := trace.ViewBefore(x.ctx, c, x.block, x.index); return err },
		} {
			if whole := form == "block" || form == "flats"; whole && name == "index" || form == "before" && name == "ended" {
				require.NoError(t, run(), form)
				continue
			}
			err := run()
			require.ErrorContains(t, err, x.text, "%s %s", name, form)
			if name != "index" {
				require.ErrorIs(t, err, x.want, "%s %s", name, form)
				continue
			}
			require.Equal(t, x.want, err, form)
		}
	}
	_, err := trace.FlatBlock(t.Context(), c, unread{c.BlockByNumber(0)}, trace.FlatConfig{})
	require.ErrorIs(t, err, errUnread)
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
	require.Equal(t, 512+8, gone.Size())
	made := flats[1].Frames[0]
	require.Equal(t, made.Result.Address, made.Receiver())
	require.NotNil(t, made.Receiver())
	require.Equal(t, []byte{0, 1}, made.Output())
	require.Equal(t, 512+2*2+2*len(stores), made.Size())
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
	reverted := flats[4].Frames[0]
	require.Equal(t, &failing, reverted.Receiver())
	require.Equal(t, 512+2*100+2*4, reverted.Size())
}

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

// Ensure the result of a tracer in JavaScript may be as large as the limit, and no larger.
func TestScriptResultSize(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	call := func(limit int) (json.RawMessage, error) {
		return trace.Call(t.Context(), at, simulate.Call{To: &counter}, nil, nil, trace.Config{Tracer: object("'abcd'"), MaxResult: limit})
	}
	raw, err := call(6)
	require.NoError(t, err)
	require.Equal(t, `"abcd"`, string(raw))
	_, err = call(5)
	require.Equal(t, &trace.SizeError{Limit: 5}, err)
	raw, err = call(0)
	require.NoError(t, err, "no limit")
	require.Equal(t, `"abcd"`, string(raw))
}

// Ensure a source may have 64 KiB, and no byte more.
func TestScriptSourceSize(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	call := func(size int) error {
		source := object("1")
		_, err := trace.Call(t.Context(), at, simulate.Call{To: &counter}, nil, nil, trace.Config{Tracer: source + strings.Repeat(" ", size-len(source))})
		return err
	}
	require.NoError(t, call(64<<10))
	require.Equal(t, &trace.SourceError{Size: 64<<10 + 1, Limit: 64 << 10}, call(64<<10+1))
	require.EqualError(t, call(64<<10+1), "the tracer is too long: it has 65537 bytes, the limit is 65536")
}

// Ensure a panic's error leads to what the tracer panicked with, and names the struct logger and long sources.
func TestPanicError(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, &trace.PanicError{Cause: errUnread}, errUnread)
	require.NotErrorIs(t, &trace.PanicError{Cause: "text"}, errUnread)
	require.EqualError(t, &trace.PanicError{Cause: "text"}, "tracer structLogger panicked: text")
	long := &trace.PanicError{Tracer: strings.Repeat("x", 200), Cause: 3}
	require.EqualError(t, long, "tracer "+strings.Repeat("x", 100)+" panicked: 3")
}

// Ensure a muxTracer without parts has an empty result, 64 parts are not too many, and wrong parts are named.
func TestMuxParts(t *testing.T) {
	t.Parallel()
	at := headView(t, newChain(t, chain.Options{}))
	call := func(config string) (json.RawMessage, error) {
		return trace.Call(t.Context(), at, simulate.Call{To: &counter}, nil, nil,
			trace.Config{Tracer: "muxTracer", TracerConfig: json.RawMessage(config)})
	}
	for _, none := range []string{"", "{}", "null"} {
		raw, err := call(none)
		require.NoError(t, err, none)
		require.JSONEq(t, "{}", string(raw), none)
	}
	_, err := call(`[1]`)
	require.ErrorContains(t, err, "cannot unmarshal array")
	parts := make(map[string]any)
	for i := range 64 {
		parts["nobody"+strconv.Itoa(i)] = nil
	}
	config, err := json.Marshal(parts)
	require.NoError(t, err)
	_, err = call(string(config))
	require.ErrorContains(t, err, "nobody0")
	_, err = call(`{"callTracer":{"onlyTopCall":3}}`)
	require.ErrorContains(t, err, "onlyTopCall")
}

// Ensure a tree keeps 64 MiB of inputs and outputs; of later ones it has 4 bytes of the input and nothing of the
// output.
func TestTreeDataIsBounded(t *testing.T) {
	t.Parallel()
	identity := common.BytesToAddress([]byte{4})
	size := 1 << 20
	code := program.New().Mstore([]byte{1, 2, 3, 4, 5, 6, 7, 8}, 0)
	for range 32 {
		code.Call(nil, identity, 0, 0, size, 0, 0).Op(vm.POP)
	}
	for _, last := range []int{0, 3, 4, 5} {
		code.Call(nil, identity, 0, 0, last, 0, 0).Op(vm.POP)
	}
	calls := treeOf(t, code.Bytes(), simulate.Call{}).Root.Calls()
	require.Len(t, calls, 36)
	for i, call := range calls[:32] {
		require.NoError(t, call.Err)
		require.Len(t, call.Input, size, i)
		require.Len(t, call.Output, size, i)
	}
	for i, want := range [][]byte{nil, {1, 2, 3}, {1, 2, 3, 4}, {1, 2, 3, 4}} {
		require.NoError(t, calls[32+i].Err)
		require.Equal(t, string(want), string(calls[32+i].Input))
		require.Empty(t, calls[32+i].Output)
	}
}
