// Package explain serves the methods that show what a transaction did: the traces of debug_trace* and of the trace_
// module, and what the block explorer Otterscan asks for (ots_*).
package explain
