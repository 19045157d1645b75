package rpcserver

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// numbersOf seals blocks one by one and returns the numbers of the heads that a subscriber is sent, up to the last.
func numbersOf(n *network, fault map[string]any, blocks, sent int) []uint64 {
	client := n.client()
	heads := make(chan struct{ Number hexutil.Uint64 }, 100)
	_, err := client.EthSubscribe(n.Context(), heads, "newHeads")
	require.NoError(n, err)
	n.do("fakenode_setFault", fault)
	for range blocks {
		n.seal(1)
	}
	var numbers []uint64
	for range sent {
		head := <-heads
		numbers = append(numbers, uint64(head.Number))
	}
	require.NoError(n, client.CallContext(n.Context(), new(string), "eth_chainId"), "comes behind all notifications")
	require.Empty(n, heads)
	return numbers
}

func TestNotificationFaults(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		effect map[string]any
		want   []uint64
	}{
		"duplicate": {map[string]any{"duplicateNotification": true, "nth": 2}, []uint64{1, 2, 2, 3, 4}},
		"reorder":   {map[string]any{"reorderNotification": true, "nth": 2}, []uint64{1, 3, 2, 4}},
		"stop":      {map[string]any{"stopSubscription": true, "nth": 3}, []uint64{1, 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNetwork(t, preconf.Config{}, Config{})
			tc.effect["method"] = "newHeads"
			require.Equal(t, tc.want, numbersOf(n, tc.effect, 4, len(tc.want)))
		})
	}
	n := newNetwork(t, preconf.Config{}, Config{})
	n.refuses(codeInvalidParams, []string{"eth_call"}, "fakenode_setFault", map[string]any{"method": "eth_call", "stopSubscription": true})
	n.refuses(codeInvalidParams, []string{"together"}, "fakenode_setFault", map[string]any{"method": "logs", "stopSubscription": true, "duplicateNotification": true})
	n.refuses(codeInvalidParams, []string{"two faults"}, "fakenode_setFault", map[string]any{"method": "logs", "stopSubscription": true, "latencyMs": 1})
}

// Ensure a silent connection stays open without a word, and others go on.
func TestSilence(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{}, Config{})
	client := n.client()
	heads := make(chan json.RawMessage, 10)
	subscription, err := client.EthSubscribe(t.Context(), heads, "newHeads")
	require.NoError(t, err)
	n.do("fakenode_setFault", map[string]any{"method": "eth_chainId", "silent": true, "times": 2})
	short, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, client.CallContext(short, new(string), "eth_chainId"), context.DeadlineExceeded)
	n.seal(1)
	other := n.client()
	require.NoError(t, other.Call(new(string), "eth_blockNumber"))
	require.Empty(t, heads)
	select {
	case err := <-subscription.Err():
		require.NoError(t, err, "the connection is open")
	default:
	}

	impatient, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	request, err := http.NewRequestWithContext(impatient, http.MethodPost, n.server.URL(), strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`))
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err == nil {
		response.Body.Close()
	}
	require.ErrorIs(t, err, context.DeadlineExceeded)
	over, err := rpc.Dial(n.server.URL())
	require.NoError(t, err)
	t.Cleanup(over.Close)
	require.NoError(t, over.Call(new(string), "eth_chainId"), "twice only")
}
