// Package control holds what a node is set to, as one plain value: clock, settings, the next block, faults, holds,
// weather, values of L1, marks and notes.
//
// It is for package preconf, those that keep its state, and those who set it. A [Control] is the same value in memory,
// in a snapshot, in a world and, as JSON, in a file. It is immutable: what changes it returns another one. Its
// functions are pure: they know no chain, no lock and no timeline, and get what they need of these as arguments.
package control
