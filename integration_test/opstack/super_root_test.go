package opstack

import (
	"testing"

	"github.com/ethereum-optimism/optimism/op-service/client"
	"github.com/ethereum-optimism/optimism/op-service/eth"
	"github.com/ethereum-optimism/optimism/op-service/sources"
	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// superRoots is how many times are compared.
const superRoots = 1000

// Ensure the node's super roots are those that the OP stack's own code makes of its output roots, at each second, with
// a block or not; that its client reads the answer; and that there is none before and after the chain's blocks.
func TestSuperRoots(t *testing.T) {
	t.Parallel()
	p := start(t, "--preset", "optimism")
	supernode := sources.NewSuperNodeClient(client.NewBaseRPCClient(p.l2))
	genesis := p.config.Genesis.L2Time
	head, err := p.chain.L2BlockRefByLabel(p.ctx, eth.Unsafe)
	for require.NoError(t, err); head.Time < genesis+superRoots; require.NoError(t, err) {
		p.seal()
		head, err = p.chain.L2BlockRefByLabel(p.ctx, eth.Unsafe)
	}
	id := eth.ChainIDFromBig(p.config.L2ChainID)
	for time := genesis; time < genesis+superRoots; time++ {
		output, err := p.chain.OutputV0AtBlockNumber(p.ctx, (time-genesis)/p.config.BlockTime)
		require.NoError(t, err)
		wanted := eth.NewSuperV1(time, eth.ChainIDAndOutput{ChainID: id, Output: eth.OutputRoot(output)})
		said, err := supernode.SuperRootAtTimestamp(p.ctx, time)
		require.NoError(t, err)
		require.Equal(t, []eth.ChainID{id}, said.ChainIDs)
		require.Equal(t, wanted, said.Data.Super)
		require.Equal(t, eth.SuperRoot(wanted), said.Data.SuperRoot)
		require.Equal(t, output, said.OptimisticAtTimestamp[id].Output)
		require.NotEqual(t, common.Hash{}, said.CurrentL1.Hash)
	}
	for _, none := range []uint64{genesis - 1, head.Time + 1} {
		said, err := supernode.SuperRootAtTimestamp(p.ctx, none)
		require.NoError(t, err)
		require.Nil(t, said.Data)
	}
}
