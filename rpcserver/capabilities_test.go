package rpcserver

import (
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
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
	type oldest struct{ OldestBlock hexutil.Uint64 }
	answer := fetch[struct{ State, StateProofs, Blocks oldest }](n, "eth_capabilities")
	first := answer.State.OldestBlock
	require.NotZero(t, first)
	require.Equal(t, first, answer.StateProofs.OldestBlock)
	require.Zero(t, answer.Blocks.OldestBlock)
	n.do("eth_getBalance", alice.Address, first)
	n.refuses(api.CodeServer, []string{"pruned"}, "eth_getBalance", alice.Address, first-1)
}
