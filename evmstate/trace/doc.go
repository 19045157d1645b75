// Package trace executes transactions and calls again under a tracer and returns the tracer's results
// (debug_traceTransaction, debug_traceBlock*, debug_traceCall).
//
// It is for programs that look into transactions on a chain of package chain. The struct logger is go-ethereum's; named
// tracers, and those written in JavaScript, come from a Directory, which a program registers by importing package
// tracers. FlatTransaction, FlatBlock and FlatCalls return frames and state differences in the form of OpenEthereum's
// trace module, for trace_* and ots_*, and need no Directory. The package commits nothing; all functions are safe for
// concurrent use.
package trace
