package integration_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// recipesProject has the packages that the recipes of the documents install, and Hardhat 3.
const recipesProject = "recipes"

// installTimeout is the longest that a script may take that does what npm does.
const installTimeout = 15 * time.Minute

// Ensure the libraries are the same everywhere: exact versions, and a lock file that names no place to load them from.
func TestPackagesPinned(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{scripts, hardhatProject, recipesProject, ponderProject, foundryProject, deployersProject} {
		requirePinned(t, folder)
	}
}

// requirePinned checks a folder's package.json against its lock file.
func requirePinned(t *testing.T, folder string) {
	t.Helper()
	manifest, err := os.ReadFile(filepath.Join(folder, "package.json"))
	require.NoError(t, err)
	var wanted struct{ Dependencies map[string]string }
	require.NoError(t, json.Unmarshal(manifest, &wanted))
	require.NotEmpty(t, wanted.Dependencies)

	content, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	require.NoError(t, err)
	var lock struct {
		Packages map[string]struct{ Version, Integrity, Resolved string }
	}
	require.NoError(t, json.Unmarshal(content, &lock))
	for name, version := range wanted.Dependencies {
		require.Equal(t, version, lock.Packages["node_modules/"+name].Version, name)
	}
	for path, locked := range lock.Packages {
		require.Empty(t, locked.Resolved, path)
		require.True(t, path == "" || locked.Integrity != "", path)
	}
}

// node22 returns the program of a Node.js 22 or later. The test is skipped where there is none.
func node22(t *testing.T) string {
	t.Helper()
	requireNode(t)
	program, err := findNode22()
	require.NoError(t, err)
	if program == "" {
		t.Skipf("Node.js here is older than 22, and npm has none for %s/%s: what needs it is not run", runtime.GOOS, runtime.GOARCH)
	}
	return program
}
