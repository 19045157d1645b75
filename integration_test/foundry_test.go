package integration_test

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// foundryProject is the folder with Foundry's programs from npm.
const foundryProject = "foundry"

// foundryProgram returns the path of one of Foundry's programs, which comes from npm where it is not installed. The
// test is skipped where there is none for the platform.
func foundryProgram(t *testing.T, name string) string {
	t.Helper()
	laboratory.Needs(t, laboratory.Peers)
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	requireNode(t)
	modules, err := packagesOf(foundryProject)
	if err != nil {
		t.Skipf("%s is not installed and cannot be had from npm: %v", name, err)
	}
	found, err := filepath.Glob(filepath.Join(modules, "@foundry-rs", name+"-*", "bin", name+"*"))
	require.NoError(t, err)
	if len(found) == 0 {
		t.Skipf("%s is not installed, and npm has none for this platform", name)
	}
	return found[0]
}

// startAnvil starts anvil on a free port and returns its URL, and a function that ends it and waits.
func startAnvil(t *testing.T, args ...string) (url string, stop func()) {
	t.Helper()
	command := exec.CommandContext(t.Context(), foundryProgram(t, "anvil"), append([]string{"--port", "0"}, args...)...)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	stop = func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if address, ok := strings.CutPrefix(lines.Text(), "Listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }() // anvil waits for its reader
			return "http://" + address, stop
		}
	}
	stop()
	require.Fail(t, "anvil does not say where it listens")
	return "", nil
}
