package trace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/vm"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
)

// Frame is one call, creation or self-destruction of a transaction, in the flat form that OpenEthereum's trace module
// introduced. It encodes to the JSON of that form. Calls of precompiles by contracts have no frame.
type Frame struct {
	Action Action `json:"action"`
	// Error is empty for a frame that succeeded, else OpenEthereum's name of the failure, such as "Reverted".
	Error string `json:"error,omitempty"`
	// Result is nil for a self-destruction and for a failure other than a revert.
	Result *Result `json:"result"`
	// Subtraces is the number of frames directly below this one.
	Subtraces int `json:"subtraces"`
	// TraceAddress is the path to the frame from the transaction's own frame, whose path is empty.
	TraceAddress []int `json:"traceAddress"`
	// Type is FrameCall, FrameCreate or FrameSelfDestruct.
	Type string `json:"type"`
}

// The types of a Frame.
const (
	FrameCall         = "call"
	FrameCreate       = "create"
	FrameSelfDestruct = "suicide" // the EVM's first name of SELFDESTRUCT, kept by the trace module
)

// Action describes the call, creation or self-destruction of a Frame. Members that do not belong to the frame's type
// are nil or empty.
type Action struct {
	From *common.Address `json:"from,omitempty"`
	// CallType is "call", "staticcall", "delegatecall" or "callcode"; CreationMethod is "create" or "create2".
	CallType       string          `json:"callType,omitempty"`
	CreationMethod string          `json:"creationMethod,omitempty"`
	Gas            *hexutil.Uint64 `json:"gas,omitempty"`
	Init           *hexutil.Bytes  `json:"init,omitempty"`
	Input          *hexutil.Bytes  `json:"input,omitempty"`
	To             *common.Address `json:"to,omitempty"`
	Value          *hexutil.Big    `json:"value,omitempty"` // wei

	// Address is the contract that destroyed itself, RefundAddress the account that got its Balance in wei.
	Address       *common.Address `json:"address,omitempty"`
	RefundAddress *common.Address `json:"refundAddress,omitempty"`
	Balance       *hexutil.Big    `json:"balance,omitempty"`
}

// Result holds the gas that a call or creation used, and its output (Output) or the contract it made (Address, Code).
type Result struct {
	GasUsed *hexutil.Uint64 `json:"gasUsed,omitempty"`
	Output  *hexutil.Bytes  `json:"output,omitempty"`
	Address *common.Address `json:"address,omitempty"`
	Code    *hexutil.Bytes  `json:"code,omitempty"`
}

// Sender returns the account that acted: the caller, the creator, or the contract that destroyed itself.
func (f *Frame) Sender() *common.Address {
	if f.Type == FrameSelfDestruct {
		return f.Action.Address
	}
	return f.Action.From
}

// Receiver returns the account acted upon: the one called, the contract created (nil if the creation failed), or the
// one that got the balance.
func (f *Frame) Receiver() *common.Address {
	switch {
	case f.Type == FrameSelfDestruct:
		return f.Action.RefundAddress
	case f.Type == FrameCreate && f.Result != nil && f.Error == "":
		return f.Result.Address
	}
	return f.Action.To
}

// Output returns the returned bytes, also a revert's, or the code of a created contract.
func (f *Frame) Output() []byte {
	switch {
	case f.Result == nil:
		return nil
	case f.Result.Output != nil:
		return *f.Result.Output
	case f.Result.Code != nil:
		return *f.Result.Code
	}
	return nil
}

// Size returns about how many bytes the frame has in JSON, with the place of its transaction.
func (f *Frame) Size() int {
	size := 2*frameSize + 8*len(f.TraceAddress) + 2*len(f.Output())
	if input := cmp.Or(f.Action.Input, f.Action.Init); input != nil {
		size += 2 * len(*input)
	}
	return size
}

// frames appends the frames of a branch and of those below it, each before those of its calls. Their errors and gas are
// OpenEthereum's: the transaction's own frame has the gas that its code was given and used.
func (r *recorder) frames(frames []Frame, b *Branch, path []int) []Frame {
	at, op := len(frames), strings.ToLower(b.Op)
	frames = append(frames, Frame{TraceAddress: path, Error: failureName(b.Err), Action: Action{
		From: &b.From, Gas: (*hexutil.Uint64)(&b.Given), Value: (*hexutil.Big)(b.Value),
	}})
	f, used := &frames[at], (*hexutil.Uint64)(&b.GasUsed)
	switch {
	case b.Creates():
		f.Type, f.Action.CreationMethod, f.Action.Init = FrameCreate, op, (*hexutil.Bytes)(&b.Input)
		f.Result = &Result{GasUsed: used, Code: (*hexutil.Bytes)(&b.Output)}
		if b.Err == nil {
			f.Result.Address = &b.To
		}
	case b.Op == vm.SELFDESTRUCT.String():
		f.Type, f.Action = FrameSelfDestruct, Action{Address: &b.From, RefundAddress: &b.To, Balance: (*hexutil.Big)(b.Value)}
	default:
		f.Type, f.Action.To, f.Action.CallType, f.Action.Input = FrameCall, &b.To, op, (*hexutil.Bytes)(&b.Input)
		f.Result = &Result{GasUsed: used, Output: (*hexutil.Bytes)(&b.Output)}
	}
	if b.Err != nil && !errors.Is(b.Err, vm.ErrExecutionReverted) {
		f.Result = nil
	}
	for _, below := range b.Calls() {
		if (below.Op == vm.CALL.String() || below.Op == vm.STATICCALL.String()) && slices.Contains(r.precompiles, below.To) {
			continue
		}
		subtrace := frames[at].Subtraces
		frames[at].Subtraces++
		frames = r.frames(frames, below, append(slices.Clip(path), subtrace))
	}
	return frames
}

// failures names errors of the EVM, by how they begin, as OpenEthereum does.
var failures = []struct{ begin, name string }{
	{"execution reverted", "Reverted"},
	{"out of gas", "Out of gas"},
	{"contract creation code storage out of gas", "Out of gas"},
	{"gas uint64 overflow", "Out of gas"},
	{"max code size exceeded", "Out of gas"},
	{"invalid jump destination", "Bad jump destination"},
	{"invalid opcode:", "Bad instruction"},
	{"return data out of bounds", "Out of bounds"},
	{"stack limit reached", "Out of stack"},
	{"stack underflow", "Stack underflow"},
	{"precompiled failed", "Built-in failed"},
	{"invalid input length", "Built-in failed"},
}

// failureName returns the name of an error, which is the error itself if OpenEthereum has none; "" for no error.
func failureName(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	for _, failure := range failures {
		if strings.HasPrefix(text, failure.begin) {
			return failure.name
		}
	}
	return text
}

// Flat describes the execution of a transaction or call, in the form of OpenEthereum's trace module.
type Flat struct {
	// TxHash is zero for a call.
	TxHash common.Hash
	// Frames begins with the transaction's own frame; each frame precedes the frames of its calls.
	Frames []Frame
	// StateDiff is nil unless it was asked for.
	StateDiff StateDiff
}

// FlatConfig chooses the parts of a Flat besides its frames, and sets limits.
type FlatConfig struct {
	StateDiff bool
	// MaxResult limits the JSON to about that many bytes, for several messages all of it together. 0 means MaxSize, which
	// is the most.
	MaxResult int
	// GasCap is the gas that a traced call may use; 0 means the default of package simulate.
	GasCap uint64
}

// flat executes the message and returns its Flat and the state after it. It adds the size of the Flat to used, the
// bytes of those before it.
func (x *execution) flat(ctx context.Context, f FlatConfig, used *int) (Flat, *evmstate.State, error) {
	recorder, limit := &recorder{size: 2 * frameSize, perByte: 2, perLevel: 8}, within(f.MaxResult, 0)
	traced, err := x.run(ctx, &Config{recorder: recorder, MaxResult: limit - *used})
	if errors.As(err, new(*SizeError)) {
		err = &SizeError{Limit: limit}
	}
	if err != nil {
		return Flat{}, nil, err
	}
	flat := Flat{TxHash: x.about.TxHash, Frames: recorder.frames(nil, recorder.root, []int{})}
	*used += recorder.budget.used
	if f.StateDiff {
		flat.StateDiff = newStateDiff(traced.before, traced.after)
		*used += flat.StateDiff.size()
	}
	if *used >= limit {
		return Flat{}, nil, &SizeError{Limit: limit}
	}
	return flat, traced.after, nil
}

// FlatTransaction traces the transaction at index of a block like Transaction, with the same errors.
func FlatTransaction(ctx context.Context, c *chain.Chain, b Executed, index int, cfg FlatConfig) (Flat, error) {
	x, err := transaction(ctx, c, b, index)
	if err != nil {
		return Flat{}, err
	}
	flat, _, err := x.flat(ctx, cfg, new(int))
	return flat, err
}

// FlatBlock traces all transactions of a block. Its errors are Block's, or the first one of a transaction that cannot
// be traced. The genesis block has no transactions and thus no traces.
func FlatBlock(ctx context.Context, c *chain.Chain, b Executed, cfg FlatConfig) ([]Flat, error) {
	if err := b.Load(); err != nil {
		return nil, err
	}
	if b.Count() == 0 {
		return nil, nil
	}
	r, err := newReplay(ctx, c, b)
	if err != nil {
		return nil, err
	}
	flats, used := make([]Flat, b.Count()), 0
	for i := range flats {
		x, err := r.execution(i)
		if err != nil {
			return nil, err
		}
		if flats[i], r.state, err = x.flat(ctx, cfg, &used); err != nil {
			return nil, fmt.Errorf("transaction %s: %w", x.about.TxHash, err)
		}
	}
	return flats, nil
}

// FlatCalls traces calls one after another on any View: each sees the changes of those before it. cfg has one entry for
// each call. Its errors are Call's.
func FlatCalls(ctx context.Context, v chain.View, calls []simulate.Call, cfg []FlatConfig) ([]Flat, error) {
	flats, used := make([]Flat, len(calls)), 0
	for i, call := range calls {
		x, err := callExecution(ctx, v, call, nil, nil, cfg[i].GasCap)
		if err != nil {
			return nil, err
		}
		if flats[i], v.State, err = x.flat(ctx, cfg[i], &used); err != nil {
			return nil, err
		}
	}
	return flats, nil
}
