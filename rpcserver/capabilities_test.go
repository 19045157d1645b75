package rpcserver

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure eth_capabilities names the oldest block whose state can be read.
func TestCapabilitiesOfPrunedChain(t *testing.T) {
	t.Parallel()
	pruning, err := chain.New(networkGenesis(), chain.Options{History: 4})
	require.NoError(t, err)
	n := newNetwork(t, preconf.Config{Chain: pruning}, Config{})
	n.seal(9)
	answer := fetch[capabilitiesResult](n, "eth_capabilities")
	oldest := answer.State.OldestBlock
	require.NotZero(t, oldest)
	require.Equal(t, oldest, answer.StateProofs.OldestBlock)
	require.Zero(t, answer.Blocks.OldestBlock)
	n.do("eth_getBalance", alice.Address, oldest)
	n.refuses(api.CodeServer, []string{"pruned"}, "eth_getBalance", alice.Address, oldest-1)
}
