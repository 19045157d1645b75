package dialect

import (
	"bytes"
	"maps"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/eth"
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

// Imitation holds the differences of a node. docs/anvil.md and docs/recipes/hardhat.md list those of development nodes.
type Imitation struct {
	// methods returns the methods that replace those of the same name in table, which has all names.
	methods func(table methodTable) methodTable
	// Unknown and Malformed are those of jsonrpc.API.
	Unknown   func(method string) *jsonrpc.Error
	Malformed func(wrong *jsonrpc.Error, calls, limit int) *jsonrpc.Error
	// ToWire is api.ToWire with the node's texts.
	ToWire func(*api.Behaviour, error) *jsonrpc.Error
}

var imitations = map[Node]Imitation{
	"":      {ToWire: api.ToWire},
	Anvil:   {methods: anvilMethods, Unknown: anvilUnknown, ToWire: anvilError},
	Hardhat: {methods: hardhatMethods, Unknown: hardhatUnknown, ToWire: hardhatError},
	Geth:    {methods: gethMethods, ToWire: api.ToWire},
	MegaETH: {methods: megaMethods, ToWire: megaError},
	Arc:     {methods: arcMethods, Malformed: arcMalformed, ToWire: api.ToWire},
	Monad:   {methods: monadMethods, Malformed: monadMalformed, ToWire: monadError},
}

// Imitation returns the differences of n.
func (n Node) Imitation() Imitation { return imitations[n] }

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

// gethMethods are the methods that geth answers differently from the profile of its name, as of geth 1.17.10.
// Clients of pre-confirmed blocks know them by their hash.
func gethMethods(table methodTable) methodTable {
	unsealed := func(r *api.Request, answer any) any {
		if block, ok := answer.(shape.Block); ok && r.Network.Preconf != api.PreconfPending {
			return block.Unsealed()
		}
		return answer
	}
	own := methodTable{
		"eth_getBlockByNumber": table["eth_getBlockByNumber"].Mapped(unsealed),
		"eth_getFilterChanges": jsonrpc.Params1(withAnyID(eth.GetFilterChanges), "filter id"),
		"eth_getFilterLogs":    jsonrpc.Params1(withAnyID(eth.GetFilterLogs), "filter id"),
		"eth_uninstallFilter":  jsonrpc.Params1(withAnyID(eth.UninstallFilter), "filter id"),
	}
	for _, name := range []string{
		"eth_getRawTransactionByHash", "eth_getRawTransactionByBlockNumberAndIndex", "eth_getRawTransactionByBlockHashAndIndex",
	} {
		own[name] = table[name].Mapped(orNothing(hexutil.Bytes{}))
	}
	return own
}

// next is a method within another one, see jsonrpc.Method.Around.
type next = func(params [][]byte) (any, error)

// hidePending answers null about the pending block.
func hidePending(_ *api.Request, params [][]byte, next next) (any, error) {
	if namesPending(params) {
		return nil, nil
	}
	return next(params)
}

// namesPending reports whether the first parameter is the tag pending, in any case of its letters, or an object with
// it.
func namesPending(params [][]byte) bool {
	return len(params) > 0 && bytes.Contains(bytes.ToLower(params[0]), []byte(`"pending"`))
}
