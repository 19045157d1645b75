// Package laboratory decides which tests run: the quick set needs nothing but Go and ends in minutes, the laboratory
// reaches for other programs and for the network, or takes its time. Every test that is not of the quick set asks here.
//
//	func TestViem(t *testing.T) {
//		laboratory.Needs(t, laboratory.NPM, "node", "npm")
//
// FAKENODE_LAB opens parts of it by their names, with commas between them, and `all` opens every one.
package laboratory

import (
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// opened holds the parts that are open. The variable is taken out of the environment: the node warns of variables that
// are none of its flags'.
var opened = func() []string {
	defer os.Unsetenv(variable)
	return strings.Split(os.Getenv(variable), ",")
}()

// Open reports whether the tests of a part run.
func Open(part string) bool { return slices.Contains(opened, part) || slices.Contains(opened, "all") }

// asked holds, by the name of a test, the part that it asked for first, which is the one that it belongs to.
var (
	mu    sync.Mutex
	asked = map[string]string{}
)

// Needs skips the test unless the part is open and the programs are installed. A test belongs to the part that it asks
// for first: whatever else it and its subtests need runs with that part.
func Needs(t testing.TB, part string, programs ...string) {
	t.Helper()
	if !Open(belongsTo(t.Name(), part)) {
		t.Skipf("a test of the laboratory: %s=%s runs it, make everything runs all", variable, part)
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: what needs it is not tested", program)
		}
	}
}

// belongsTo returns the part that a test belongs to, or one of the tests that it is a part of; now asks for it.
func belongsTo(test, now string) string {
	mu.Lock()
	defer mu.Unlock()
	for name := test; ; {
		if part, found := asked[name]; found {
			return part
		}
		slash := strings.LastIndexByte(name, '/')
		if slash < 0 {
			asked[test] = now
			return now
		}
		name = name[:slash]
	}
}

// Report writes one line that says how many tests were left out as their parts are closed, and how to run them. A
// TestMain calls it at the end.
func Report(w io.Writer) {
	mu.Lock()
	defer mu.Unlock()
	left, closed := 0, map[string]bool{}
	for _, part := range asked {
		if !Open(part) {
			left, closed[part] = left+1, true
		}
	}
	if left > 0 {
		fmt.Fprintf(w, "left to the laboratory: %d tests: %s=%s runs them, make everything runs all\n",
			left, variable, strings.Join(slices.Sorted(maps.Keys(closed)), ","))
	}
}

// OneGoroutine skips a test under the race detector, which finds nothing where one goroutine does all the work and
// makes it ten times as long. It is for the slow ones.
func OneGoroutine(t testing.TB) {
	t.Helper()
	if Race {
		t.Skip("one goroutine does all the work: the race detector finds nothing")
	}
}

// Number returns the number that an environment variable has, or otherwise where it is not set.
func Number[T int | uint64](t testing.TB, variable string, otherwise T) T {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	number, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return T(number)
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
