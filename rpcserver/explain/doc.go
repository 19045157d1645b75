// Package explain serves the methods that show the execution of a transaction: the traces of debug_trace* and of the
// trace_ module, and the methods of the block explorer Otterscan (ots_*).
package explain
