package integration_test

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// realtimeReport holds the report of realtime.mjs.
type realtimeReport struct {
	Chain   uint64
	Receipt struct{ TransactionHash, BlockHash common.Hash }
	// Balances are the payee's at latest: before the payment, announced, lost by a fault, sealed, and after the reorg.
	Balances  []string
	Sealed    common.Hash
	Announced struct {
		Transactions []struct{ Hash common.Hash }
		StateChanges []struct {
			Address common.Address
			Balance string
		}
	}
}

// Ensure viem with its own definitions of MegaETH and RISE, and RISE's client of shreds, send, watch and read where
// latest moves, and that a fault and a reorg take a payment back that these chains call final.
func TestViemWhereLatestMoves(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.MegaETH, fakenode.Rise} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Mode: fakenode.Interval})
		got := runScript[realtimeReport](t, node, "realtime.mjs")
		require.Equal(t, node.ChainID(), got.Chain)
		require.Equal(t, common.MaxHash, got.Receipt.BlockHash)
		require.Equal(t, "0 7 0 7 0", strings.Join(got.Balances, " "), preset)
		require.NotEqual(t, common.MaxHash, got.Sealed)
		require.Equal(t, got.Receipt.TransactionHash, got.Announced.Transactions[0].Hash)
		if preset == fakenode.Rise {
			var paid string
			for _, change := range got.Announced.StateChanges {
				if change.Address == common.HexToAddress("0xaa") {
					paid = change.Balance
				}
			}
			require.Equal(t, "7", paid)
		}
	}
}
