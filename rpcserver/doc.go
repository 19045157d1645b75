// Package rpcserver serves the JSON-RPC API of a chain: it owns what the methods mean. That is the method table, block
// tags, JSON shapes, error codes, filters and streams. The wire under it is package jsonrpc; how a transaction executes
// is known to the packages behind preconf.Timeline.
//
// It is for packages that run a node. Test writers use package fakenode, whose Limits, Fault, Call and Profile are the
// ones of this package.
//
//	server := rpcserver.New(rpcserver.Config{Main: &rpcserver.Network{Timeline: timeline}})
//	err := server.Listen("127.0.0.1:0")
//	fmt.Println(server.URL()) // POST here, or open a WebSocket
//	defer server.Close()
package rpcserver
