// Package entrypointtest holds the tables of what EntryPoint v0.6 and v0.7 do with operations of accounts that pay for
// themselves, to be run on fakenode's own code and on the published one.
package entrypointtest

import "github.com/stretchr/testify/require"

// Case is one row of a table. It runs on a chain of its own with the EntryPoint's code given.
type Case struct {
	Name string
	Run  func(t require.TestingT, code []byte)
}
