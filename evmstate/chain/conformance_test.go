package chain_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/tests"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// suites are the directories that a directory of outside tests may hold.
var suites = []string{"state-tests", "block-tests", "execution-apis"}

// conformanceDir returns the directory of a suite of outside tests, from FAKENODE_CONFORMANCE (seen from the project's
// root) or beside the project. The test is skipped where there is none, and fails if the variable names a directory
// without any suite.
func conformanceDir(t *testing.T, suite string) string {
	t.Helper()
	base := os.Getenv("FAKENODE_CONFORMANCE")
	if base == "" {
		base = filepath.Join("..", "shared", "conformance")
	} else {
		require.NoError(t, checkConformance(fromRoot(t, base)), "FAKENODE_CONFORMANCE=%s", base)
	}
	dir, err := filepath.EvalSymlinks(filepath.Join(fromRoot(t, base), suite))
	if err != nil {
		t.Skipf("no outside tests (%v): set FAKENODE_CONFORMANCE to the directory that holds %s", err, suite)
	}
	return dir
}

// checkConformance rejects a directory that holds no suite.
func checkConformance(base string) error {
	for _, suite := range suites {
		if _, err := os.Stat(filepath.Join(base, suite)); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%s holds none of %s", base, strings.Join(suites, ", "))
}

// fromRoot sees a relative path from the project's root, the directory of go.mod.
func fromRoot(t *testing.T, path string) string {
	t.Helper()
	if filepath.IsAbs(path) {
		return path
	}
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, path)
		}
		parent := filepath.Dir(dir)
		require.NotEqual(t, dir, parent, "no go.mod above the test")
		dir = parent
	}
}

// sampled is the distance of the files that the quick set runs of a suite.
const sampled = 16

// runTests runs the named tests in the files below dir, and returns how many that were: run is called for each. The
// quick set runs a sample of the files beside the project, and all where FAKENODE_CONFORMANCE asks for them.
func runTests[T any](t *testing.T, dir string, run func(test T, ran *tally) error) *tally {
	t.Helper()
	ran, step := new(tally), 1
	if os.Getenv("FAKENODE_CONFORMANCE") == "" {
		step = laboratory.Budget(t, sampled, 1)
	}
	t.Run("files", func(t *testing.T) {
		for i, path := range jsonFiles(t, dir) {
			if i%step != 0 {
				continue
			}
			name, err := filepath.Rel(dir, path)
			require.NoError(t, err)
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				raw, err := os.ReadFile(path)
				require.NoError(t, err)
				var named map[string]T
				require.NoError(t, json.Unmarshal(raw, &named))
				for name, test := range named {
					require.NoError(t, run(test, ran), name)
				}
			})
		}
	})
	return ran
}

// jsonFiles returns all test files below dir. Directories like .meta hold none.
func jsonFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path != dir && strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
		case !entry.IsDir() && filepath.Ext(path) == ".json":
			files = append(files, path)
		}
		return nil
	}))
	require.NotEmpty(t, files, "no .json below %s", dir)
	return files
}

// networkConfig returns the rules of a network as the outside tests name it: ours for a plain fork, go-ethereum's for a
// transition ("ShanghaiToCancunAtTime15k") up to Amsterdam. Others are not claimed. A name may end in EIPs that the EVM
// has besides ("Byzantium+1884").
func networkConfig(network string) (config *params.ChainConfig, eips []int, claimed bool) {
	if ours, err := chain.ForkConfig(network, 1); err == nil && network != "" {
		return ours, nil, true
	}
	config, eips, err := tests.GetChainConfig(network)
	if err != nil || config.BogotaTime != nil || config.UBTTime != nil {
		return nil, nil, false
	}
	return config, eips, true
}

// tally counts the tests that a runner ran, and by network those it left out.
type tally struct {
	sync.Mutex
	ran     int
	skipped map[string]int
}

func (c *tally) count(network string, claimed bool) {
	c.Lock()
	defer c.Unlock()
	if claimed {
		c.ran++
		return
	}
	if c.skipped == nil {
		c.skipped = make(map[string]int)
	}
	c.skipped[network]++
}

// report writes one line to the test's output, and fails the test where nothing ran. `go test` shows the line with -v.
func (c *tally) report(t *testing.T, what string) {
	t.Helper()
	var left []string
	for network, n := range c.skipped {
		left = append(left, fmt.Sprintf("%s (%d)", network, n))
	}
	slices.Sort(left)
	if left == nil {
		left = []string{"none"}
	}
	fmt.Printf("%s: %d ran; forks not claimed: %s\n", what, c.ran, strings.Join(left, ", "))
	require.NotZero(t, c.ran, "no %s ran", what)
}

// Ensure every network of go-ethereum's runner up to Amsterdam is claimed, and a chain starts under it.
func TestConformanceNetworks(t *testing.T) {
	t.Parallel()
	left := []string{"Binary", "Verkle"}
	for _, network := range append(tests.AvailableForks(), "Petersburg", "Byzantium+1884", "Byzantium+1", "Tomorrow", "") {
		config, _, claimed := networkConfig(network)
		if !claimed {
			require.Contains(t, append(left, "Byzantium+1", "Tomorrow", ""), network)
			continue
		}
		require.NotContains(t, left, network)
		c := newChainOf(t, &chain.Genesis{Config: config, GasLimit: 30_000_000, Alloc: chain.SystemContracts(config)}, chain.Options{})
		grow(t, c, 6)
	}
}
