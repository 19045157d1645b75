package eth_test

import (
	"encoding/json"
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
	"github.com/fakenode/fakenode/preconf/control"
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
		config := rpcserver.Config{DevNode: node}
		if node != "" {
			config.Behaviour = persona.Geth.Wire
		}
		n := servertest.New(t, preconf.Config{}, config)
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

// Ensure under geth's profile a range that begins above its end is refused, unless it reaches what is pre-confirmed,
// and so are a block's hash and bounds together.
func TestRangesOfGeth(t *testing.T) {
	t.Parallel()
	n := inProfile(t, persona.Geth.Wire, preconf.Config{})
	n.Logs(0, "0xa", "0xb", 1)
	hash := n.Seal(1)[0]
	n.Logs(0, "0xa", "0xb", 2)
	n.Preconfirm()
	logs := func(from, to string) int {
		return len(servertest.Fetch[[]any](n, "eth_getLogs", map[string]any{"fromBlock": from, "toBlock": to}))
	}
	require.Equal(t, 1, logs("0x1", "0x1"))
	require.Equal(t, 2, logs("0x2", "pending"))
	require.Equal(t, 3, logs("0x1", "pending"))
	n.Fails(api.CodeInvalidParams, "eth_getLogs", map[string]any{"fromBlock": "0x1", "toBlock": "0x0"})
	for _, bound := range []string{"fromBlock", "toBlock"} {
		failure := n.Fails(api.CodeInvalidParams, "eth_getLogs", map[string]any{"blockHash": hash, bound: "0x1"})
		require.Equal(t, "cannot specify both blockHash and fromBlock/toBlock, choose one or the other", failure.Message)
	}
	require.Len(t, servertest.Fetch[[]any](n, "eth_getLogs", map[string]any{"blockHash": hash}), 1)
	n.Refuses(api.CodeServer, []string{"header for hash not found"}, "eth_getLogs", map[string]any{"blockHash": common.Hash{9}})
}

// Ensure the limits of a search hold at their edges: the blocks of a range and the bytes of an answer.
func TestEdgesOfLogLimits(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{LogsMaxRange: 3, MaxAnswer: 2000}})
	n.Seal(2)
	between := func(from, to int) map[string]any {
		return map[string]any{"fromBlock": hexutil.Uint64(from), "toBlock": hexutil.Uint64(to)}
	}
	n.Do("eth_getLogs", between(0, 2))
	n.Seal(1)
	failure := n.Fails(api.CodeInvalidParams, "eth_getLogs", between(0, 3))
	require.Equal(t, "query exceeds max block range 3, retry with the range 0-2", failure.Message)
	n.Logs(0, "0xa", "0xb", 4)
	n.Seal(1)
	failure = n.Fails(api.CodeServer, "eth_getLogs", between(4, 4))
	require.Equal(t, "answer too large: the limit is 2000 bytes (--max-answer)", failure.Message)
	n.Logs(0, "0xa", "0xb", 2)
	n.Seal(1)
	require.Len(t, servertest.Fetch[[]any](n, "eth_getLogs", between(5, 5)), 2)
}

// Ensure a provider's own texts name a range that fits, down to one block.
func TestRangesOfProviders(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Provider: api.Infura, Limits: api.Limits{LogsMaxResults: 2, LogsMaxRange: 20}})
	for range 3 {
		n.Logs(0, "0xa", "0xb", 1)
		n.Seal(1)
	}
	n.Logs(0, "0xa", "0xb", 3)
	n.Seal(17)
	const text = "query returned more than 2 results. Try with this block range [0x%d, 0x%d]."
	failure := n.Fails(-32005, "eth_getLogs", map[string]any{"fromBlock": "0x1"})
	require.Equal(t, fmt.Sprintf(text, 1, 2), failure.Message)
	failure = n.Fails(-32005, "eth_getLogs", map[string]any{"fromBlock": "0x4", "toBlock": "0x5"})
	require.Equal(t, fmt.Sprintf(text, 4, 4), failure.Message)
	require.Len(t, servertest.Fetch[[]any](n, "eth_getLogs", map[string]any{"fromBlock": "0x1", "toBlock": "0x2"}), 2)
	failure = n.Fails(api.CodeInvalidParams, "eth_getLogs", map[string]any{"fromBlock": "0x0", "toBlock": "0x14"})
	require.Equal(t, "range 21 exceeds limit of 20", failure.Message)
	alchemy := servertest.New(t, preconf.Config{}, rpcserver.Config{Provider: api.Alchemy})
	alchemy.Seal(12)
	alchemy.Refuses(-32600, []string{"[0x2, 0xb]"}, "eth_getLogs", map[string]any{"fromBlock": "0x2", "toBlock": "0xc"})
	base := servertest.New(t, preconf.Config{}, rpcserver.Config{Provider: api.BaseNode, Limits: api.Limits{LogsMaxResults: 1}})
	for range 2 {
		base.Logs(0, "0xa", "0xb", 1)
		base.Seal(1)
	}
	base.Refuses(api.CodeInvalidParams, []string{"query exceeds max results 1, retry with the range 1-1"}, "eth_getLogs", map[string]any{"fromBlock": "0x1"})
	many := map[string]any{"address": make([]common.Address, 1001)}
	for _, method := range []string{"eth_getLogs", "eth_newFilter"} {
		base.Refuses(api.CodeInvalidParams, []string{"too many filter addresses: max 1000, got 1001"}, method, many)
	}
}

// Ensure a filter is known at the replica alone that installed it, as nodes behind one address do not share them.
func TestFiltersOfReplicas(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Replicas: control.Replicas{Each: make([]control.Replica, 2)}}, rpcserver.Config{})
	at := func(replica int, method string, params ...any) string {
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": append([]any{}, params...)})
		require.NoError(t, err)
		_, answer := servertest.Post(t, fmt.Sprintf("%s/replica/%d", n.Server.URL(), replica), string(body))
		return strings.TrimSpace(answer)
	}
	result := func(text string) string { return `{"jsonrpc":"2.0","id":1,"result":` + text + `}` }
	require.Equal(t, "0x1", servertest.Fetch[string](n, "eth_newBlockFilter"))
	require.Equal(t, result(`"0x10000000002"`), at(1, "eth_newBlockFilter"))
	require.Equal(t, result(`"0x20000000003"`), at(2, "eth_newFilter", map[string]any{}))
	hash := n.Seal(1)[0]
	require.Equal(t, result(`["`+hash.Hex()+`"]`), at(1, "eth_getFilterChanges", "0x10000000002"))
	require.Equal(t, result("[]"), at(2, "eth_getFilterLogs", "0x20000000003"))
	for _, stranger := range []struct {
		replica int
		id      string
	}{{1, "0x1"}, {1, "0x2"}, {2, "0x10000000002"}, {1, "0x20000000003"}} {
		for _, method := range []string{"eth_getFilterChanges", "eth_getFilterLogs"} {
			require.Contains(t, at(stranger.replica, method, stranger.id), `"message":"filter not found: `+stranger.id+`"`, stranger)
		}
		require.Equal(t, result("false"), at(stranger.replica, "eth_uninstallFilter", stranger.id), stranger)
	}
	n.Refuses(api.CodeServer, []string{"filter not found: 0x10000000002"}, "eth_getFilterChanges", "0x10000000002")
	require.Equal(t, result("true"), at(1, "eth_uninstallFilter", "0x10000000002"))
	require.True(t, servertest.Fetch[bool](n, "eth_uninstallFilter", "0x1"))
	n.Refuses(api.CodeInvalidParams, []string{"filter has 5 topics, a log has at most 4"}, "eth_newFilter", map[string]any{"topics": make([]any, 5)})
}
