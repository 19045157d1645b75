// Package stream turns the events of a network into the notifications of subscriptions. Each event is encoded once for
// all subscriptions that report it. Who may subscribe to what, and which options there are, is known to package rpcserver.
package stream
