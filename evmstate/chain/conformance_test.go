package chain_test

import (
	"encoding/json"
	"fmt"
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
)

// conformanceDir returns a directory of outside tests, from FAKENODE_CONFORMANCE (seen from the project's root) or beside
// the project. The test is skipped where there is none.
func conformanceDir(t *testing.T, name string) string {
	t.Helper()
	base := os.Getenv("FAKENODE_CONFORMANCE")
	if base == "" {
		base = filepath.Join("..", "shared", "conformance")
	}
	if !filepath.IsAbs(base) {
		base = filepath.Join(projectRoot(t), base)
	}
	dir := filepath.Join(base, name)
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no outside tests at %s: set FAKENODE_CONFORMANCE to the directory that holds %s", dir, name)
	}
	return dir
}

// projectRoot walks up to go.mod.
func projectRoot(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	require.NoError(t, err)
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		require.NotEqual(t, dir, parent, "no go.mod above the test")
		dir = parent
	}
}

// jsonFiles returns all test files below dir.
func jsonFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && filepath.Ext(path) == ".json" {
			files = append(files, path)
		}
		return err
	}))
	require.NotEmpty(t, files, "no .json below %s", dir)
	return files
}

// readTests decodes a file of named tests.
func readTests[T any](t *testing.T, path string) map[string]T {
	t.Helper()
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var named map[string]T
	require.NoError(t, json.Unmarshal(raw, &named), path)
	return named
}

// networkConfig returns the rules of a network as the outside tests name it: ours for a plain fork, go-ethereum's for a
// transition ("ShanghaiToCancunAtTime15k") up to Osaka. Others are not claimed.
func networkConfig(name string) (config *params.ChainConfig, claimed bool) {
	if config, err := chain.ForkConfig(name, 1); err == nil {
		return config, true
	}
	config, known := tests.Forks[name]
	if !known || config.AmsterdamTime != nil || config.BogotaTime != nil || config.UBTTime != nil {
		return nil, false
	}
	return config, true
}

// tally counts what a runner ran, and what it left out by the name of the network.
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

// print writes one line to the test's output.
func (c *tally) print(what string) {
	var left []string
	for network, n := range c.skipped {
		left = append(left, fmt.Sprintf("%s (%d)", network, n))
	}
	slices.Sort(left)
	if left == nil {
		left = []string{"none"}
	}
	fmt.Printf("%s: %d ran; forks not claimed: %s\n", what, c.ran, strings.Join(left, ", "))
}
