package eth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure each kind of subscription takes the options that it has, in each form that live nodes take, and refuses
// others by words.
func TestOptionsOfSubscriptions(t *testing.T) {
	t.Parallel()
	megaeth := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{})
	rise := realtimeNetwork(t, api.PreconfRise, api.Limits{})
	plain := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	const wantNone, wantBool = "invalid argument 1 (option) of eth_subscribe: have %s, want none", "invalid argument 1 (option) of eth_subscribe: have %s, want true or false"
	accounts := func(count int) any { return make([]common.Address, count) }
	for _, tc := range []struct {
		n       *servertest.Network
		kind    string
		option  any
		refusal string // empty: it is taken
	}{
		{plain, "newHeads", nil, ""}, {plain, "newHeads", map[string]any{}, ""}, {plain, "newHeads", true, wantNone},
		{megaeth, "newHeads", map[string]any{}, ""}, {megaeth, "newHeads", 5, wantNone},
		{plain, "syncing", map[string]any{}, ""}, {plain, "syncing", "all", wantNone},
		{megaeth, "miniBlocks", map[string]any{}, ""}, {megaeth, "miniBlocks", true, wantNone},
		{plain, "newFlashblocks", map[string]any{"any": 1}, ""}, {plain, "newFlashblocks", "thing", ""},
		{plain, "newPendingTransactions", nil, ""}, {plain, "newPendingTransactions", false, ""}, {plain, "newPendingTransactions", true, ""},
		{plain, "newPendingTransactions", map[string]any{}, wantBool}, {plain, "newPendingTransactions", "true", wantBool},
		{plain, "newFlashblockTransactions", true, ""}, {plain, "newFlashblockTransactions", map[string]any{"x": 1}, ""},
		{plain, "newFlashblockTransactions", 1, wantBool},
		{rise, "shreds", true, ""}, {rise, "shreds", 0, wantBool},
		{megaeth, "stateChanges", nil, ""}, {megaeth, "stateChanges", accounts(1024), ""},
		{megaeth, "stateChanges", accounts(1025), "stateChanges names 1025 accounts, the limit is 1024"},
		{megaeth, "stateChanges", "0x", "invalid argument 1 (accounts) of eth_subscribe: have %s (string), want [address]"},
		{plain, "transactionReceipts", nil, ""}, {plain, "transactionReceipts", map[string]any{"transactionHashes": []common.Hash{{1}}}, ""},
		{plain, "transactionReceipts", 5, "invalid argument 1 (option) of eth_subscribe: have %s (number), want {transactionHashes: [hash]}"},
		{plain, "pendingLogs", nil, ""}, {plain, "pendingLogs", true, ""}, {plain, "pendingLogs", false, ""},
		{plain, "pendingLogs", map[string]any{"fromBlock": "pending", "toBlock": "pending"}, ""},
		{plain, "pendingLogs", map[string]any{"fromBlock": "latest"},
			`the subscription pendingLogs brings pre-confirmed logs: fromBlock and toBlock are "pending", or left out`},
		{plain, "pendingLogs", map[string]any{"toBlock": "0x1"},
			`the subscription pendingLogs brings pre-confirmed logs: fromBlock and toBlock are "pending", or left out`},
		{plain, "pendingLogs", 7, "invalid argument 1 (filter) of eth_subscribe: have %s (number), want a filter object"},
		{plain, "logs", nil, ""}, {plain, "logs", map[string]any{"fromBlock": "0x1", "toBlock": "latest"}, ""},
		{plain, "logs", map[string]any{"topics": make([]any, 4)}, ""},
		{plain, "logs", map[string]any{"topics": make([]any, 5)}, "filter has 5 topics, a log has at most 4"},
		{plain, "logs", true, "invalid argument 1 (filter) of eth_subscribe: have %s (bool), want a filter object"},
		{plain, "logs", map[string]any{"fromBlock": "pending"},
			`the subscription logs brings logs of sealed blocks: a bound of "pending" is for pendingLogs`},
		{plain, "logs", map[string]any{"toBlock": "pending"},
			`the subscription logs brings logs of sealed blocks: a bound of "pending" is for pendingLogs`},
		{megaeth, "logs", map[string]any{"toBlock": "pending"}, ""},
		{plain, "logs", map[string]any{"toBlock": "safe"},
			"eth_subscribe brings logs as they appear, when no block is safe yet: that toBlock is for eth_getLogs"},
		{plain, "logs", map[string]any{"toBlock": "finalized"},
			"eth_subscribe brings logs as they appear, when no block is finalized yet: that toBlock is for eth_getLogs"},
		{plain, "logs", map[string]any{"blockHash": common.Hash{1}},
			"eth_subscribe brings what is to come: a filter with blockHash is for eth_getLogs"},
		{plain, "thing", nil, `unknown subscription "thing": want one of logs, newFlashblockTransactions, newFlashblocks, newHeads, ` +
			"newPendingTransactions, pendingLogs, syncing, transactionReceipts"},
	} {
		params := []any{tc.kind}
		if tc.option != nil {
			params = append(params, tc.option)
		}
		answer, _ := tc.n.Socket().Ask("eth_subscribe", params...)
		if tc.refusal == "" {
			require.Nil(t, answer.Error, "%s %v: %v", tc.kind, tc.option, answer.Error)
			continue
		}
		require.NotNil(t, answer.Error, "%s %v", tc.kind, tc.option)
		require.Equal(t, api.CodeInvalidParams, answer.Error.Code)
		given, err := json.Marshal(tc.option)
		require.NoError(t, err)
		require.Equal(t, strings.Replace(tc.refusal, "%s", string(given), 1), answer.Error.Message)
	}
}

// Ensure observers see of a subscription to flashblocks what clients do not, and that MegaETH's kinds are flashblocks'.
func TestSubscriptionsWithoutFlashblocks(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{NoPreconf: true}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfMegaETH}}})
	s := n.Socket()
	for _, kind := range []string{"pendingLogs", "newFlashblocks", "newFlashblockTransactions", "miniBlocks", "stateChanges"} {
		answer, _ := s.Ask("eth_subscribe", kind)
		require.NotNil(t, answer.Error, kind)
		require.Equal(t, "subscription "+kind+" is not available: the node has no pre-confirmation layer; "+
			"there are logs, newHeads, newPendingTransactions, syncing, transactionReceipts", answer.Error.Message)
	}
	for _, kind := range []string{"newHeads", "logs", "newPendingTransactions", "transactionReceipts", "syncing"} {
		s.Subscribe(kind)
	}
	rise := servertest.New(t, preconf.Config{NoPreconf: true}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfRise}}})
	answer, _ := rise.Socket().Ask("eth_subscribe", "shreds")
	require.NotNil(t, answer.Error)
	require.Contains(t, answer.Error.Message, "subscription shreds is not available")
}

// Ensure a kind that is none, too many parameters, and members of an option that are wrong, given twice or under their
// name in another case, are refused by words, and members taken as by geth under its profile; subscriptions need a
// WebSocket.
func TestWordsOfSubscriptions(t *testing.T) {
	t.Parallel()
	spec, geth := servertest.New(t, preconf.Config{}, rpcserver.Config{}), inProfile(t, persona.Geth.Wire, preconf.Config{})
	s, other := spec.Socket(), geth.Socket()
	for params, words := range map[string]string{
		`[]`: "kind", `[7]`: "7", `["logs",null,1]`: "too many", `["logs",{"address":"0x12"}]`: "0x12",
		`["logs",{"topics":[],"topics":[]}]`: `member "topics" is given twice`, `["logs",{"Topics":[]}]`: `"Topics" is unknown, want "topics"`,
		`["newFlashblocks",{"a":1,"a":1}]`:                                 `"a" is given twice`,
		`["transactionReceipts",{"transactionHashes":"0x1"}]`:              "transactionHashes",
		`["transactionReceipts",{"transactionhashes":null}]`:               `"transactionhashes" is unknown, want "transactionHashes"`,
		`["pendingLogs",{"blockHash":"0x` + servertest.Padded("1") + `"}]`: "eth_getLogs",
	} {
		var list []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(params), &list))
		given := make([]any, len(list))
		for i, param := range list {
			given[i] = param
		}
		answer, _ := s.Ask("eth_subscribe", given...)
		require.NotNil(t, answer.Error, params)
		require.Equal(t, api.CodeInvalidParams, answer.Error.Code)
		require.Contains(t, answer.Error.Message, words)
		if strings.Contains(strings.ToLower(params), "topics") {
			other.Subscribe(given...)
		}
	}
	require.Empty(t, s.Told("fakenode_seal"), "nothing was subscribed to")
	spec.Refuses(api.CodeMethodNotFound, nil, "eth_subscribe", "newHeads")
}
