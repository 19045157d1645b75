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

// Ensure the program ends with an error when its chain is replaced by another one.
func TestChainReplaced(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	node.Seal()
	node.Seal()
	var reorgErr error
	listening := writerFunc(func(p []byte) (int, error) { // called when it runs
		_, reorgErr = node.Reorg(fakenode.ReorgOptions{Depth: 2})
		return len(p), nil
	})
	var log bytes.Buffer
	code := run(t.Context(), []string{
		"-rpc", node.URL(), "-start", "1", "-db", filepath.Join(t.TempDir(), "indexer.db"), "-listen", "127.0.0.1:0", "-poll", "1h",
	}, listening, &log)
	require.NoError(t, reorgErr)
	require.Equal(t, exitError, code)
	require.Contains(t, log.String(), "the chain does not hold the block the index starts from")
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

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
