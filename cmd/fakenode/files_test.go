package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure links, modes and pipes of the files that flags name are kept.
func TestFilesStayWhatTheyAre(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	at := func(name string) string { return filepath.Join(directory, name) }
	require.NoError(t, os.Symlink(at("real.db"), at("link.db")))
	require.NoError(t, os.Symlink(at("real.json"), at("link.json")))
	require.NoError(t, os.WriteFile(at("real.json"), []byte("longer than nothing"), 0o640))
	start(t, "--seal", "manual", "--state", at("link.db"), "--config-out", at("link.json")).end(t)
	for name, mode := range map[string]os.FileMode{"real.db": 0o600, "real.json": 0o640, "link.db": os.ModeSymlink, "link.json": os.ModeSymlink} {
		info, err := os.Lstat(at(name))
		require.NoError(t, err)
		if mode == os.ModeSymlink {
			require.Equal(t, mode, info.Mode().Type(), name)
		} else {
			require.Equal(t, mode, info.Mode(), name)
		}
	}
	start(t, "--seal", "manual", "--config-out", at("new.json")).end(t)
	info, err := os.Stat(at("new.json"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode(), "it holds keys")

	require.NoError(t, syscall.Mkfifo(at("pipe"), 0o600))
	read := make(chan string, 1)
	go func() {
		text, _ := os.ReadFile(at("pipe"))
		read <- string(text)
	}()
	start(t, "--seal", "manual", "--config-out", at("pipe")).end(t)
	require.Contains(t, <-read, "privateKey")
	info, err = os.Stat(at("pipe"))
	require.NoError(t, err)
	require.Equal(t, os.ModeNamedPipe, info.Mode().Type())

	entries, err := os.ReadDir(directory)
	require.NoError(t, err)
	require.Len(t, entries, 6, "nothing is left beside them")
}

// Ensure the state may be kept in a directory, and the flags of the first run may be given again, but not others.
func TestStateAgain(t *testing.T) {
	t.Parallel()
	directory := filepath.Join(t.TempDir(), "kept") + string(filepath.Separator)
	args := []string{"--seal", "manual", "--state", directory, "--preset", "base-flashblocks", "--hardfork", "prague", "--gas-limit", "20000000", "--start-time", "1800000000"}
	p := start(t, args...)
	require.NoError(t, p.dial(t).Client().Call(nil, "fakenode_seal", 3))
	require.NoError(t, p.dial(t).Client().Call(nil, "anvil_setBalance", "0x00000000000000000000000000000000000000aa", "0x5"))
	head, err := p.dial(t).HeaderByNumber(t.Context(), nil)
	require.NoError(t, err)
	p.end(t)
	require.FileExists(t, filepath.Join(directory, "fakenode.db"))
	again := start(t, args...)
	is, err := again.dial(t).HeaderByNumber(t.Context(), nil)
	require.NoError(t, err)
	require.Equal(t, head.Hash(), is.Hash())
	balance, err := again.dial(t).BalanceAt(t.Context(), [20]byte{19: 0xaa}, nil)
	require.NoError(t, err)
	require.EqualValues(t, 5, balance.Int64())

	refuse := func(want string, args ...string) {
		t.Helper()
		var stderr bytes.Buffer
		require.Equal(t, exitUsage, run(t.Context(), args, nil, io.Discard, &stderr))
		require.Contains(t, stderr.String(), want)
		require.Equal(t, 1, bytes.Count(stderr.Bytes(), []byte("\n")), "%q", &stderr)
	}
	refuse("another process uses the file", args...)
	require.Contains(t, again.end(t), "state "+directory+"  at block 3\n")
	refuse("chain id 7 differs from 8453", "--port", "0", "--chain-id", "7", "--state", directory)

	file := filepath.Join(directory, "fakenode.db")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(file, 40_000))
	refuse(file+" is damaged", args...)
	require.NoError(t, os.WriteFile(file, append([]byte(`{"version":1}`), text[:10]...), 0o600))
	refuse("is JSON, not a state file", args...)
}
