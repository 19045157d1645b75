package dialect

import (
	"maps"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Node names a node. A server that imitates one answers like it where its tools depend on that, beyond the Geth
// profile. Empty: none.
type Node string

// The nodes.
const (
	Anvil   Node = "anvil"
	Hardhat Node = "hardhat"
	Geth    Node = "geth"
	MegaETH Node = "megaeth"
	Arc     Node = "arc"
	Monad   Node = "monad"
)

type methodTable = map[string]jsonrpc.Method[*api.Request]

// imitation holds the differences of a development node. docs/anvil.md and docs/recipes/hardhat.md list them.
type imitation struct {
	// methods returns the methods that replace those of the same name in table, which has all names.
	methods func(table methodTable) methodTable
	// unknown is the error of a call to a method that does not exist.
	unknown func(method string) *jsonrpc.Error
	// batch is jsonrpc.API.Batch. Nil: the node has none of its own.
	batch func(calls, limit int) *jsonrpc.Error
	// translate is api.ToWire with the development node's texts.
	translate func(*api.Behaviour, error) *jsonrpc.Error
}

var imitations = map[Node]imitation{
	"":      {translate: api.ToWire},
	Anvil:   {methods: anvilMethods, unknown: anvilUnknown, translate: anvilError},
	Hardhat: {methods: hardhatMethods, unknown: hardhatUnknown, translate: hardhatError},
	Geth:    {methods: gethMethods, translate: api.ToWire},
	MegaETH: {methods: megaMethods, translate: megaError},
	Arc:     {methods: arcMethods, batch: arcBatch, translate: api.ToWire},
	Monad:   {methods: monadMethods, batch: monadBatch, translate: monadError},
}

// Methods returns table, which has all methods, with those that n answers differently.
func (n Node) Methods(table methodTable) methodTable {
	own := imitations[n].methods
	if own == nil {
		return table
	}
	imitated := maps.Clone(table)
	maps.Copy(imitated, own(table))
	return imitated
}

// Unknown returns the function that makes the error of a call to an unknown method, or nil if n has none of its own.
func (n Node) Unknown() func(method string) *jsonrpc.Error { return imitations[n].unknown }

// Batch returns the function that makes the error of a batch of no calls or too many, or nil if n has none of its own.
func (n Node) Batch() func(calls, limit int) *jsonrpc.Error { return imitations[n].batch }

// ToWire is api.ToWire with the texts of n.
func (n Node) ToWire(b *api.Behaviour, err error) *jsonrpc.Error {
	return imitations[n].translate(b, err)
}

// gethMethods are the methods that geth answers differently from the profile of its name, as of geth 1.17.10.
// Clients of pre-confirmed blocks know them by their hash.
func gethMethods(table methodTable) methodTable {
	unsealed := func(r *api.Request, answer any) any {
		if block, ok := answer.(shape.Block); ok && r.Network.Preconf != api.PreconfPending {
			return block.Unsealed()
		}
		return answer
	}
	return methodTable{"eth_getBlockByNumber": table["eth_getBlockByNumber"].Mapped(unsealed)}
}
