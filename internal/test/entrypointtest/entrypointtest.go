// Package entrypointtest holds tables of cases about the EntryPoints, to be run on fakenode's own code and on the
// published one, and random operations that compare the two.
package entrypointtest

import "github.com/stretchr/testify/require"

// Case is one row of a table. It runs on a chain of its own with the EntryPoint's code given.
type Case struct {
	Name string
	Run  func(t require.TestingT, code []byte)
}
