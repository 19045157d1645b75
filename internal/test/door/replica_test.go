package door_test

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// atURL returns a client of a URL.
func atURL(t *testing.T, url string) *ethclient.Client {
	t.Helper()
	client, err := ethclient.DialContext(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(client.Close)
	return client
}

// headAt returns the number of the head that a client sees.
func headAt(t *testing.T, client *ethclient.Client) uint64 {
	t.Helper()
	head, err := client.BlockNumber(t.Context())
	require.NoError(t, err)
	return head
}

// ws returns the WebSocket URL for an HTTP URL.
func ws(url string) string { return "ws" + strings.TrimPrefix(url, "http") }

// Ensure each replica is the same chain, as far behind as it says: over HTTP, in batches, over WebSocket and on the
// test network; that commands there are the node's; and that a transaction sent there is the node's at once.
func TestReplicas(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Replicas: fakenode.Replicas{Count: 3, Lag: []fakenode.Replica{{}, {Blocks: 1}, {Blocks: 2}}}})
	for range 3 {
		node.Seal()
		node.Testnet().Seal()
	}
	for number, want := range []uint64{1: 3, 2: 2, 3: 1} {
		if number == 0 {
			continue
		}
		for _, url := range []string{node.ReplicaURL(number), ws(node.ReplicaURL(number)), node.Testnet().ReplicaURL(number)} {
			client := atURL(t, url)
			require.Equal(t, want, headAt(t, client), url)
			batch := []rpc.BatchElem{{Method: "eth_blockNumber", Result: new(hexutil.Uint64)}, {Method: "fakenode_info", Result: &struct{ Head struct{ Number uint64 } }{}}}
			require.NoError(t, client.Client().BatchCall(batch))
			require.EqualValues(t, want, *batch[0].Result.(*hexutil.Uint64), url)
			require.EqualValues(t, 3, batch[1].Result.(*struct{ Head struct{ Number uint64 } }).Head.Number, "commands are the node's")
		}
	}

	late := atURL(t, node.ReplicaURL(3))
	sent, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address), Value: uint256.NewInt(1)})
	require.NoError(t, err)
	node.Seal()
	_, err = late.TransactionReceipt(t.Context(), sent)
	require.ErrorIs(t, err, ethereum.NotFound)
	tx, _, err := node.Client().TransactionByHash(t.Context(), sent)
	require.NoError(t, err)
	next, err := types.SignNewTx(node.Account(0).Key, types.LatestSignerForChainID(tx.ChainId()), &types.LegacyTx{Nonce: tx.Nonce() + 1, To: tx.To(), Gas: tx.Gas(), GasPrice: tx.GasPrice()})
	require.NoError(t, err)
	require.NoError(t, late.SendTransaction(t.Context(), next))
	_, _, err = late.TransactionByHash(t.Context(), next.Hash())
	require.ErrorIs(t, err, ethereum.NotFound, "accepted, and not known where it was sent")
	_, pending, err := node.Client().TransactionByHash(t.Context(), next.Hash())
	require.NoError(t, err)
	require.True(t, pending)

	require.NoError(t, node.SetReplica(3, fakenode.Replica{Time: time.Hour / 60}))
	require.Zero(t, headAt(t, late), "nothing is a minute old")
	require.NoError(t, node.Client().Client().Call(nil, "fakenode_replica", 3, map[string]any{"behind": 1}))
	require.EqualValues(t, 3, headAt(t, late))
}

// Ensure a filter is known to the replica that made it alone, as behind a balancer: elsewhere it is not found.
func TestReplicasHaveTheirOwnFilters(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Replicas: fakenode.Replicas{Count: 2, Lag: []fakenode.Replica{{}, {Blocks: 1}}}})
	urls := []string{node.URL(), node.ReplicaURL(1), node.ReplicaURL(2)}
	for made, url := range urls {
		var id string
		require.NoError(t, atURL(t, url).Client().Call(&id, "eth_newBlockFilter"))
		node.Seal()
		for asked, url := range urls {
			client := atURL(t, url).Client()
			var gone bool
			var hashes []common.Hash
			if asked == made {
				require.NoError(t, client.Call(&hashes, "eth_getFilterChanges", id))
				continue
			}
			require.EqualError(t, client.Call(&hashes, "eth_getFilterChanges", id), "filter not found: "+id)
			require.EqualError(t, client.Call(nil, "eth_getFilterLogs", id), "filter not found: "+id)
			require.NoError(t, client.Call(&gone, "eth_uninstallFilter", id))
			require.False(t, gone)
		}
	}
}

// Ensure the calls of clients say who answered, those that replicas answered among them.
func TestCallsSayWhoAnswered(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Replicas: fakenode.Replicas{Count: 2, Lag: []fakenode.Replica{{}, {Blocks: 2}}}})
	for range 3 {
		node.Seal()
	}
	headAt(t, atURL(t, node.URL()))
	headAt(t, atURL(t, node.ReplicaURL(2)))
	node.Fail(fakenode.Fault{Method: "eth_blockNumber", Behind: fakenode.Behind{Blocks: 1}})
	headAt(t, atURL(t, node.URL()))
	node.Fail(fakenode.Fault{Method: "eth_blockNumber", Behind: fakenode.Behind{Orphaned: true}})
	headAt(t, atURL(t, node.URL()))
	behind := atURL(t, node.ReplicaURL(2))
	require.NoError(t, behind.Client().Call(nil, "fakenode_setFault", map[string]any{"method": "eth_blockNumber", "behind": 3}))
	headAt(t, behind)
	var views []string
	for _, call := range node.Calls("eth_blockNumber") {
		views = append(views, call.View)
	}
	require.Equal(t, []string{
		"", "replica 2, at block 1", "1 below the head, at block 2", "the orphaned branch, at block 3", "replica 2, 3 below the head, at block 0",
	}, views)
}

// Ensure the replica that answers at /replica/any is drawn for each request, by the seed alone: heads go back, as they
// do behind a balancer; a WebSocket connection stays with one.
func TestAnyReplica(t *testing.T) {
	t.Parallel()
	heads := func(seed uint64) (seen []uint64) {
		node := fakenode.RunConfigT(t, fakenode.Config{Replicas: fakenode.Replicas{Count: 3, Lag: []fakenode.Replica{{}, {Blocks: 1}, {Blocks: 2}}, Seed: seed}})
		node.Seal()
		node.Seal()
		client := atURL(t, node.ReplicaURL(0))
		for range 30 {
			seen = append(seen, headAt(t, client))
		}
		socket := atURL(t, ws(node.ReplicaURL(0)))
		first := headAt(t, socket)
		for range 5 {
			require.Equal(t, first, headAt(t, socket))
		}
		return append(seen, first)
	}
	seen := heads(1)
	require.Equal(t, seen, heads(1))
	require.NotEqual(t, seen, heads(2))
	counts := map[uint64]int{}
	for _, head := range seen {
		counts[head]++
	}
	require.Len(t, counts, 3)
}

// Ensure subscribers of a replica get heads and logs as late as it is, in order, and one that joins goes on from what
// the replica shows.
func TestReplicaNotifiesLate(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Replicas: fakenode.Replicas{Count: 1, Lag: []fakenode.Replica{{Blocks: 1, Orphaned: 2}}}})
	node.Seal()
	client := atURL(t, ws(node.ReplicaURL(1)))
	heads, logs := make(chan *types.Header, 100), make(chan types.Log, 100)
	_, err := client.SubscribeNewHead(t.Context(), heads)
	require.NoError(t, err)
	_, err = client.SubscribeFilterLogs(t.Context(), ethereum.FilterQuery{}, logs)
	require.NoError(t, err)
	got := func() (numbers []uint64) {
		seen := uint64(headAt(t, client))
		for len(numbers) == 0 || numbers[len(numbers)-1] != seen {
			numbers = append(numbers, (<-heads).Number.Uint64())
		}
		return numbers
	}
	transfer := fakenode.Tx{To: new(node.Token().Address()), Data: tokencontract.NewToken().PackTransfer(node.Account(1).Address, big.NewInt(1))}
	_, err = node.Transact(node.Account(0), transfer)
	require.NoError(t, err)
	paid := node.Seal()
	require.Equal(t, []uint64{1}, got(), "block 1 is news there")
	require.Empty(t, logs)
	node.Seal()
	require.Equal(t, []uint64{2}, got())
	require.Equal(t, paid, (<-logs).BlockHash)

	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 2, Transactions: fakenode.Drop})
	require.NoError(t, err)
	for range 2 {
		require.EqualValues(t, 3, headAt(t, client), "of the branch that was removed")
		node.Seal()
	}
	require.EqualValues(t, 3, (<-heads).Number.Uint64())
	require.EqualValues(t, 5, headAt(t, client))
	require.True(t, (<-logs).Removed)
	for _, want := range []uint64{2, 3, 4, 5} {
		require.EqualValues(t, want, (<-heads).Number.Uint64())
	}
}

// Ensure a replica stays as it was set on a node that is kept, and remembers nothing of before.
func TestReplicasAreKept(t *testing.T) {
	t.Parallel()
	config := fakenode.Config{Replicas: fakenode.Replicas{Count: 2}, State: t.TempDir() + "/state"}
	node := fakenode.RunConfigT(t, config)
	node.Advance(16 * time.Second)
	require.NoError(t, node.SetReplica(2, fakenode.Replica{Blocks: 7}))
	require.NoError(t, node.Close())
	node = fakenode.RunConfigT(t, config)
	var set struct{ Behind, BlockNumber uint64 }
	require.NoError(t, node.Client().Client().Call(&set, "fakenode_replica", 2))
	require.EqualValues(t, 7, set.Behind)
	require.Equal(t, node.BlockNumber(), set.BlockNumber)
}
