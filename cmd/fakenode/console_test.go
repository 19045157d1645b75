package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure console.log of contracts is on stdout under the presets of dev nodes, unless --quiet or a flag of anvil says
// otherwise; with --console-log also with --quiet; and in the log at info; it is never on stderr below that.
func TestConsoleLogIsPrinted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args               []string
		onStdout, onStderr bool
	}{
		{args: []string{"--preset", "anvil"}, onStdout: true},
		{args: []string{"--preset", "hardhat"}, onStdout: true},
		{args: []string{"--preset", "anvil", "--quiet"}},
		{args: []string{"--preset", "anvil", "--quiet", "--console-log"}, onStdout: true},
		{args: []string{"--preset", "anvil", "--disable-console-log"}},
		{args: []string{"--seal", "instant"}},
		{args: []string{"--seal", "instant", "--console-log"}, onStdout: true},
		{args: []string{"--seal", "instant", "--log-level", "info"}, onStderr: true},
	} {
		p := start(t, test.args...)
		client := p.dial(t).Client()
		contract := "0x0000000000000000000000000000000000c0ffee"
		require.NoError(t, client.Call(nil, "anvil_setCode", contract, "0x365f5f375f5f365f73000000000000000000636F6E736F6C652e6c6f675afa00"))
		var accounts []string
		require.NoError(t, client.Call(&accounts, "eth_accounts"))
		// log(uint256) with 424242.
		data := "0xf82c50f1" + strings.Repeat("0", 59) + "67932"
		require.NoError(t, client.Call(nil, "eth_sendTransaction", map[string]string{"from": accounts[0], "to": contract, "data": data, "gas": "0x186a0"}))
		printed := p.end(t)
		require.Equal(t, test.onStdout, strings.Contains("\n"+printed, "\n424242\n"), "%v: %s", test.args, printed)
		require.Equal(t, test.onStderr, strings.Contains(p.stderr.String(), "msg=console.log network=main line=424242"), "%v: %s", test.args, &p.stderr)
	}
}

// Ensure --print-traces, also under anvil's name for it, prints the calls of transactions and of failing calls on
// stdout, also with --quiet, and that nothing is printed without it.
func TestTracesArePrinted(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		args []string
		want bool
	}{
		{[]string{"--preset", "anvil", "--print-traces"}, true},
		{[]string{"--preset", "hardhat", "--enable-trace-printing"}, true},
		{[]string{"--seal", "instant", "--print-traces"}, true},
		{[]string{"--preset", "anvil", "--print-traces", "--quiet"}, true},
		{[]string{"--preset", "anvil"}, false},
	} {
		p := start(t, test.args...)
		client := p.dial(t).Client()
		contract := "0x0000000000000000000000000000000000c0ffee"
		require.NoError(t, client.Call(nil, "anvil_setCode", contract, "0x365f5f37365ffd")) // reverts with its data
		var accounts []string
		require.NoError(t, client.Call(&accounts, "eth_accounts"))
		var hash string
		require.NoError(t, client.Call(&hash, "eth_sendTransaction", map[string]string{"from": accounts[0], "to": accounts[1], "value": "0x5", "gas": "0x186a0"}))
		for _, method := range []string{"eth_call", "eth_estimateGas"} {
			require.Error(t, client.Call(nil, method, map[string]string{"from": accounts[0], "to": contract, "data": "0x01020304"}))
		}
		printed := p.end(t)
		for _, want := range []string{"transaction " + hash + " in block 1\n[0] 0x70997970C51812dc3A010C7d01b50e0d17dc79C8.0x {5 wei}\n", "failed eth_call\n", "failed eth_estimateGas\n", "└─ ← execution reverted: 0x01020304\n"} {
			require.Equal(t, test.want, strings.Contains(printed, want), "%v: %s: %s", test.args, want, printed)
		}
		require.Empty(t, p.stderr.String())
	}
}
