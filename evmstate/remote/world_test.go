package remote_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the worlds of a fork are forks of the same block that go their own ways, and fetch nothing that another one
// has; and that snapshots go back on a fork.
func TestForkWorlds(t *testing.T) {
	t.Parallel()
	u := startUpstream(t, "fakenode")
	g := newGateway(t, u.url)
	s := runFork(t, fakenode.Fork{URL: g.URL})
	balanceOf := map[string]any{"to": u.token, "data": pack(t, "balanceOf", u.holder)}
	var first string
	s.ask(&first, "eth_call", balanceOf, "latest")
	for range 3 {
		node, err := s.node.NewWorld(fakenode.WorldOptions{})
		require.NoError(t, err)
		world := &session{t: t, node: node, client: dial(t, node)}
		require.Equal(t, s.node.Fork().Point(), world.node.Fork().Point())
		var same, changed string
		world.ask(&same, "eth_call", balanceOf, "latest")
		require.Equal(t, first, same)
		var id hexutil.Uint64
		world.ask(&id, "evm_snapshot")
		world.ask(nil, "anvil_dealERC20", u.holder, u.token, "0x7")
		world.ask(nil, "fakenode_seal", 2)
		world.ask(&changed, "eth_call", balanceOf, "latest")
		require.Equal(t, common.Hash{31: 7}.Hex(), changed)
		world.ask(nil, "evm_revert", id)
		world.ask(&same, "eth_call", balanceOf, "latest")
		require.Equal(t, first, same)
		require.Equal(t, s.node.Fork().Number(), world.node.BlockNumber())
		world.ask(nil, "anvil_dealERC20", u.holder, u.token, "0x7")
	}
	s.ask(&first, "eth_call", balanceOf, "latest")
	require.NotEqual(t, common.Hash{31: 7}.Hex(), first)
	for call, times := range g.asked {
		require.Equal(t, 1, times, call)
	}
}
