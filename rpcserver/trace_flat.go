package rpcserver

import (
	"strconv"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/trace"
	"github.com/fakenode/fakenode/preconf"
)

// traceObject is a frame as trace_block and its kin report it: with the transaction that it belongs to.
type traceObject struct {
	trace.Frame
	BlockHash           *common.Hash `json:"blockHash"` // nil while the block is pre-confirmed
	BlockNumber         uint64       `json:"blockNumber"`
	TransactionHash     common.Hash  `json:"transactionHash"`
	TransactionPosition int          `json:"transactionPosition"`
}

// tracesOf returns the frames of the transaction at a position of a block, deposits counted.
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
func (r *request) flatTransaction(hash common.Hash, config trace.FlatConfig) (*preconf.View, int, trace.Flat, error) {
	found, err := r.moment().Find(hash)
	if err != nil || !found.Executed() {
		return nil, 0, trace.Flat{}, err
	}
	v := found.View
	flat, err := trace.FlatTransaction(r.ctx, v.Chain(), v, found.Index, config)
	if err != nil {
		return nil, 0, trace.Flat{}, traceFailure(err)
	}
	return v, found.Index, flat, nil
}

// flatBlock traces a block.
func (r *request) flatBlock(v *preconf.View, config trace.FlatConfig) ([]trace.Flat, error) {
	flats, err := trace.FlatBlock(r.ctx, v.Chain(), v, config)
	if err != nil {
		return nil, traceFailure(err)
	}
	return flats, nil
}

// traceModuleTransaction serves trace_transaction.
func traceModuleTransaction(r *request, hash common.Hash) (any, error) {
	defer r.caller.MayTakeLong()()
	v, position, flat, err := r.flatTransaction(hash, trace.FlatConfig{})
	if err != nil || v == nil {
		return nil, err
	}
	return tracesOf(v, position, flat), nil
}

// traceModuleBlock serves trace_block, of the pending block and of orphans too.
func traceModuleBlock(r *request, tag blockTag) (any, error) {
	defer r.caller.MayTakeLong()()
	v, err := r.block(tag)
	if err != nil || v == nil {
		return nil, err
	}
	flats, err := r.flatBlock(v, trace.FlatConfig{})
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
type traceIndices []Number

func (traceIndices) Wanted() string { return `an array of indices such as ["0x0"]` }

// traceGet serves trace_get: the frame at a path from the transaction's own frame, whose path is empty.
func traceGet(r *request, hash common.Hash, path traceIndices) (any, error) {
	defer r.caller.MayTakeLong()()
	v, position, flat, err := r.flatTransaction(hash, trace.FlatConfig{})
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
		if Number(t.TraceAddress[i]) != index {
			return false
		}
	}
	return true
}

// traceKinds describes what a replay returns: "trace", "stateDiff".
type traceKinds []string

func (traceKinds) Wanted() string { return `an array of "trace" and "stateDiff"` }

// config returns what the kinds ask of the engine. The second result reports whether frames are wanted.
func (k traceKinds) config(r *request) (trace.FlatConfig, bool, error) {
	config, frames := trace.FlatConfig{GasCap: r.callLimits().GasCap}, false
	for _, kind := range k {
		switch kind {
		case "trace":
			frames = true
		case "stateDiff":
			config.StateDiff = true
		case "vmTrace":
			return config, false, invalidParams("vmTrace is not supported by %s: debug_traceTransaction and debug_traceCall report each step", r.method)
		default:
			return config, false, invalidParams("unknown kind of trace %s in %s: want %s", strconv.Quote(excerpt(kind)), r.method, k.Wanted())
		}
	}
	return config, frames, nil
}

// replayObject is the answer to trace_replayTransaction and its kin.
type replayObject struct {
	Output          hexutil.Bytes   `json:"output"`
	StateDiff       trace.StateDiff `json:"stateDiff"` // null unless asked for
	Trace           []trace.Frame   `json:"trace"`     // empty unless asked for
	VMTrace         *struct{}       `json:"vmTrace"`   // always null
	TransactionHash *common.Hash    `json:"transactionHash,omitempty"`
}

// replayed shapes what a transaction or call did.
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

// traceReplayTransaction serves trace_replayTransaction.
func traceReplayTransaction(r *request, hash common.Hash, kinds traceKinds) (any, error) {
	defer r.caller.MayTakeLong()()
	config, frames, err := kinds.config(r)
	if err != nil {
		return nil, err
	}
	v, _, flat, err := r.flatTransaction(hash, config)
	if err != nil || v == nil {
		return nil, err
	}
	return replayed(flat, frames), nil
}

// traceReplayBlockTransactions serves trace_replayBlockTransactions.
func traceReplayBlockTransactions(r *request, tag blockTag, kinds traceKinds) (any, error) {
	defer r.caller.MayTakeLong()()
	config, frames, err := kinds.config(r)
	if err != nil {
		return nil, err
	}
	v, err := r.block(tag)
	if err != nil || v == nil {
		return nil, err
	}
	flats, err := r.flatBlock(v, config)
	if err != nil {
		return nil, err
	}
	objects := make([]replayObject, len(flats))
	for i, flat := range flats {
		objects[i] = replayed(flat, frames)
	}
	return objects, nil
}
