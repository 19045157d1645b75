// Package trace executes transactions and calls again under a tracer and returns the tracer's results
// (debug_traceTransaction, debug_traceBlock*, debug_traceCall).
//
// It is for programs that look into transactions on a chain of package chain. The tracers are go-ethereum's: the struct
// logger, the built-in ones (callTracer, prestateTracer, 4byteTracer, muxTracer, flatCallTracer, …) and tracers written
// in JavaScript. Their results are the same JSON as go-ethereum's; FlatTransaction, FlatBlock and FlatCalls put those
// of flatCallTracer and prestateTracer into the form of OpenEthereum's trace module, for trace_* and ots_*. The package
// commits nothing; all functions are safe for concurrent use.
package trace
