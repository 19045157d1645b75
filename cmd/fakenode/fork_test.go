package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a fork is filled once and then runs from its file alone, and that the banner names the forked chain.
func TestFork(t *testing.T) {
	t.Parallel()
	below := start(t, "--seal", "manual")
	require.NoError(t, below.dial(t).Client().Call(nil, "fakenode_seal", 3))
	file := filepath.Join(t.TempDir(), "fork.jsonl")
	p := start(t, "--seal", "manual", "--fork-url", below.url+"/?key=secret-key", "--fork-block", "2", "--fork-cache", file, "--fork-header", "A: secret-header")
	client := p.dial(t)
	number, err := client.BlockNumber(t.Context())
	require.NoError(t, err)
	require.Equal(t, uint64(2), number)
	banner := p.end(t)
	require.Contains(t, banner, "fork of chain 31337 at block 2")
	require.NotContains(t, banner+p.stderr.String(), "secret")
	below.end(t)
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotContains(t, string(content), "secret")

	p = start(t, "--seal", "manual", "--fork-cache", file, "--fork-offline")
	require.NoError(t, p.dial(t).Client().Call(nil, "fakenode_seal", 2))
	require.Contains(t, p.end(t), "offline")
	p = start(t, "--seal", "manual", "--fork-cache", file, "--prune-unused")
	p.end(t)
	pruned, err := os.ReadFile(file)
	require.NoError(t, err)
	require.LessOrEqual(t, len(pruned), len(content))
	start(t, "--seal", "manual", "--fork-cache", file, "--fork-offline").end(t)
}

// Ensure an invalid fork yields one line without keys, and exit code 2.
func TestForkRefusals(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"--fork-url", "http://127.0.0.1:1/secret-key", "--fork-retries", "0"},
		{"--fork-url", "secret-key"},
		{"--fork-offline"},
		{"--fork-cache", filepath.Join(t.TempDir(), "none")},
		{"--fork-url", "http://127.0.0.1:1", "--fork-header", "secret-key"},
		{"--fork-url", "http://127.0.0.1:1", "--export", t.TempDir()},
		{"--fork-url", "http://127.0.0.1:1", "--contracts", "none"},
	} {
		var stderr bytes.Buffer
		require.Equal(t, exitUsage, run(t.Context(), append([]string{"--port", "0"}, args...), nil, io.Discard, &stderr), "%q", args)
		require.Regexp(t, `^fakenode: [^\n]+\n$`, stderr.String())
		require.NotContains(t, stderr.String(), "secret")
	}
}
