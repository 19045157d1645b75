package dialect

import (
	"maps"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Node names a development node of others. A server that imitates one answers as it does where its tools can tell,
// beyond what the Geth profile does. Empty: nobody's.
type Node string

// The development nodes.
const (
	Anvil   Node = "anvil"
	Hardhat Node = "hardhat"
)

// methodTable serves methods by their names.
type methodTable = map[string]jsonrpc.Method[*api.Request]

// imitation holds where a development node answers otherwise than the method table and the profile. docs/anvil.md and
// docs/recipes/hardhat.md list all of it.
type imitation struct {
	// methods returns those that take the place of methods of the same name in table.
	methods func(table methodTable) methodTable
	// unknown is the error of a call to a method that does not exist.
	unknown func(method string) *jsonrpc.Error
	// translate is api.ToWire in the development node's words.
	translate func(shape.Profile, error) *jsonrpc.Error
}

var imitations = map[Node]imitation{
	"":      {translate: api.ToWire},
	Anvil:   {anvilMethods, anvilUnknown, anvilError},
	Hardhat: {hardhatMethods, hardhatUnknown, hardhatError},
}

// Methods returns table with the methods that n answers otherwise in the place of those that are in it.
func (n Node) Methods(table methodTable) methodTable {
	own := imitations[n].methods
	if own == nil {
		return table
	}
	imitated := maps.Clone(table)
	for name, method := range own(table) {
		if _, served := table[name]; served {
			imitated[name] = method
		}
	}
	return imitated
}

// Unknown returns what makes the error of a call to a method that does not exist, or nil if n has no words of its own.
func (n Node) Unknown() func(method string) *jsonrpc.Error { return imitations[n].unknown }

// ToWire is api.ToWire in the words of n.
func (n Node) ToWire(profile shape.Profile, err error) *jsonrpc.Error {
	return imitations[n].translate(profile, err)
}
