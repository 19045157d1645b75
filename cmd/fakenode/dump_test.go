package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// Ensure the accounts of one run are there in the next, by anvil's flags, and that a file which is none, and flags
// which do not go together, are one line.
func TestDumpState(t *testing.T) {
	t.Parallel()
	dump := filepath.Join(t.TempDir(), "state.json")
	p := start(t, "--seal", "manual", "--dump-state", dump)
	require.NoError(t, p.dial(t).Client().Call(nil, "anvil_setBalance", common.Address{19: 0xaa}, "0x5"))
	p.end(t)
	p = start(t, "--seal", "manual", "--load-state", dump, "--no-control")
	balance, err := p.dial(t).BalanceAt(t.Context(), common.Address{19: 0xaa}, nil)
	require.NoError(t, err)
	require.EqualValues(t, 5, balance.Int64())
	p.end(t)

	other := filepath.Join(t.TempDir(), "other.json")
	require.NoError(t, os.WriteFile(other, []byte("{}"), 0o600))
	for want, args := range map[string][]string{
		"other.json: dump: it has no accounts": {"--load-state", other},
		"no such file":                         {"--load-state", filepath.Join(dump, "..", "none.json")},
		"is a directory":                       {"--dump-state", filepath.Dir(dump)},
		"read by --load-state":                 {"--state", dump},
	} {
		var stderr bytes.Buffer
		require.Equal(t, exitUsage, run(t.Context(), append(args, "--port", "0"), nil, io.Discard, &stderr), want)
		require.Contains(t, stderr.String(), want)
		require.Equal(t, 1, bytes.Count(stderr.Bytes(), []byte("\n")), "%q", &stderr)
	}
}
