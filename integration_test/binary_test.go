package integration_test

import (
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// binaries is the folder with the binary that tests run, in a folder named for the platform as a release has it. It is
// static, as a release's is, and made once per process.
const binaries = "../dist/npm-test/bin"

var binaryOnce = sync.OnceValues(func() (string, error) {
	name := "fakenode"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	path, err := filepath.Abs(filepath.Join(binaries, runtime.GOOS+"-"+runtime.GOARCH, name))
	if err != nil {
		return "", err
	}
	command := exec.Command("go", "build", "-o", path, "../cmd/fakenode")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", command, err, output)
	}
	return path, nil
})

// binary returns the path of the binary, made of the sources beside the tests.
func binary(t *testing.T) string {
	t.Helper()
	laboratory.Needs(t, laboratory.Shell)
	path, err := binaryOnce()
	require.NoError(t, err)
	return path
}

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
