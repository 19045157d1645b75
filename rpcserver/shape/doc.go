// Package shape writes the node's answers: blocks, transactions, receipts and logs as JSON objects, in the form that a
// Behaviour of package api asks for. It depends on the values of the chain and its Views, but not on requests, methods
// and connections. Its values are encoded by AppendJSON, without reflection and intermediate maps.
package shape
