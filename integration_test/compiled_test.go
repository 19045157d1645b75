package integration_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the pinned compiler makes the files that are checked in, byte for byte.
func TestRebuildGivesSameBytes(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.NPM, "node", "npm")
	require.NoError(t, installPackages("../tokencontract/solidity"))
	dir := t.TempDir()
	out, err := exec.Command("node", "../tokencontract/solidity/build.mjs", dir).CombinedOutput()
	require.NoError(t, err, string(out))
	rebuilt := compiledFiles(t, dir)
	require.NotEmpty(t, rebuilt)
	checkedIn := compiledFiles(t, "..")
	for path, content := range rebuilt {
		require.True(t, checkedIn[path] == content, "%s differs from what the pinned compiler makes", path)
		delete(checkedIn, path)
	}
	require.Empty(t, slices.Collect(maps.Keys(checkedIn)), "not made by the pinned compiler")
}

// compiledFiles returns the compiler's files below a folder, by their path there.
func compiledFiles(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, folder := range []string{"tokencontract", "contracts", "contracts/*", "contracts/entrypoint/testdata/actor", "fixtures/contracts", "internal/contracts/*"} {
		for _, name := range []string{"*.abi", "*.bin", "*.code", "compiled.json"} {
			paths, err := filepath.Glob(filepath.Join(root, folder, name))
			require.NoError(t, err)
			for _, path := range paths {
				content, err := os.ReadFile(path)
				require.NoError(t, err)
				files[strings.TrimPrefix(path, root)] = string(content)
			}
		}
	}
	return files
}
