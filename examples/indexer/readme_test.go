package main

import (
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/internal/readme"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the session of the README prints what it says, but for the ports.
func TestSessionOfREADME(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell, "bash", "curl", "jq")
	blocks := readme.Find(t, readme.Read(t), "(?s)```sh\n(.*?)```.*?It prints\n\n```\n(.*?)```")
	node := fakenode.RunT(t)
	url, end := start(t, "-rpc", node.URL(), "-db", filepath.Join(t.TempDir(), "indexer.db"), "-listen", "127.0.0.1:0", "-poll", "1h")
	require.Equal(t, blocks[1], readme.Session(t, blocks[0], "http://127.0.0.1:8080", url, "http://127.0.0.1:8545", node.URL()))
	code, log := end()
	require.Equal(t, exitOK, code)
	require.Contains(t, log, "msg=reorg undone=1 ancestor=0")
}

// Ensure the README names every file, and its command is one that the program takes.
func TestFilesAndCommandsOfREADME(t *testing.T) {
	t.Parallel()
	text := readme.Read(t)
	readme.NamesFiles(t, text, "*.go", "index/*")
	config, listen, err := parse(strings.Fields(readme.Arguments(t, text, "indexer")), io.Discard)
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:8545", config.URL)
	require.Equal(t, "127.0.0.1:8080", listen)
}
