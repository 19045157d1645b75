// Package laboratory decides which tests run: the quick set needs nothing but Go and ends in minutes, the laboratory
// reaches for other programs and for the network, or takes its time. Every test that is not of the quick set asks here.
//
//	func TestViem(t *testing.T) {
//		laboratory.Needs(t, laboratory.NPM)
//
// FAKENODE_LAB opens parts of it by their names, with commas between them, and `all` opens every one.
package laboratory

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The parts of the laboratory, by what a test needs.
const (
	NPM     = "npm"     // Node.js and packages from npm's registry
	Peers   = "peers"   // the other development nodes, anvil and Hardhat, as npm has them
	Geth    = "geth"    // go-ethereum's program, compiled from its module
	Browser = "browser" // Chromium, with Node.js
	Python  = "python"  // Python 3.11 with pytest, httpx and mypy
	Shell   = "shell"   // bash, curl and other programs of a terminal, and the compiled binary
	Long    = "long"    // nothing but minutes
)

// variable names the environment variable that opens the parts.
const variable = "FAKENODE_LAB"

// Open reports whether the tests of a part run.
func Open(part string) bool {
	opened := strings.Split(os.Getenv(variable), ",")
	return slices.Contains(opened, part) || slices.Contains(opened, "all")
}

// Needs skips the test unless the part is open.
func Needs(t testing.TB, part string) {
	t.Helper()
	if !Open(part) {
		t.Skipf("a test of the laboratory: %s=%s runs it, make everything runs all", variable, part)
	}
}

// Budget returns how much of its work a test does: few in the quick set, all where the part Long is open.
func Budget[T any](t testing.TB, few, all T) T {
	t.Helper()
	if Open(Long) {
		return all
	}
	t.Logf("%v of %v: %s=%s does all", few, all, variable, Long)
	return few
}
