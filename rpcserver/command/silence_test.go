package command_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// Ensure a silent connection stays open without a word, and others go on.
func TestSilence(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	client := n.Client()
	heads := make(chan json.RawMessage, 10)
	subscription, err := client.EthSubscribe(t.Context(), heads, "newHeads")
	require.NoError(t, err)
	n.Do("fakenode_setFault", map[string]any{"method": "eth_chainId", "silent": true, "times": 2})
	gaveUp := make(chan error)
	impatient, giveUp := context.WithCancel(t.Context())
	go func() { gaveUp <- client.CallContext(impatient, new(string), "eth_chainId") }()
	n.WaitForCalls("eth_chainId", 1)
	giveUp()
	require.ErrorIs(t, <-gaveUp, context.Canceled)
	n.Seal(1)
	other := n.Client()
	require.NoError(t, other.Call(new(string), "eth_blockNumber"))
	require.Empty(t, heads)
	select {
	case err := <-subscription.Err():
		require.NoError(t, err, "the connection is open")
	default:
	}

	impatient, giveUp = context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(impatient, http.MethodPost, n.Server.URL(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	go func() {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			response.Body.Close()
		}
		gaveUp <- err
	}()
	n.WaitForCalls("eth_chainId", 2)
	giveUp()
	require.ErrorIs(t, <-gaveUp, context.Canceled)
	over, err := rpc.Dial(n.Server.URL())
	require.NoError(t, err)
	t.Cleanup(over.Close)
	require.NoError(t, over.Call(new(string), "eth_chainId"), "twice only")
}
