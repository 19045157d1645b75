// Package tracers brings go-ethereum's tracers into a program: prestateTracer, 4byteTracer, muxTracer, flatCallTracer
// and the others in Go, and tracers in JavaScript that clients send.
//
// Import it, and nothing else is needed:
//
//	import _ "github.com/fakenode/fakenode/tracers"
//
// It is for tests whose nodes answer debug_traceTransaction and the other debug_trace methods with a named tracer. The
// struct logger, callTracer, trace_* and ots_* work without it, and tests that do not need it build faster: these
// tracers import about a hundred packages. The fakenode binary contains them.
package tracers

import (
	"encoding/json"

	"github.com/dlclark/regexp2"
	"github.com/ethereum/go-ethereum/eth/tracers"
	_ "github.com/ethereum/go-ethereum/eth/tracers/js" // tracers in JavaScript
	"github.com/ethereum/go-ethereum/eth/tracers/native"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/trace"
)

func init() {
	trace.Register(directory{})
	// A regular expression of JavaScript cannot be interrupted; it gives up by itself after this time. go-ethereum's
	// tracers offer no other way to set it.
	regexp2.DefaultMatchTimeout = trace.DefaultTimeout
}

type directory struct{}

func (directory) New(name string, about *trace.About, config json.RawMessage, chain *params.ChainConfig) (*trace.Tracer, error) {
	tracer, err := tracers.DefaultDirectory.New(name, &tracers.Context{
		BlockHash: about.BlockHash, BlockNumber: about.BlockNumber, TxIndex: about.TxIndex, TxHash: about.TxHash,
	}, config, chain)
	return ours(tracer, err)
}

func (directory) Mux(names []string, parts []*trace.Tracer) (*trace.Tracer, error) {
	theirs := make([]*tracers.Tracer, len(parts))
	for i, part := range parts {
		theirs[i] = &tracers.Tracer{Hooks: part.Hooks, GetResult: part.GetResult, Stop: part.Stop}
	}
	return ours(native.NewMuxTracer(names, theirs))
}

// ours returns a tracer of go-ethereum as one of package trace.
func ours(tracer *tracers.Tracer, err error) (*trace.Tracer, error) {
	if err != nil {
		return nil, err
	}
	stop := tracer.Stop
	if stop == nil { // of keccak256PreimageTracer
		stop = func(error) {}
	}
	return &trace.Tracer{Hooks: tracer.Hooks, GetResult: tracer.GetResult, Stop: stop}, nil
}

func (directory) IsScript(name string) bool { return tracers.DefaultDirectory.IsJS(name) }
