// Package api holds what the methods of the JSON-RPC API have in common: the Request they answer with its network and
// Moment, block tags and other parameters, transaction call objects, limits, and the translation of errors into those of
// the wire. The methods themselves are in package rpcserver and the rooms beside this one.
package api
