package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a node that has no room for the file of --state reports that, and leaves nothing that the next start takes for
// a damaged file.
func TestFullDiskAtFirstStart(t *testing.T) {
	t.Parallel()
	state := filepath.Join(t.TempDir(), "state.db")
	full := exec.CommandContext(t.Context(), os.Args[0], "--port", "0", "--quiet", "--state", state)
	full.Env = append(os.Environ(), asProgram+"=1", fileLimit+"=4096")
	var stderr strings.Builder
	full.Stderr = &stderr
	require.Error(t, full.Run())
	require.Equal(t, exitUsage, full.ProcessState.ExitCode())
	require.Contains(t, stderr.String(), "state.db: file too large")
	require.Equal(t, 1, strings.Count(stderr.String(), "fakenode: "), stderr.String())

	node := startProcess(t, "--state", state)
	_, err := node.BlockNumber(t.Context())
	require.NoError(t, err)
	node.kill(t)
}
