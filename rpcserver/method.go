package rpcserver

import (
	"sync"

	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/explain"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// method is a line of the method table.
type method struct {
	serve   jsonrpc.Method[*api.Request]
	control bool // commands the node: time, state, reorgs, faults, other people's money
	preconf bool // exists only with the pre-confirmation layer
	worlds  bool // exists only where there may be worlds
}

// public returns a method that reads from the node or sends it a transaction.
func public(serve jsonrpc.Method[*api.Request]) method { return method{serve: serve} }

// constant returns a function that always answers v: the node is synchronised, has no peers and does not mine, and its
// protocol version is the one that clients expect (eth/68), though it does not speak it.
func constant(v any) jsonrpc.Method[*api.Request] {
	return jsonrpc.Params0(func(*api.Request) (any, error) { return v, nil })
}

func control(serve jsonrpc.Method[*api.Request]) method { return method{serve: serve, control: true} }

// own returns a control method that only fakenode has. It is not in the journal and no fault strikes it, because tests
// use it to look at both.
func own(serve jsonrpc.Method[*api.Request]) method { return control(serve.Exempt()) }

// executes returns a method that takes its turn, because the client decides how long it takes.
func (m method) executes() method {
	m.serve = m.serve.Within(explain.Begin)
	return m
}

// needsPreconf returns a method that exists only with the pre-confirmation layer.
func (m method) needsPreconf() method {
	m.preconf = true
	return m
}

// of returns a method that only networks of that way have.
func (m method) of(way api.Preconf) method {
	m.serve = m.serve.Within(func(r *api.Request) (done func(), err error) {
		if r.Network.Preconf != way {
			return nil, way.Elsewhere("method " + r.Method)
		}
		return func() {}, nil
	})
	return m
}

// needsWorlds returns a method that exists only if there may be worlds.
func (m method) needsWorlds() method {
	m.worlds = true
	return m
}

// allMethods serves the whole API. All servers share the table.
var allMethods = sync.OnceValue(func() map[string]jsonrpc.Method[*api.Request] {
	all := make(map[string]jsonrpc.Method[*api.Request], len(methods))
	for name, method := range methods {
		all[name] = method.serve
	}
	return all
})

// Control reports whether a method commands the node: time, state, reorgs, faults, other people's money.
func Control(method string) bool { return methods[method].control }

// Preconfirmation reports whether a method exists only on pre-confirmed endpoints (contract 1-simulate, 1-pendingLogs).
func Preconfirmation(method string) bool { return methods[method].preconf }
