package explain

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// TraceConfig selects the tracer, as go-ethereum's clients write it. Unknown members are ignored. The zero value is the
// struct logger without memory and return data.
type TraceConfig struct {
	Tracer           *string         `json:"tracer" wanted:"an object that configures the tracer"`
	TracerConfig     json.RawMessage `json:"tracerConfig"`
	Timeout          *string         `json:"timeout"` // such as "10s", at most maxTraceTime
	EnableMemory     bool            `json:"enableMemory"`
	DisableStack     bool            `json:"disableStack"`
	DisableStorage   bool            `json:"disableStorage"`
	EnableReturnData bool            `json:"enableReturnData"`
	Limit            int             `json:"limit"` // bytes

	// For debug_traceCall only.
	StateOverrides json.RawMessage `json:"stateOverrides"`
	BlockOverrides json.RawMessage `json:"blockOverrides"`
	TxIndex        *hexutil.Uint   `json:"txIndex"` // call before this transaction of the block
}

// config returns it for package trace.
func (c *TraceConfig) config(r *api.Request) (trace.Config, error) {
	config := trace.Config{MaxResult: r.Caller.Room(), WholeSteps: r.Network.WholeSteps}
	if c == nil {
		return config, nil
	}
	if r.Network.DeclaredReasons {
		config.Declared = r.Moment().Chain().Errors
	}
	config.TracerConfig, config.Limit = c.TracerConfig, c.Limit
	config.EnableMemory, config.EnableReturnData = c.EnableMemory, c.EnableReturnData
	config.DisableStack, config.DisableStorage = c.DisableStack, c.DisableStorage
	if c.Tracer != nil {
		if *c.Tracer == "" {
			return config, api.Errorf(api.CodeServer, "tracer is empty: want a name or JavaScript, or no tracer for the struct logger")
		}
		config.Tracer = *c.Tracer
	}
	if c.Timeout != nil {
		timeout, err := time.ParseDuration(*c.Timeout)
		if err != nil || timeout <= 0 || timeout > maxTraceTime {
			return config, api.InvalidParams("timeout of the tracer: have %s, want a duration such as 10s, at most %s", api.Excerpt(*c.Timeout), maxTraceTime)
		}
		config.Timeout = timeout
	}
	return config, nil
}

// overrides returns the overrides of a call. Unlike those of the object around them, unknown members are an error.
func (c *TraceConfig) overrides(b *api.Behaviour) (simulate.StateOverrides, *simulate.BlockOverrides, error) {
	var state *api.StateOverrides
	var block *api.BlockOverrides
	if err := decodeMember(b.Lenient, "stateOverrides", c.StateOverrides, &state); err != nil {
		return nil, nil, err
	}
	if err := decodeMember(b.Lenient, "blockOverrides", c.BlockOverrides, &block); err != nil {
		return nil, nil, err
	}
	return api.Overrides(b, state, block)
}

// decodeMember decodes an optional member of the object that configures the tracer.
func decodeMember[T any](lenient bool, name string, raw json.RawMessage, into *T) error {
	if len(raw) == 0 {
		return nil
	}
	if err := jsonrpc.Decode(raw, into, lenient); err != nil {
		return api.InvalidParams("invalid %s: have %s (%s), want %s", name, api.Excerpt(raw), api.Problem(err), api.Wanted[T]())
	}
	return nil
}

// TraceTransaction serves debug_traceTransaction, also for a pre-confirmed one, behind those before it.
func TraceTransaction(r *api.Request, hash common.Hash, options *TraceConfig) (any, error) {
	config, err := options.config(r)
	if err != nil {
		return nil, err
	}
	v, position, err := traced(r, hash)
	if err != nil {
		return nil, err
	}
	result, err := trace.Transaction(r.Ctx, v.Chain(), v, position, config)
	return result, traceFailure(err)
}

// traced finds the block to trace a transaction in, and the transaction's index there.
func traced(r *api.Request, hash common.Hash) (v *preconf.View, index int, err error) {
	found, err := r.Moment().Find(hash)
	if err != nil {
		return nil, 0, err
	}
	if !found.Executed() {
		return nil, 0, api.Errorf(api.CodeServer, "transaction not found: %s is in no sealed or pre-confirmed block", hash)
	}
	return found.View, found.Index, nil
}

// TraceCall serves debug_traceCall, on the pending block too.
func TraceCall(r *api.Request, object api.CallObject, tag *api.BlockTag, options *TraceConfig) (any, error) {
	config, err := options.config(r)
	if err != nil {
		return nil, err
	}
	options = cmp.Or(options, new(TraceConfig))
	state, block, err := options.overrides(&r.Network.Behaviour)
	if err != nil {
		return nil, err
	}
	v, err := CallView(r, tag.OrLatest(), options.TxIndex)
	if err != nil {
		return nil, err
	}
	config.GasCap = r.CallLimits().GasCap
	result, err := trace.Call(r.Ctx, v, object.Call(), state, block, config)
	return result, traceFailure(err)
}

// CallView returns the View on which a call runs: after the block, or in it before one of its transactions.
func CallView(r *api.Request, tag api.BlockTag, before *hexutil.Uint) (chain.View, error) {
	if before == nil {
		return r.CallView(tag)
	}
	v, err := r.View(tag)
	if err != nil {
		return chain.View{}, err
	}
	at, err := trace.ViewBefore(r.Ctx, v.Chain(), v, int(*before))
	return at, traceFailure(err)
}

// TraceRawBlock serves debug_traceBlock: a block of the chain, given as RLP.
func TraceRawBlock(r *api.Request, raw hexutil.Bytes, options *TraceConfig) (any, error) {
	var block struct {
		Header *types.Header
		Body   []rlp.RawValue `rlp:"tail"` // go-ethereum cannot decode deposits
	}
	if err := rlp.DecodeBytes(raw, &block); err != nil {
		return nil, api.Undecodable("invalid argument 0 (block) of %s: not the RLP of a block", r.Method)
	}
	return TraceBlock(r, api.BlockHash(block.Header.Hash()), options)
}

// TraceBlock serves debug_traceBlockByNumber, also for the pending block, and debug_traceBlockByHash.
func TraceBlock[B api.Block](r *api.Request, block B, options *TraceConfig) (any, error) {
	config, err := options.config(r)
	if err != nil {
		return nil, err
	}
	v, err := r.View(block.Tag())
	if err != nil {
		return nil, err
	}
	config.MaxResult /= 2 // the answer is a copy of them
	results, err := trace.Block(r.Ctx, v.Chain(), v, config)
	return traceList(results), traceFailure(err)
}

type traceList []trace.TxResult

func (l traceList) AppendJSON(dst []byte) []byte {
	return shape.AppendArray(dst, len(l), func(dst []byte, i int) []byte {
		o := shape.Begin(dst)
		o.Bytes("txHash", l[i].TxHash[:])
		if l[i].Error != "" {
			o.Text("error", l[i].Error)
		} else {
			o.Add("result", l[i].Result)
		}
		return o.End()
	})
}

// traceFailure returns the client's error for a missing trace, also for errors of the tracer. Nil stays nil.
func traceFailure(err error) error {
	var tooLarge *trace.SizeError
	switch {
	case errors.As(err, &tooLarge) && tooLarge.Limit == trace.MaxSize:
		return api.TooLarge("%s", err)
	case errors.As(err, &tooLarge):
		return api.TooLarge("%s (--max-answer)", err)
	case errors.As(err, new(*chain.PrunedError)), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return api.Refused(err)
}

// maxTraceTime is the wall time that a request of this package may execute, all its transactions together. It is also
// the most that a client may ask for one of them.
const maxTraceTime = 5 * time.Minute

// Begin waits for the request's turn to execute. Every method that executes transactions or calls again needs it. The
// request's context then ends after maxTraceTime at the latest. done must be called when the method has its result. The
// error reports that the client left.
func Begin(r *api.Request) (done func(), err error) {
	arrived := r.Caller.MayTakeLong()
	if err := r.TakeTurn(); err != nil {
		arrived()
		return nil, err
	}
	whole := r.Ctx
	var cancel context.CancelFunc
	r.Ctx, cancel = context.WithTimeoutCause(whole, maxTraceTime, trace.ErrTimeout)
	return func() {
		cancel()
		r.Ctx = whole // a dialect may try the call once more
		r.EndTurn()
		arrived()
	}, nil
}

const maxTracedCalls = 1000

// tracedCall is a call of trace_callMany with the wanted kinds of trace: [call, kinds].
type tracedCall struct {
	Object api.CallObject
	kinds  traceKinds
}

func (tracedCall) Held() any { return api.CallObject{} }

func (c *tracedCall) UnmarshalJSON(raw []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(raw, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("%d members, want a call and its kinds of trace", len(pair))
	}
	if err := json.Unmarshal(pair[0], &c.Object); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &c.kinds)
}

type tracedCalls []tracedCall

func (tracedCalls) Wanted() string { return `an array of [call, ["trace", "stateDiff"]]` }

func TraceModuleCall(r *api.Request, object api.CallObject, kinds traceKinds, tag *api.BlockTag) (any, error) {
	return traceOne(r, object.Call(), kinds, tag)
}

// TraceCallMany serves trace_callMany: each call sees the changes of those before it.
func TraceCallMany(r *api.Request, calls tracedCalls, tag *api.BlockTag) (any, error) {
	if len(calls) > maxTracedCalls {
		return nil, api.InvalidParams("%d calls are too many for %s: the limit is %d", len(calls), r.Method, maxTracedCalls)
	}
	engine := make([]simulate.Call, len(calls))
	kinds := make([]traceKinds, len(calls))
	for i := range calls {
		engine[i], kinds[i] = calls[i].Object.Call(), calls[i].kinds
	}
	return traceCalls(r, engine, kinds, tag)
}

// TraceRawTransaction serves trace_rawTransaction: a signed transaction runs on the block, whatever its nonce.
func TraceRawTransaction(r *api.Request, raw hexutil.Bytes, kinds traceKinds, tag *api.BlockTag) (any, error) {
	tx, err := r.Decode(raw)
	if err != nil {
		return nil, err
	}
	call, err := callOf(tx, r.Signer())
	if err != nil {
		return nil, api.InvalidParams("invalid argument 0 (transaction) of %s: %s", r.Method, err)
	}
	return traceOne(r, call, kinds, tag)
}

func traceOne(r *api.Request, call simulate.Call, kinds traceKinds, tag *api.BlockTag) (any, error) {
	objects, err := traceCalls(r, []simulate.Call{call}, []traceKinds{kinds}, tag)
	if err != nil {
		return nil, err
	}
	return objects[0], nil
}

// traceCalls traces calls one after another on a block, latest without one.
func traceCalls(r *api.Request, calls []simulate.Call, kinds []traceKinds, tag *api.BlockTag) ([]replayObject, error) {
	configs := make([]trace.FlatConfig, len(calls))
	frames := make([]bool, len(calls))
	for i := range calls {
		var err error
		if configs[i], frames[i], err = kinds[i].config(r); err != nil {
			return nil, err
		}
		configs[i].MaxResult = r.Caller.Room()
	}
	v, err := r.CallView(tag.OrLatest())
	if err != nil {
		return nil, err
	}
	flats, err := trace.FlatCalls(r.Ctx, v, calls, configs)
	if err != nil {
		return nil, traceFailure(err)
	}
	objects := make([]replayObject, len(flats))
	for i, flat := range flats {
		objects[i] = replayed(flat, frames[i])
	}
	return objects, nil
}

// callOf returns a signed transaction as a call by its sender.
func callOf(tx *types.Transaction, signer types.Signer) (simulate.Call, error) {
	from, err := types.Sender(signer, tx)
	if err != nil {
		return simulate.Call{}, err
	}
	if tx.Value().BitLen() > 256 {
		return simulate.Call{}, errors.New("value above 2^256-1")
	}
	call := api.CallOf(tx, from)
	call.Nonce, call.BlobHashes, call.MaxFeePerBlobGas = new(tx.Nonce()), tx.BlobHashes(), tx.BlobGasFeeCap()
	if tx.Type() != types.LegacyTxType {
		call.AccessList = new(tx.AccessList())
	}
	if tx.Type() < types.DynamicFeeTxType {
		call.GasPrice = tx.GasPrice()
	} else {
		call.MaxFeePerGas, call.MaxPriorityFeePerGas = tx.GasFeeCap(), tx.GasTipCap()
	}
	return call, nil
}
