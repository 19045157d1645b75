package eth_test

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure a log has exactly the fields of contract 2.3-address and those after it, of the kinds named there.
func TestLogObject(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Send(servertest.Alice, &servertest.Bob.Address, nil) // without a log, so that the two indexes differ
	hash := n.Emit(1, 2, 0xaa)
	n.Preconfirm()
	logs := servertest.Fetch[[]map[string]any](n, "eth_getLogs", map[string]any{"fromBlock": "pending"})
	require.Equal(t, []map[string]any{{
		"address":          "0x1000000000000000000000000000000000000001",
		"topics":           []any{servertest.Topic(1).Hex(), servertest.Topic(2).Hex()},
		"data":             "0xaa",
		"blockNumber":      "0x1",
		"blockTimestamp":   "0x6553f102",
		"transactionHash":  hash.Hex(),
		"transactionIndex": "0x1",
		"blockHash":        common.Hash{}.Hex(),
		"logIndex":         "0x0",
		"removed":          false,
	}}, logs)
}

// Ensure sealing changes nothing about a log but its block hash (contract 3.3-pending).
func TestLogSurvivesSealing(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Emit(1, 1)
	n.Preconfirm()
	n.Emit(2, 2, 7)
	n.Preconfirm()
	pending := servertest.Fetch[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "pending", "toBlock": "pending"})
	hash := n.Seal(1)[0]
	sealed := servertest.Fetch[[]types.Log](n, "eth_getLogs", map[string]any{"blockHash": hash})
	require.Len(t, pending, 2)
	for i := range pending {
		require.Equal(t, uint(i), pending[i].Index)
		pending[i].BlockHash = hash
	}
	require.Equal(t, pending, sealed)
}

// Ensure logs read while blocks are sealed under the reader come each once, none lost, in order.
func TestLogsWhileSealing(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	const blocks, perBlock = 40, 3
	var sealing sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		sealing.Go(func() {
			seen := 0
			for stopped := false; !stopped; {
				select {
				case <-done:
					stopped = true // one more look, at the end
				default:
				}
				logs, err := n.Eth.FilterLogs(t.Context(), ethereum.FilterQuery{ToBlock: pendingTag, FromBlock: common.Big0})
				require.NoError(t, err)
				require.GreaterOrEqual(t, len(logs), seen)
				seen = len(logs)
				for i, log := range logs {
					require.Equal(t, servertest.Topic(byte(i)), log.Topics[0], "log %d of %d", i, len(logs))
				}
			}
			require.Equal(t, blocks*perBlock, seen)
		})
	}
	for i := range byte(blocks * perBlock) {
		n.Emit(i, i)
		n.Preconfirm()
		if i%perBlock == perBlock-1 {
			n.Seal(1)
		}
	}
	close(done)
	sealing.Wait()
}

// Ensure the error for a query over a limit names the limit and a range within it.
func TestLogLimits(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{LogsMaxRange: 20, LogsMaxResults: 3}})
	n.Seal(25)
	for range 4 {
		n.Emit(1, 1)
		n.Seal(1)
	}
	between := func(from, to string) map[string]any { return map[string]any{"fromBlock": from, "toBlock": to} }
	failure := n.Fails(api.CodeInvalidParams, "eth_getLogs", between("0x0", "latest"))
	require.Contains(t, failure.Message, "20")
	require.Equal(t, map[string]any{"from": "0x0", "to": "0x13"}, failure.Data)
	n.Do("eth_getLogs", between("0x0", "0x13"))

	failure = n.Fails(api.CodeInvalidParams, "eth_getLogs", between("0x16", "latest"))
	require.Contains(t, failure.Message, "max results 3")
	require.Equal(t, map[string]any{"from": "0x16", "to": "0x1c"}, failure.Data)
	require.Len(t, servertest.Fetch[[]types.Log](n, "eth_getLogs", between("0x16", "0x1c")), 3)

	for _, count := range []int{1, 4} {
		for range count {
			n.Emit(1, 1)
		}
		n.Seal(1)
	}
	failure = n.Fails(api.CodeInvalidParams, "eth_getLogs", between("0x1e", "0x1f"))
	require.Equal(t, map[string]any{"from": "0x1e", "to": "0x1e"}, failure.Data)
	require.Len(t, servertest.Fetch[[]types.Log](n, "eth_getLogs", between("0x1f", "0x1f")), 4, "one block is not cut in two")
}

// Ensure a search that takes too long is given up with a range that was searched.
func TestLogTimeout(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{LogsTimeout: time.Nanosecond}})
	n.Seal(1025) // it looks at the clock every 1,024 blocks
	failure := n.Fails(api.CodeInvalidParams, "eth_getLogs", map[string]any{"fromBlock": "0x1", "toBlock": "latest"})
	require.Equal(t, map[string]any{"from": "0x1", "to": "0x400"}, failure.Data)
	require.Equal(t, "query exceeds max time 1ns, retry with the range 1-1024", failure.Message)
	n.Do("eth_getLogs", map[string]any{"fromBlock": "0x1", "toBlock": "0x400"})
}

// Ensure go-ethereum's client reads the same logs from a filter as from the receipts.
func TestLogsMatchReceipts(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	var sent []common.Hash
	for i := range byte(3) {
		sent = append(sent, n.Emit(i, 9, i), n.Send(servertest.Alice, &servertest.Counter, nil), n.Send(servertest.Bob, &servertest.Fourfold, nil))
		n.Seal(1)
	}
	logs, err := n.Eth.FilterLogs(t.Context(), ethereum.FilterQuery{FromBlock: common.Big1, Addresses: []common.Address{servertest.Emitter, servertest.Counter, servertest.Fourfold}})
	require.NoError(t, err)
	var fromReceipts []types.Log
	byBlock := make(map[common.Hash]uint)
	for _, hash := range sent {
		receipt, err := n.Eth.TransactionReceipt(t.Context(), hash)
		require.NoError(t, err)
		require.Equal(t, types.CreateBloom(receipt), receipt.Bloom)
		for _, log := range receipt.Logs {
			fromReceipts = append(fromReceipts, *log)
			byBlock[log.BlockHash]++
		}
	}
	slices.SortFunc(fromReceipts, func(a, b types.Log) int {
		return int(a.BlockNumber*1000+uint64(a.Index)) - int(b.BlockNumber*1000+uint64(b.Index))
	})
	require.Equal(t, fromReceipts, logs)
	require.Equal(t, []uint{3, 3, 3}, slices.Collect(maps.Values(byBlock)))
}

// Ensure bounds together with blockHash are ignored, whatever they are (contract 2.2-blockHash), and rejected without
// it.
func TestLogsOfBlockIgnoreBounds(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Emit(1, 1)
	hash := n.Seal(1)[0]
	for _, bound := range []any{"foo", 5, "0x01", "", map[string]any{}, "0x99", nil} {
		for _, side := range []string{"fromBlock", "toBlock"} {
			require.Len(t, servertest.Fetch[[]types.Log](n, "eth_getLogs", map[string]any{"blockHash": hash, side: bound}), 1, "%s %v", side, bound)
		}
	}
	n.Fails(api.CodeInvalidParams, "eth_getLogs", map[string]any{"toBlock": 5})
	n.Fails(api.CodeInvalidParams, "eth_newFilter", map[string]any{"fromBlock": "foo"})
}
