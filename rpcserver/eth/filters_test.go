package eth_test

import (
	"maps"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

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
