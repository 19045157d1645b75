package eth_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
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

// Ensure a range at both of its ends has the logs, no log or the error that the imitated node has.
func TestRangesOfNodes(t *testing.T) {
	t.Parallel()
	for node, want := range map[dialect.Node]map[[2]string]string{
		"": { // a client may poll from the block after the head
			{"0x1", "0x2"}: "2", {"0x2", "0x1"}: "error", {"0x3", "latest"}: "0", {"0x1", "0x9"}: "error", {"0x4", "0x1"}: "error",
		},
		dialect.Geth: {
			{"0x1", "0x2"}: "2", {"0x2", "0x1"}: "error", {"0x3", "latest"}: "error", {"0x1", "0x9"}: "error", {"0x2", "latest"}: "1",
		},
		dialect.Anvil: {
			{"0x1", "0x2"}: "2", {"0x2", "0x2"}: "1", {"0x2", "0x1"}: "0", {"0x2", "0x9"}: "1", {"0x3", "0x9"}: "error", {"0x3", "0x1"}: "error",
		},
		dialect.Hardhat: {
			{"0x1", "0x2"}: "2", {"0x2", "0x2"}: "1", {"0x2", "0x1"}: "0", {"0x2", "0x9"}: "1", {"0x3", "0x9"}: "0", {"0x3", "0x1"}: "0",
		},
	} {
		of := map[dialect.Node]persona.Persona{dialect.Geth: persona.Geth, dialect.Anvil: persona.Anvil, dialect.Hardhat: persona.Hardhat}[node]
		config := rpcserver.Config{DevNode: node, Settings: api.Settings{Behaviour: of.Wire}}
		n := servertest.New(t, preconf.Config{Behaviour: preconf.Behaviour{ClipLogs: of.Blocks.ClipLogs}}, config)
		for range 2 {
			n.Logs(0, "0xa", "0xb", 1)
			n.Seal(1)
		}
		for span, logs := range want {
			result, failure := n.Try("eth_getLogs", map[string]any{"fromBlock": span[0], "toBlock": span[1]})
			have := "error"
			if failure == nil {
				have = fmt.Sprint(strings.Count(string(result), "logIndex"))
			}
			require.Equal(t, logs, have, "%q %v: %v", node, span, failure)
		}
	}
}

// Ensure a filter brings nothing of blocks that evm_revert took back unread, as clients act on every log that they get,
// and goes on with what comes then.
func TestFiltersForgetRevertedBlocks(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	var filters []string
	for _, bounds := range []map[string]any{{}, {"toBlock": "pending"}, {"fromBlock": "pending"}} {
		filters = append(filters, servertest.Fetch[string](n, "eth_newFilter", bounds))
	}
	changes := func(filter string) int {
		return len(servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", filter))
	}
	n.Logs(0, "0xa1", "0xb1", 1)
	n.Seal(1)
	snapshot := servertest.Fetch[string](n, "evm_snapshot")
	require.Equal(t, 1, changes(filters[0]), "read before the revert, the others are not")
	n.Logs(0, "0xa2", "0xb2", 1)
	n.Seal(1)
	n.Logs(0, "0xa3", "0xb3", 1)
	n.Preconfirm()
	n.Do("evm_revert", snapshot)
	for i, want := range []int{0, 2, 1} {
		require.Equal(t, want, changes(filters[i]), "those of before the snapshot")
	}
	n.Logs(1, "0xa4", "0xb4", 1) // the revert undid the nonce of the other
	n.Seal(1)
	for i, want := range []int{1, 2, 1} {
		require.Equal(t, want, changes(filters[i]))
	}
}

// Ensure the bounds of a filter mean the same to eth_getLogs, eth_getFilterLogs, eth_getFilterChanges and the
// subscription logs, for blocks that come after the filter.
func TestBoundsOfFilters(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	type channel struct {
		bounds               map[string]any
		filter, subscription string
		changes, told        int
	}
	var channels []*channel
	for _, bounds := range []map[string]any{
		{"fromBlock": "0x1"}, {"fromBlock": "0x2"}, {"fromBlock": "0x2", "toBlock": "0x3"}, {"fromBlock": "earliest", "toBlock": "0x2"},
		{"fromBlock": "finalized", "toBlock": "latest"}, {"fromBlock": "earliest", "toBlock": "earliest"},
	} {
		channels = append(channels, &channel{
			bounds: bounds, filter: servertest.Fetch[string](n, "eth_newFilter", bounds), subscription: s.Subscribe("logs", bounds),
		})
	}
	for range 4 {
		n.Logs(0, "0xa1", "0xb1", 1)
		told := s.Told("fakenode_seal")
		for _, c := range channels {
			c.told += len(servertest.Items[servertest.LogItem](t, told, c.subscription))
			c.changes += len(servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", c.filter))
		}
	}
	for _, c := range channels {
		want := len(servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", c.bounds))
		require.Len(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterLogs", c.filter), want, c.bounds)
		require.Equal(t, want, c.changes, c.bounds)
		require.Equal(t, want, c.told, c.bounds)
	}
	n.Refuses(api.CodeInvalidParams, []string{"toBlock", "safe", "eth_getLogs"}, "eth_newFilter", map[string]any{"toBlock": "safe"})
}

// Ensure addresses and topics of a filter select the same logs in each channel: eth_getLogs, filters and subscriptions,
// of sealed and of pre-confirmed logs (contract D-filterBounds).
func TestCriteriaOfFilters(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	s := n.Socket()
	one, two, three, four := servertest.Topic(1), servertest.Topic(2), servertest.Topic(3), servertest.Topic(4)
	type channel struct {
		criteria                                         map[string]any
		wanted                                           []hexutil.Uint64 // indexes of logs
		filter, pendingFilter, subscription, pendingLogs string
	}
	all, withTopics := []hexutil.Uint64{0, 1, 2, 3}, []hexutil.Uint64{1, 2, 3}
	channels := []*channel{
		{criteria: map[string]any{}, wanted: all},
		{criteria: map[string]any{"address": nil, "topics": nil}, wanted: all},
		{criteria: map[string]any{"address": []any{}, "topics": []any{}}, wanted: all},
		{criteria: map[string]any{"address": servertest.Emitter}, wanted: []hexutil.Uint64{1, 2}},
		{criteria: map[string]any{"address": []any{servertest.Counter, servertest.Fourfold}}, wanted: []hexutil.Uint64{0, 3}},
		{criteria: map[string]any{"address": servertest.Alice.Address}},
		{criteria: map[string]any{"topics": []any{nil}}, wanted: withTopics},
		{criteria: map[string]any{"topics": []any{[]any{}, nil}}, wanted: withTopics},
		{criteria: map[string]any{"topics": []any{nil, nil, nil}}, wanted: []hexutil.Uint64{3}},
		{criteria: map[string]any{"topics": []any{one}}, wanted: []hexutil.Uint64{1, 3}},
		{criteria: map[string]any{"topics": []any{[]any{one, three}}}, wanted: withTopics},
		{criteria: map[string]any{"topics": []any{[]any{four, nil}, two}}, wanted: []hexutil.Uint64{1, 3}},
		{criteria: map[string]any{"topics": []any{nil, []any{four, two}}}, wanted: withTopics},
		{criteria: map[string]any{"topics": []any{one, two, three, four}}, wanted: []hexutil.Uint64{3}},
		{criteria: map[string]any{"topics": []any{four}}},
		{criteria: map[string]any{"address": servertest.Fourfold, "topics": []any{[]any{one}, nil}}, wanted: []hexutil.Uint64{3}},
		{criteria: map[string]any{"address": servertest.Counter, "topics": []any{nil}}},
	}
	pending := func(c *channel) map[string]any {
		criteria := maps.Clone(c.criteria)
		criteria["fromBlock"], criteria["toBlock"] = "pending", "pending"
		return criteria
	}
	for _, c := range channels {
		c.filter, c.pendingFilter = servertest.Fetch[string](n, "eth_newFilter", c.criteria), servertest.Fetch[string](n, "eth_newFilter", pending(c))
		c.subscription, c.pendingLogs = s.Subscribe("logs", c.criteria), s.Subscribe("pendingLogs", pending(c))
	}
	indexes := func(logs []servertest.LogItem) (found []hexutil.Uint64) {
		for _, log := range logs {
			found = append(found, log.LogIndex)
		}
		return found
	}
	n.Send(servertest.Alice, &servertest.Counter, nil)
	n.Emit(1, 2)
	n.Emit(3, 4)
	n.Send(servertest.Alice, &servertest.Fourfold, nil)
	told := s.Told("fakenode_preconfirm")
	for _, c := range channels {
		require.Equal(t, c.wanted, indexes(servertest.Items[servertest.LogItem](t, told, c.pendingLogs)), c.criteria)
		for _, ask := range [][]any{{"eth_getLogs", pending(c)}, {"eth_getFilterLogs", c.pendingFilter}, {"eth_getFilterChanges", c.pendingFilter}} {
			require.Equal(t, c.wanted, indexes(servertest.Fetch[[]servertest.LogItem](n, ask[0].(string), ask[1])), ask)
		}
	}
	told = s.Told("fakenode_seal")
	for _, c := range channels {
		require.Equal(t, c.wanted, indexes(servertest.Items[servertest.LogItem](t, told, c.subscription)), c.criteria)
		for _, ask := range [][]any{{"eth_getLogs", c.criteria}, {"eth_getFilterLogs", c.filter}, {"eth_getFilterChanges", c.filter}} {
			require.Equal(t, c.wanted, indexes(servertest.Fetch[[]servertest.LogItem](n, ask[0].(string), ask[1])), ask)
		}
	}
}
