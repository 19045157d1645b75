// Package stream turns the events of a network into the notifications of subscriptions. Each event is encoded once for
// all subscriptions that report it. The kinds of subscriptions and their options are in package eth.
package stream
