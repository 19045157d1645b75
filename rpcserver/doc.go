// Package rpcserver serves the JSON-RPC API of a chain: it owns the method table, the server and its metrics. Package
// eth has the methods that read, package command the methods that command the node, package explain the methods that
// explain transactions, and package dialect the answers of other development nodes; package api has the code that
// methods share, package shape the JSON of answers, and package world the worlds of a server. All use the wire of
// package jsonrpc; the packages behind preconf.Timeline execute transactions.
//
// It is for packages that run a node. Test writers use package fakenode, whose Limits, Fault, Call and Profile are the
// ones of this package.
//
//	server := rpcserver.New(rpcserver.Config{Main: timeline})
//	err := server.Listen("127.0.0.1:0")
//	fmt.Println(server.URL()) // POST here, or open a WebSocket
//	defer server.Close()
package rpcserver
