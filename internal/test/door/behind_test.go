package door_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// behind makes the next calls of any method come from a node that is so far behind.
func behind(t *testing.T, node *fakenode.Node, calls int, back fakenode.Behind) {
	t.Helper()
	node.ClearFaults()
	require.NoError(t, node.Fail(fakenode.Fault{Times: calls, Behind: back}))
}

// Ensure a client of a node that is behind sees what providers' users report: a receipt that was there and is null, an
// old nonce, no logs of a block just announced, a head that goes back.
func TestAnswersFromBehind(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"http", "ws", "inside"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunT(t)
			client := dial(t, node, transport)
			node.Token().Mint(node.Account(1).Address, fixtures.USD("1.00"))
			node.Seal()
			transfer := fakenode.Tx{To: new(node.Token().Address()), Data: tokencontract.NewToken().PackTransfer(node.Account(1).Address, big.NewInt(1))}
			sent, err := node.Transact(node.Account(0), transfer)
			require.NoError(t, err)
			block := node.Seal()
			ctx, nonces := t.Context(), [2]uint64{}
			head, err := client.BlockNumber(ctx)
			require.NoError(t, err)
			nonces[0], err = client.NonceAt(ctx, node.Account(0).Address, nil)
			require.NoError(t, err)
			_, err = client.TransactionReceipt(ctx, sent)
			require.NoError(t, err)

			behind(t, node, fakenode.Forever, fakenode.Behind{Blocks: 1})
			old, err := client.BlockNumber(ctx)
			require.NoError(t, err)
			require.Equal(t, head-1, old)
			nonces[1], err = client.PendingNonceAt(ctx, node.Account(0).Address)
			require.NoError(t, err)
			require.Equal(t, nonces[0]-1, nonces[1])
			_, err = client.HeaderByHash(ctx, block)
			require.ErrorIs(t, err, ethereum.NotFound)
			logs, err := client.FilterLogs(ctx, ethereum.FilterQuery{FromBlock: hexutil.MustDecodeBig("0x1")})
			require.NoError(t, err)
			for _, log := range logs {
				require.NotEqual(t, sent, log.TxHash)
			}

			behind(t, node, fakenode.Forever, fakenode.Behind{Blocks: 2})
			_, err = client.TransactionReceipt(ctx, sent)
			require.ErrorIs(t, err, ethereum.NotFound)
			later, err := node.Transact(node.Account(0), transfer)
			require.NoError(t, err)
			_, _, err = client.TransactionByHash(ctx, later)
			require.ErrorIs(t, err, ethereum.NotFound, "accepted, and not known to the node that is behind")

			node.ClearFaults()
			_, pending, err := client.TransactionByHash(ctx, later)
			require.NoError(t, err)
			require.True(t, pending)
		})
	}
}

func dial(t *testing.T, node *fakenode.Node, transport string) *ethclient.Client {
	t.Helper()
	url := map[string]string{"http": node.URL(), "ws": node.WebSocketURL()}[transport]
	if url == "" {
		return node.Client()
	}
	client, err := ethclient.DialContext(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// Ensure answers from an orphaned branch are those of before the reorg, at its tags and numbers as well.
func TestAnswersFromOrphanedBranch(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	sent, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address), Value: uint256.NewInt(1)})
	require.NoError(t, err)
	removed := node.Seal()
	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	client := node.Client()
	_, err = client.TransactionReceipt(t.Context(), sent)
	require.ErrorIs(t, err, ethereum.NotFound)

	behind(t, node, 2, fakenode.Behind{Orphaned: true})
	receipt, err := client.TransactionReceipt(t.Context(), sent)
	require.NoError(t, err)
	require.Equal(t, removed, receipt.BlockHash)
	header, err := client.HeaderByNumber(t.Context(), receipt.BlockNumber)
	require.NoError(t, err)
	require.Equal(t, removed, header.Hash())
}

// Ensure a share of the calls is answered from behind, the same ones on every run, in batches as well.
func TestShareOfAnswersFromBehind(t *testing.T) {
	t.Parallel()
	heads := func() (numbers []hexutil.Uint64) {
		node := fakenode.RunT(t)
		for range 3 {
			node.Seal()
		}
		require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_blockNumber", Times: fakenode.Forever, Share: 0.3, Seed: 7, Behind: fakenode.Behind{Blocks: 2}}))
		batch := make([]rpc.BatchElem, 100)
		for i := range batch {
			batch[i] = rpc.BatchElem{Method: "eth_blockNumber", Result: new(hexutil.Uint64)}
		}
		require.NoError(t, node.Client().Client().BatchCallContext(t.Context(), batch))
		for _, call := range batch {
			require.NoError(t, call.Error)
			numbers = append(numbers, *call.Result.(*hexutil.Uint64))
		}
		return numbers
	}
	first := heads()
	require.Equal(t, first, heads())
	counts := map[hexutil.Uint64]int{}
	for _, n := range first {
		counts[n]++
	}
	require.Len(t, counts, 2)
	require.InDelta(t, 30, counts[1], 15)
}

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
