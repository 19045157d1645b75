package integration_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure x402's own client buys from the example's shop, by a fixed price, by use, and many times on a channel, on
// every chain it will meet.
func TestFacilitatorExample(t *testing.T) {
	t.Parallel()
	requireNode(t)
	for preset, quotes := range map[fakenode.Preset]int{fakenode.BaseFlashblocks: 1000, fakenode.Optimism: 50, fakenode.Base: 50} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			testFacilitatorExample(t, preset, quotes)
		})
	}
}

func testFacilitatorExample(t *testing.T, preset fakenode.Preset, quotes int) {
	// The client compares with the wall clock, where the node's clock starts.
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant, Preset: preset})
	type purchase struct {
		Status  int
		Body    string
		Paid    int
		Success bool
		Receipt string
	}
	got := runScript[map[string]json.RawMessage](t, node, "paywall.mjs", startFacilitator(t, node), strconv.Itoa(quotes))
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
	const price = 100
	require.JSONEq(t, fmt.Sprintf(`{"statuses": {"200": %d}, "back": "5000", "paid": %d}`, quotes, price*quotes), string(got["channel"]))
}

// Ensure x402's own server and client settle once, by one retry, where a receipt is unseen for a while, and that a
// buyer who is told of failure after both waits, and pays again, pays twice.
func TestSettlementPending(t *testing.T) {
	t.Parallel()
	requireNode(t)
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	type purchase struct {
		Status       int
		Success      bool
		Reason       string
		Paid         int
		Answers      []string
		Transactions int
	}
	got := runScript[struct{ InTime, TooLate, Again purchase }](t, node, "pending.mjs", startFacilitator(t, node, "-confirm", "2s"))
	const pending = "settlement_pending"
	require.Equal(t, purchase{http.StatusOK, true, "", 10_000, []string{pending, "success"}, 1}, got.InTime)
	require.Equal(t, purchase{http.StatusPaymentRequired, false, pending, 10_000, []string{pending, pending}, 1}, got.TooLate)
	require.Equal(t, purchase{http.StatusOK, true, "", 10_000, []string{"success"}, 1}, got.Again, "the second charge")
}

// startFacilitator starts the example, which settles by account 3 and sells for account 1. It returns its
// URL.
func startFacilitator(t *testing.T, node *fakenode.Node, more ...string) string {
	t.Helper()
	requireNode(t)
	arguments := []string{"-rpc", node.URL(), "-listen", "127.0.0.1:0", "-pay-to", node.Account(1).Address.Hex(), "-db", filepath.Join(t.TempDir(), "facilitator.db")}
	command := exec.CommandContext(t.Context(), programPath(t, "examples/facilitator"), append(arguments, more...)...)
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

// Ensure mppx charges by way of the facilitator, whose reason for refusing reaches its client.
func TestMppx(t *testing.T) {
	t.Parallel()
	requireNode(t)
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	type purchase struct {
		Status int
		Body   string
		Paid   int
	}
	got := runScript[struct {
		Unpaid            int
		Bought, Penniless purchase
	}](t, node, "mppx.mjs", startFacilitator(t, node))
	require.Equal(t, http.StatusPaymentRequired, got.Unpaid)
	require.Equal(t, purchase{http.StatusOK, `{"answer":42}`, 250_000}, got.Bought)
	require.Equal(t, http.StatusPaymentRequired, got.Penniless.Status)
	require.Contains(t, got.Penniless.Body, "ERC20: transfer amount exceeds balance")
	require.Zero(t, got.Penniless.Paid)
}

// Ensure mppx's client pays once as on Tempo, by a transfer with a memo that the node's account sends, and mppx's
// server finds the payment in the receipt.
func TestMppxPush(t *testing.T) {
	t.Parallel()
	type report struct {
		Unpaid, Status int
		Body           string
		Receipt        bool
		Paid, Left     string
		Memos          []string // the beginning that every memo of MPP has
	}
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	want := report{http.StatusPaymentRequired, http.StatusOK, `{"answer":42}`, true, "250000", "750000", []string{"0xef1ed71201"}}
	require.Equal(t, want, runScript[report](t, node, "mppx_push.mjs"))
}
