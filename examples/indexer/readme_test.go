package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the session of the README prints what it says, but for the ports.
func TestSessionOfREADME(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	session := regexp.MustCompile("(?s)```sh\n(.*?)```.*?It prints\n\n```\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, session)

	node := fakenode.RunT(t)
	url, end := start(t, "-rpc", node.URL(), "-db", filepath.Join(t.TempDir(), "indexer.db"), "-listen", "127.0.0.1:0", "-poll", "1h")
	script := strings.NewReplacer("http://127.0.0.1:8080", url, "http://127.0.0.1:8545", node.URL()).Replace(string(session[1]))
	var complaints bytes.Buffer
	bash := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	bash.Stderr = &complaints
	output, err := bash.Output()
	code, log := end()
	require.NoError(t, err, "%s%s%s", output, &complaints, log)
	require.Equal(t, string(session[2]), string(output))
	require.Equal(t, exitOK, code)
	require.Contains(t, log, "msg=reorg undone=1 ancestor=0")
}

// Ensure the README names every file, and its command is one that the program takes.
func TestFilesAndCommandsOfREADME(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, pattern := range []string{"*.go", "index/*"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			require.Contains(t, string(readme), filepath.Base(file)+"`", "README.md does not say what %s is for", file)
		}
	}
	command := regexp.MustCompile(`(?m)^\$ go run ./examples/indexer (.*)$`).FindSubmatch(readme)
	require.NotNil(t, command)
	config, listen, err := parse(strings.Fields(string(command[1])), io.Discard)
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:8545", config.URL)
	require.Equal(t, "127.0.0.1:8080", listen)
}
