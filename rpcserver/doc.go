// Package rpcserver serves the JSON-RPC API of a chain: it owns the method table, the server and its metrics. The
// methods that ask are in package eth, those that command the node in package command, those that explain transactions
// in package explain, and what other development nodes answer in package dialect; what methods have in common is in
// package api, the JSON of answers in package shape, and the worlds of a server in package world. The wire under all is
// package jsonrpc; how a transaction executes is known to the packages behind preconf.Timeline.
//
// It is for packages that run a node. Test writers use package fakenode, whose Limits, Fault, Call and Profile are the
// ones of this package.
//
//	server := rpcserver.New(rpcserver.Config{Main: timeline})
//	err := server.Listen("127.0.0.1:0")
//	fmt.Println(server.URL()) // POST here, or open a WebSocket
//	defer server.Close()
package rpcserver
