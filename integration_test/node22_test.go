package integration_test

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/cache"
)

// node22Once returns the program of a Node.js 22 or later, from npm where the one installed is older, and an empty path
// where npm has none for this platform.
var node22Once = sync.OnceValues(func() (string, error) {
	output, err := exec.Command("node", "--version").Output()
	if err != nil {
		return "", err
	}
	if !regexp.MustCompile(`^v(\d|1\d|2[01])\.`).Match(output) {
		return exec.LookPath("node")
	}
	cpu := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if cpu == "" || runtime.GOOS == "windows" {
		return "", nil
	}
	name := "node-" + runtime.GOOS + "-" + cpu
	made, err := cache.Folder("npm/"+name+"@22.23.3", func(stage string) error {
		return npm(stage, "", "install", "--no-save", "--prefix", stage, name+"@22.23.3")
	})
	return filepath.Join(made, "node_modules", name, "bin", "node"), err
})

// node22 returns the program of a Node.js 22 or later. The test is skipped where there is none.
func node22(t *testing.T) string {
	t.Helper()
	requireNode(t)
	program, err := node22Once()
	require.NoError(t, err)
	if program == "" {
		t.Skipf("Node.js here is older than 22, and npm has none for %s/%s: what needs it is not run", runtime.GOOS, runtime.GOARCH)
	}
	return program
}
