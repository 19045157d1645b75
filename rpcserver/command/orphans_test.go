package command_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

// Ensure fakenode_orphans names the blocks that reorgs removed, the highest first, and no canonical one.
func TestOrphans(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	type orphan struct {
		Number uint64
		Hash   common.Hash
	}
	orphans := func() []orphan { return servertest.Fetch[[]orphan](n, "fakenode_orphans") }
	require.Equal(t, []orphan{}, orphans())

	hash := n.Pay(0, 1, 1).Hash()
	blocks := n.Seal(2)
	n.Do("fakenode_reorg", map[string]any{"depth": 2, "transactions": "drop"})
	require.Equal(t, []orphan{{2, blocks[1]}, {1, blocks[0]}}, orphans())
	block := servertest.Fetch[struct{ Transactions []common.Hash }](n, "eth_getBlockByHash", blocks[0], false)
	require.Equal(t, []common.Hash{hash}, block.Transactions)

	later := n.Seal(1) // block 4: the branch of a reorg is a block longer
	n.Do("fakenode_reorg", map[string]any{"depth": 1})
	require.Equal(t, []orphan{{4, later[0]}, {2, blocks[1]}, {1, blocks[0]}}, orphans())
}
