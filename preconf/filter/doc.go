// Package filter holds what clients select of a chain's events: a range of blocks between two bounds, and the filters
// of clients that poll for what is new.
//
// It is for package preconf. It knows no lock and no timeline.
package filter
