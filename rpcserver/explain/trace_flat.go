package explain

import (
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// traceObject is a frame in the answers of trace_block and similar methods: with its transaction.
type traceObject struct {
	trace.Frame
	BlockHash           *common.Hash `json:"blockHash"` // nil while the block is pre-confirmed
	BlockNumber         uint64       `json:"blockNumber"`
	TransactionHash     common.Hash  `json:"transactionHash"`
	TransactionPosition int          `json:"transactionPosition"`
}

// tracesOf returns the frames of the transaction at that position of a block.
func tracesOf(v *preconf.View, position int, flat trace.Flat) []traceObject {
	var hash *common.Hash
	if !v.Pending() {
		hash = new(v.Hash())
	}
	objects := make([]traceObject, len(flat.Frames))
	for i, frame := range flat.Frames {
		objects[i] = traceObject{frame, hash, v.Number(), flat.TxHash, position}
	}
	return objects
}

// flatTransaction traces a transaction and returns where it is; the View is nil if it is in no block.
func flatTransaction(r *api.Request, hash common.Hash, config trace.FlatConfig) (*preconf.View, int, trace.Flat, error) {
	found, err := r.Moment().Find(hash)
	if err != nil || !found.Executed() {
		return nil, 0, trace.Flat{}, err
	}
	v := found.View
	config.MaxResult = r.Caller.Room()
	flat, err := trace.FlatTransaction(r.Ctx, v.Chain(), v, found.Index, config)
	if err != nil {
		return nil, 0, trace.Flat{}, traceFailure(err)
	}
	return v, found.Index, flat, nil
}

// flatBlock traces a block.
func flatBlock(r *api.Request, v *preconf.View, config trace.FlatConfig) ([]trace.Flat, error) {
	config.MaxResult = r.Caller.Room()
	flats, err := trace.FlatBlock(r.Ctx, v.Chain(), v, config)
	if err != nil {
		return nil, traceFailure(err)
	}
	return flats, nil
}

// TraceModuleTransaction serves trace_transaction.
func TraceModuleTransaction(r *api.Request, hash common.Hash) (any, error) {
	v, position, flat, err := flatTransaction(r, hash, trace.FlatConfig{})
	if err != nil || v == nil {
		return nil, err
	}
	return tracesOf(v, position, flat), nil
}

// TraceModuleBlock serves trace_block, also for the pending block and orphans.
func TraceModuleBlock(r *api.Request, tag api.BlockTag) (any, error) {
	v, err := r.Block(tag)
	if err != nil || v == nil {
		return nil, err
	}
	flats, err := flatBlock(r, v, trace.FlatConfig{})
	if err != nil {
		return nil, err
	}
	objects := []traceObject{}
	for i, flat := range flats {
		objects = append(objects, tracesOf(v, i, flat)...)
	}
	return objects, nil
}

// traceIndices is the path of a frame, each number plain or in hex.
type traceIndices []api.Number

func (traceIndices) Wanted() string { return `an array of indices such as ["0x0"]` }

// TraceGet serves trace_get: the frame at a path from the transaction's own frame, whose path is empty.
func TraceGet(r *api.Request, hash common.Hash, path traceIndices) (any, error) {
	v, position, flat, err := flatTransaction(r, hash, trace.FlatConfig{})
	if err != nil || v == nil {
		return nil, err
	}
	for _, object := range tracesOf(v, position, flat) {
		if object.at(path) {
			return object, nil
		}
	}
	return nil, nil
}

// at reports whether the frame's path is the given one.
func (t *traceObject) at(path traceIndices) bool {
	if len(path) != len(t.TraceAddress) {
		return false
	}
	for i, index := range path {
		if api.Number(t.TraceAddress[i]) != index {
			return false
		}
	}
	return true
}

// traceKinds lists the parts that a replay returns: "trace", "stateDiff".
type traceKinds []string

func (traceKinds) Wanted() string { return `an array of "trace" and "stateDiff"` }

// config returns the configuration for the kinds. The second result reports whether frames are wanted.
func (k traceKinds) config(r *api.Request) (trace.FlatConfig, bool, error) {
	config, frames := trace.FlatConfig{GasCap: r.CallLimits().GasCap}, false
	for _, kind := range k {
		switch kind {
		case "trace":
			frames = true
		case "stateDiff":
			config.StateDiff = true
		case "vmTrace":
			return config, false, api.InvalidParams("vmTrace is not supported by %s: debug_traceTransaction and debug_traceCall report each step", r.Method)
		default:
			return config, false, api.InvalidParams("unknown kind of trace %s in %s: want %s", strconv.Quote(api.Excerpt(kind)), r.Method, k.Wanted())
		}
	}
	return config, frames, nil
}

// replayObject is the answer to trace_replayTransaction and similar methods.
type replayObject struct {
	Output          hexutil.Bytes   `json:"output"`
	StateDiff       trace.StateDiff `json:"stateDiff"` // null unless asked for
	Trace           []trace.Frame   `json:"trace"`     // empty unless asked for
	VMTrace         *struct{}       `json:"vmTrace"`   // always null
	TransactionHash *common.Hash    `json:"transactionHash,omitempty"`
}

// replayed returns the answer for the traces of a transaction or call.
func replayed(flat trace.Flat, frames bool) replayObject {
	object := replayObject{StateDiff: flat.StateDiff, Trace: []trace.Frame{}}
	if len(flat.Frames) > 0 {
		object.Output = flat.Frames[0].Output()
	}
	if frames {
		object.Trace = flat.Frames
	}
	if flat.TxHash != (common.Hash{}) {
		object.TransactionHash = &flat.TxHash
	}
	return object
}

// TraceReplayTransaction serves trace_replayTransaction.
func TraceReplayTransaction(r *api.Request, hash common.Hash, kinds traceKinds) (any, error) {
	config, frames, err := kinds.config(r)
	if err != nil {
		return nil, err
	}
	v, _, flat, err := flatTransaction(r, hash, config)
	if err != nil || v == nil {
		return nil, err
	}
	return replayed(flat, frames), nil
}

// TraceReplayBlockTransactions serves trace_replayBlockTransactions.
func TraceReplayBlockTransactions(r *api.Request, tag api.BlockTag, kinds traceKinds) (any, error) {
	config, frames, err := kinds.config(r)
	if err != nil {
		return nil, err
	}
	v, err := r.Block(tag)
	if err != nil || v == nil {
		return nil, err
	}
	flats, err := flatBlock(r, v, config)
	if err != nil {
		return nil, err
	}
	objects := make([]replayObject, len(flats))
	for i, flat := range flats {
		objects[i] = replayed(flat, frames)
	}
	return objects, nil
}
