// Package jsonrpc serves JSON-RPC 2.0 over HTTP and WebSocket. It is the wire of fakenode's rpcserver and knows nothing
// of chains: it owns the port, origin rules, bodies and batches, dispatch and parameter decoding, subscriptions,
// injected faults, the journal of calls and the limits on all of these.
//
// It is for packages that serve an API. Such a package describes its methods in an API, makes an Endpoint of it, and
// routes each path to an endpoint by Config.Route:
//
//	server := jsonrpc.New(jsonrpc.Config{Route: route})
//	endpoint := jsonrpc.NewEndpoint(server, api)
//	err := server.Listen("127.0.0.1:0")
//	defer server.Close()
package jsonrpc
