// Package shape writes what the node answers: blocks, transactions, receipts and logs as JSON objects, in the form that
// a Profile asks for. It knows the values of the chain and its Views, and nothing of requests, methods and connections.
// Its values are encoded by AppendJSON, without reflection and intermediate maps.
package shape
