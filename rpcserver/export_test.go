package rpcserver

import (
	"maps"
	"slices"
)

// ReadMethods returns the methods of the table that do not command the node, in order.
func ReadMethods() []string {
	names := slices.Sorted(maps.Keys(methods))
	return slices.DeleteFunc(names, Control)
}
