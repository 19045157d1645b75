package rpcserver

import (
	"maps"
	"slices"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Unexported parts of the table and the server for their tests.
var (
	Methods  = methods
	Public   = public
	HelpText = helpText
)

type Method = method

// NewServing returns a Server of another table.
func NewServing(config Config, table map[string]Method) *Server {
	served := make(map[string]jsonrpc.Method[*api.Request])
	for name, method := range table {
		if config.Disabled == nil || !config.Disabled(name) {
			served[name] = method.serve
		}
	}
	return newServer(config, served)
}

// Served returns the names of the methods that a server of this config serves.
func (c Config) Served() []string { return slices.Collect(maps.Keys(c.methods())) }

// Turns returns the turns that calls wait for.
func (s *Server) Turns() api.Turns { return s.offer.Turns }

// ReadMethods returns the methods of the table that do not command the node, in order.
func ReadMethods() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(methods)), Control)
}
