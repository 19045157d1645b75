// Package trace re-executes transactions and calls under a tracer and returns
// what the tracer makes of them (debug_traceTransaction, debug_traceBlock*,
// debug_traceCall).
//
// The tracers are go-ethereum's: the struct logger, the built-in ones
// (callTracer, prestateTracer, 4byteTracer, muxTracer, flatCallTracer, …) and
// tracers written in JavaScript. Their results are the JSON that go-ethereum
// gives. FlatTransaction, FlatBlock and FlatCalls put those of flatCallTracer and
// prestateTracer into the form of OpenEthereum's trace module, for trace_* and ots_*.
// Nothing is ever committed; all functions are safe for concurrent use.
package trace
