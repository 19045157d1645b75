// Package feed is a list of events that one writer continues and any number of readers walk, each at its own speed.
//
// It is for package preconf. A reader never waits for the writer nor for other readers; what all have read is garbage,
// and a reader that is too far behind is cut off.
package feed
