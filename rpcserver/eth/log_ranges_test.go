package eth_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
)

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
