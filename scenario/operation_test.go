package scenario_test

import (
	"encoding/hex"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// Ensure a client that plays the scenarios of user operations finds each operation by its hash where the conclusion has
// it, and every bundle that failed with the reason that the statement names. Its payer has no ether.
func TestOperationScenarios(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		bundles int    // that are in blocks
		failure string // of those that failed, in their output
	}{
		"OperationInLostFlashblock": {1, ""},
		"BundleRevertedByNeighbour": {2, "AA32 paymaster expired or not due"},
		"PaymasterRanDry":           {3, "AA31 paymaster deposit too low"},
		"SponsoredThenReorgedOut":   {1, "AA32 paymaster expired or not due"},
		"DelegationFrontRun":        {1, "AA23 reverted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			client, err := rpc.Dial(node.URL())
			require.NoError(t, err)
			defer client.Close()
			var c fakenode.Conclusion
			require.NoError(t, client.CallContext(t.Context(), &c, "fakenode_scenario", name))

			var receipt *struct {
				Success bool
				Sender  common.Address
				Logs    []*types.Log
				Receipt struct{ TransactionHash, BlockHash common.Hash }
			}
			require.NoError(t, client.CallContext(t.Context(), &receipt, "eth_getUserOperationReceipt", c.Nonce))
			require.Equal(t, c.Settled, receipt != nil)
			if c.Settled {
				require.True(t, receipt.Success)
				require.Equal(t, c.Payer, receipt.Sender)
				require.Equal(t, c.Transaction, receipt.Receipt.TransactionHash)
				require.Equal(t, c.BlockHash, receipt.Receipt.BlockHash)
			}
			var balance hexutil.Big
			require.NoError(t, client.CallContext(t.Context(), &balance, "eth_getBalance", c.Payer, "latest"))
			require.Zero(t, balance.ToInt().Sign())
			if !c.Settled {
				require.Equal(t, fixtures.USD("25"), node.Token().BalanceOf(c.Payer))
			}

			bundles := 0
			for number := range node.BlockNumber() + 1 {
				view, err := node.Moment().ByNumber(number)
				require.NoError(t, err)
				for _, tx := range view.Transactions().Signed() {
					if tx.To() == nil || *tx.To() != c.Contract || len(tx.Data()) < 100 {
						continue
					}
					bundles++
					var trace struct {
						Failed      bool
						ReturnValue string
					}
					require.NoError(t, client.CallContext(t.Context(), &trace, "debug_traceTransaction", tx.Hash(), map[string]any{"disableStorage": true, "disableStack": true}))
					if trace.Failed {
						require.NotEmpty(t, want.failure)
						require.Contains(t, trace.ReturnValue, hex.EncodeToString([]byte(want.failure)))
					}
				}
			}
			require.Equal(t, want.bundles, bundles)
		})
	}
}

// Ensure a scenario whose bundle nobody pays for is not played, and leaves the deposit as it was.
func TestOperationScenarioWithoutDeposit(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	require.NoError(t, node.SetPaymasterDeposit(fixtures.Ether("0")))
	for _, name := range []string{"OperationInLostFlashblock", "PaymasterRanDry", "DelegationFrontRun"} {
		_, err := node.Scenario(name, fakenode.ScenarioParams{})
		require.ErrorContains(t, err, "the bundle would fail", name)
	}
}
