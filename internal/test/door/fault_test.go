package door_test

import (
	"net/http"
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a status stands for a call that did not run, as a rate limiter's does, and a lost answer for one that did.
func TestStatusDoesNotRunTheMethod(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	for _, test := range []struct {
		fault  fakenode.Fault
		status int
		blocks uint64
	}{
		{fakenode.Fault{Method: "evm_mine", HTTPStatus: http.StatusTooManyRequests}, http.StatusTooManyRequests, 0},
		{fakenode.Fault{Method: "evm_mine", LoseAnswer: true}, http.StatusGatewayTimeout, 1},
		{fakenode.Fault{Method: "evm_mine", LoseAnswer: true, HTTPStatus: http.StatusBadGateway}, http.StatusBadGateway, 2},
	} {
		require.NoError(t, node.Fail(test.fault))
		var answer rpc.HTTPError
		require.ErrorAs(t, client.Call(nil, "evm_mine"), &answer)
		require.Equal(t, test.status, answer.StatusCode)
		require.Equal(t, test.blocks, node.BlockNumber())
	}
	calls := node.Calls("evm_mine")
	require.Len(t, calls, 3)
	require.Equal(t, "injected fault: HTTP status 429", calls[0].Message)
	require.Zero(t, calls[1].Code)
}

// Ensure a block that is delayed becomes head with the one after it.
func TestDelayBlocks(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	require.NoError(t, node.DelayBlocks(1))
	node.Preconfirm()
	node.Seal()
	require.Zero(t, node.BlockNumber())
	node.Seal()
	require.EqualValues(t, 2, node.BlockNumber())
	require.ErrorContains(t, node.DelayBlocks(-1), "-1")
}
