package rpcserver

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// Ensure a silent connection stays open without a word, and others go on.
func TestSilence(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	client := n.client()
	heads := make(chan json.RawMessage, 10)
	subscription, err := client.EthSubscribe(t.Context(), heads, "newHeads")
	require.NoError(t, err)
	n.do("fakenode_setFault", map[string]any{"method": "eth_chainId", "silent": true, "times": 2})
	gaveUp := make(chan error)
	impatient, giveUp := context.WithCancel(t.Context())
	go func() { gaveUp <- client.CallContext(impatient, new(string), "eth_chainId") }()
	n.calls("eth_chainId", 1)
	giveUp()
	require.ErrorIs(t, <-gaveUp, context.Canceled)
	n.seal(1)
	other := n.client()
	require.NoError(t, other.Call(new(string), "eth_blockNumber"))
	require.Empty(t, heads)
	select {
	case err := <-subscription.Err():
		require.NoError(t, err, "the connection is open")
	default:
	}

	impatient, giveUp = context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(impatient, http.MethodPost, n.server.URL(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	go func() {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			response.Body.Close()
		}
		gaveUp <- err
	}()
	n.calls("eth_chainId", 2)
	giveUp()
	require.ErrorIs(t, <-gaveUp, context.Canceled)
	over, err := rpc.Dial(n.server.URL())
	require.NoError(t, err)
	t.Cleanup(over.Close)
	require.NoError(t, over.Call(new(string), "eth_chainId"), "twice only")
}
