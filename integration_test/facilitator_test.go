package integration_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure x402's own client buys from the example's shop, by a fixed price and by use.
func TestFacilitatorExample(t *testing.T) {
	t.Parallel()
	requireNode(t)
	// The client compares with the wall clock, where the node's clock starts. Base's rules are those it will meet.
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant, Preset: fakenode.Base})
	type purchase struct {
		Status  int
		Body    string
		Paid    int
		Success bool
		Receipt string
	}
	got := runScript[map[string]json.RawMessage](t, node, "paywall.mjs", startFacilitator(t, node))
	require.JSONEq(t, "402", string(got["unpaid"]))
	for name, want := range map[string]purchase{
		"report":             {http.StatusOK, `{"report": "sunny"}`, 10_000, true, "success"},
		"words":              {http.StatusOK, "word word word", 300, true, "success"},
		"words, not allowed": {Status: http.StatusPaymentRequired, Body: "TRANSFER_FROM_FAILED"},
		"penniless":          {Status: http.StatusPaymentRequired, Body: "ERC20: transfer amount exceeds balance"},
	} {
		var p purchase
		require.NoError(t, json.Unmarshal(got[name], &p))
		require.Equal(t, want, p, name)
	}
}

// startFacilitator builds and starts the example, which settles by account 3 and sells for account 1. It returns its
// URL.
func startFacilitator(t *testing.T, node *fakenode.Node) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "facilitator")
	built, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../examples/facilitator").CombinedOutput()
	require.NoError(t, err, "%s", built)
	command := exec.CommandContext(t.Context(), program, "-rpc", node.URL(), "-listen", "127.0.0.1:0", "-pay-to", node.Account(1).Address.Hex(),
		"-db", filepath.Join(t.TempDir(), "facilitator.db"))
	command.Env = append(os.Environ(), "FACILITATOR_KEY="+hexutil.Encode(crypto.FromECDSA(node.Account(3).Key)))
	var complaints bytes.Buffer
	command.Stderr = &complaints
	stdout, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait() // killed
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err, "%s", &complaints)
	return strings.TrimSpace(strings.TrimPrefix(line, "selling on "))
}
