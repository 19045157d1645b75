package integration_test

import (
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// binaries returns the folder that has a program in a folder named for the platform, as a release has it.
func binaries(program string) string { return filepath.Dir(filepath.Dir(program)) }

// copyFile copies a program.
func copyFile(t *testing.T, from, to string) {
	t.Helper()
	content, err := os.ReadFile(from)
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(to), 0o700))
	require.NoError(t, os.WriteFile(to, content, 0o755))
}

// freePort returns a TCP port that was free a moment ago: other programs cannot choose one and report it. It is below
// those that systems hand out by themselves, so that nobody gets it in between.
func freePort(t *testing.T) string {
	for range 100 {
		port := strconv.Itoa(10_000 + rand.IntN(20_000))
		if listener, err := net.Listen("tcp", "127.0.0.1:"+port); err == nil {
			require.NoError(t, listener.Close())
			return port
		}
	}
	require.Fail(t, "no port is free")
	return ""
}
