package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/internal/readme"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// start runs the program within the test, and returns its URL. end lets it end, and returns its exit code and its log.
func start(t *testing.T, args ...string) (url string, end func() (int, string)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stdout, stdoutWriter := io.Pipe()
	var log bytes.Buffer
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, args, stdoutWriter, &log)
		_ = stdoutWriter.Close()
	}()
	first, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	address, ok := strings.CutPrefix(strings.TrimSpace(first), "Listening on ")
	require.True(t, ok, "first line is %q", first)
	return "http://" + address, func() (int, string) {
		cancel()
		return <-code, log.String()
	}
}

// Ensure wrong arguments and an endpoint that is not there end the program with what is wrong.
func TestArguments(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-help"}, exitOK, "how often to look at the chain without an event"},
		{[]string{"-token", "USDC"}, exitUsage, `token "USDC" is not an address`},
		{[]string{"now"}, exitUsage, `unexpected argument "now"`},
		{[]string{"-speed", "high"}, exitUsage, "flag provided but not defined: -speed"},
		{[]string{"-rpc", "http://me:secret@127.0.0.1:port"}, exitError, "indexer: an endpoint of the chain is not a URL\n"},
		{[]string{"-rpc", "http://me:secret@127.0.0.1:1", "-db", filepath.Join(t.TempDir(), "indexer.db")}, exitError, "connect"},
	} {
		var log bytes.Buffer
		require.Equal(t, tc.code, run(t.Context(), tc.args, io.Discard, &log), "%v", tc.args)
		require.Contains(t, log.String(), tc.want)
		require.NotContains(t, log.String(), "secret")
	}
}

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
