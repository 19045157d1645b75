// Package api holds the common parts of the methods of the JSON-RPC API: the Request they answer with its network and
// Moment, block tags and other parameters, transaction call objects, limits, and the translation of errors into errors
// of the wire. The methods themselves are in the packages beside this one.
package api
