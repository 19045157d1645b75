package rpcserver

import (
	"maps"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// DevNode names a development node of others. A Server that imitates one answers as it does where its tools can tell,
// beyond what the Geth profile does.
type DevNode string

// The development nodes.
const (
	Anvil   DevNode = "anvil"
	Hardhat DevNode = "hardhat"
)

// imitation holds where a development node answers otherwise than the method table and the profile. docs/anvil.md and
// docs/recipes/hardhat.md list all of it.
type imitation struct {
	// methods take the place of those of the same name.
	methods func() map[string]method
	// unknown is the error of a call to a method that does not exist. Nil: the node's own.
	unknown func(method string) *jsonrpc.Error
	// translate is api.ToWire in the development node's words. Nil: api.ToWire.
	translate func(shape.Profile, error) *jsonrpc.Error
}

var imitations = map[DevNode]imitation{
	Anvil:   {methods: anvilMethods, unknown: anvilUnknown, translate: anvilError},
	Hardhat: {methods: hardhatMethods, unknown: hardhatUnknown, translate: hardhatError},
}

// table returns the method table of a server that imitates d.
func (d DevNode) table() map[string]method {
	own := imitations[d].methods
	if own == nil {
		return methods
	}
	table := maps.Clone(methods)
	maps.Copy(table, own())
	return table
}

// translator returns what turns errors into those that clients of a network see.
func (d DevNode) translator(profile shape.Profile) func(*jsonrpc.Request, error) *jsonrpc.Error {
	translate := imitations[d].translate
	if translate == nil {
		translate = api.ToWire
	}
	return func(r *jsonrpc.Request, err error) *jsonrpc.Error { return explained(r, translate(profile, err), err) }
}
