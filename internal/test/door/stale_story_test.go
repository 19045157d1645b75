package door_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a client sees in each move of a story of nodes that are behind what the story says, over HTTP and WebSocket:
// the head, the merchant's next nonce, and whether the payment's receipt and logs are there.
func TestViewsOfStoriesOfNodesBehind(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"HeadGoesBack": {
			"head 0, nonce 1, 0 logs, no receipt",
			"head 3, nonce 1, 2 logs, receipt in 1",
			"head 1, nonce 1, 2 logs, receipt in 1",
			"head 3, nonce 1, 2 logs, receipt in 1",
			"head 3, nonce 1, 2 logs, receipt in 1",
		},
		"LogsNotYetThere": {
			"head 0, nonce 0, 0 logs, no receipt",
			"head 0, nonce 0, 0 logs, no receipt",
			"head 0, nonce 0, 0 logs, no receipt",
			"head 0, nonce 0, 0 logs, no receipt",
			"head 1, nonce 1, 2 logs, receipt in 1",
			"head 1, nonce 1, 2 logs, receipt in 1",
		},
		"NonceFromReplica": {
			"head 0, nonce 1, 0 logs, no receipt",
			"head 1, nonce 1, 2 logs, receipt in 1",
			"head 0, nonce 0, 0 logs, no receipt",
			"head 1, nonce 1, 2 logs, receipt in 1",
			"head 1, nonce 1, 2 logs, receipt in 1",
		},
		"ReceiptThenNull": {
			"head 0, nonce 1, 0 logs, no receipt",
			"head 1, nonce 1, 2 logs, receipt in 1",
			"head 0, nonce 0, 0 logs, no receipt",
			"head 1, nonce 1, 2 logs, receipt in 1",
			"head 1, nonce 1, 2 logs, receipt in 1",
		},
		"ReplicaOnOrphan": {
			"head 0, nonce 1, 0 logs, no receipt",
			"head 1, nonce 1, 2 logs, receipt in 1",
			"head 2, nonce 0, 0 logs, no receipt",
			"head 1, nonce 1, 2 logs, receipt in 1",
			"head 2, nonce 0, 0 logs, no receipt",
			"head 2, nonce 0, 0 logs, no receipt",
		},
	} {
		for _, transport := range []string{"http", "ws"} {
			t.Run(name+"/"+transport, func(t *testing.T) {
				t.Parallel()
				node := fakenode.RunT(t)
				client, ctx := dial(t, node, transport), t.Context()
				again, err := fakenode.RunConfigT(t, fakenode.Config{StartTime: node.Now()}).Scenario(name, fakenode.ScenarioParams{})
				require.NoError(t, err)
				story, err := node.Story(name, fakenode.ScenarioParams{})
				require.NoError(t, err)
				var seen []string
				for done := false; !done; {
					move, err := story.Next(ctx)
					require.NoError(t, err)
					done = move.Done
					head, err := client.BlockNumber(ctx)
					require.NoError(t, err)
					nonce, err := client.PendingNonceAt(ctx, node.Account(1).Address)
					require.NoError(t, err)
					logs, err := client.FilterLogs(ctx, ethereum.FilterQuery{FromBlock: new(big.Int)})
					require.NoError(t, err)
					in := "no receipt"
					if receipt, err := client.TransactionReceipt(ctx, again.Transaction); err == nil {
						in = fmt.Sprintf("receipt in %d", receipt.BlockNumber)
					}
					seen = append(seen, fmt.Sprintf("head %d, nonce %d, %d logs, %s", head, nonce, len(logs), in))
				}
				require.Equal(t, want, seen)
			})
		}
	}
}
