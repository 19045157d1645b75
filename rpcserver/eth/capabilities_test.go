package eth_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure eth_capabilities names the oldest block whose state can be read.
func TestCapabilitiesOfPrunedChain(t *testing.T) {
	t.Parallel()
	pruning, err := chain.New(servertest.Genesis(), chain.Options{History: 4})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: pruning}, rpcserver.Config{})
	n.Seal(9)
	type oldest struct{ OldestBlock hexutil.Uint64 }
	answer := servertest.Fetch[struct{ State, StateProofs, Blocks oldest }](n, "eth_capabilities")
	first := answer.State.OldestBlock
	require.NotZero(t, first)
	require.Equal(t, first, answer.StateProofs.OldestBlock)
	require.Zero(t, answer.Blocks.OldestBlock)
	n.Do("eth_getBalance", servertest.Alice.Address, first)
	n.Refuses(api.CodeServer, []string{"pruned"}, "eth_getBalance", servertest.Alice.Address, first-1)
}
