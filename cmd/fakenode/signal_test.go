package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/http/httptrace"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure SIGTERM ends the program with 0, within two seconds on a machine that has nothing else to do, whatever runs:
// an endless call, estimate, trace by a tracer in JavaScript and transaction, and a million blocks.
func TestSignalEndsWhateverRuns(t *testing.T) {
	t.Parallel()
	const gas = "1000000000000000000"
	for name, request := range map[string][]any{
		"call":        {"eth_call", map[string]any{"to": "0xaa"}},
		"estimate":    {"eth_estimateGas", map[string]any{"to": "0xaa"}},
		"trace":       {"debug_traceCall", map[string]any{}, "latest", map[string]any{"timeout": "5m", "tracer": "{fault: function() {}, result: function() { while (true); }}"}},
		"transaction": {"eth_sendTransaction", map[string]any{"from": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266", "to": "0xaa", "gas": "0x3b9aca00"}},
		"blocks":      {"fakenode_seal", 1_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := startProcess(t, "--seal", "instant", "--call-timeout", "1h", "--gas-cap", gas, "--gas-limit", gas, "--tx-gas-limit", "0")
			contract := "0x00000000000000000000000000000000000000aa"
			require.NoError(t, node.Client.Client().CallContext(t.Context(), nil, "anvil_setCode", contract, "0x5b5f56"))
			body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": request[0], "params": request[1:]})
			require.NoError(t, err)
			body = bytes.ReplaceAll(body, []byte(`"0xaa"`), []byte(`"`+contract+`"`))
			sent, answered := make(chan struct{}), make(chan bool, 1)
			traced := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { close(sent) }})
			post, err := http.NewRequestWithContext(traced, http.MethodPost, node.url, bytes.NewReader(body))
			require.NoError(t, err)
			post.Header.Set("Content-Type", "application/json")
			go func() {
				response, err := http.DefaultClient.Do(post)
				if err == nil {
					response.Body.Close()
				}
				answered <- true
			}()
			<-sent
			_, err = node.ChainID(t.Context())
			require.NoError(t, err)
			select {
			case <-answered:
				require.Fail(t, "it has ended by itself")
			default:
			}
			began := time.Now()
			require.NoError(t, node.command.Process.Signal(syscall.SIGTERM))
			require.NoError(t, node.command.Wait(), "exit code 0")
			require.Less(t, time.Since(began), laboratory.Budget(t, 20*time.Second, 2*time.Second))
		})
	}
}
