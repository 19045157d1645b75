package eth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/tokencontract"
)

// pendingNetwork starts a network whose clients see pre-confirmed transactions by the tag alone.
func pendingNetwork(t *testing.T) *servertest.Network {
	return servertest.New(t, preconf.Config{Behaviour: preconf.Behaviour{PendingHash: preconf.HashSoFar}}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{Preconf: api.PreconfPending}}})
}

// Ensure that with the tag pending alone the pending block has a hash: its header's, another one after each flashblock,
// and the same one in its transactions, receipts and logs.
func TestPendingBlockHasAHash(t *testing.T) {
	t.Parallel()
	n := pendingNetwork(t)
	type block struct {
		Number string
		Hash   common.Hash
	}
	seen := map[common.Hash]bool{}
	for range 3 {
		tx := n.Logs(0, "0xa", "0xb", 2).Hash()
		n.Preconfirm()
		pending := servertest.Fetch[json.RawMessage](n, "eth_getBlockByNumber", "pending", false)
		var header types.Header
		var is block
		require.NoError(t, json.Unmarshal(pending, &header))
		require.NoError(t, json.Unmarshal(pending, &is))
		require.Equal(t, header.Hash(), is.Hash)
		require.Equal(t, "0x1", is.Number)
		require.False(t, seen[is.Hash], "the hash did not change")
		seen[is.Hash] = true

		placed := servertest.Fetch[struct{ BlockHash common.Hash }](n, "eth_getTransactionByHash", tx)
		require.Equal(t, is.Hash, placed.BlockHash)
		receipt := servertest.Fetch[types.Receipt](n, "eth_getTransactionReceipt", tx)
		require.Equal(t, is.Hash, receipt.BlockHash)
		logs := servertest.Fetch[[]types.Log](n, "eth_getLogs", map[string]any{"fromBlock": "pending"})
		require.Len(t, logs, 2*len(seen))
		for _, log := range append(logs, *receipt.Logs[0], *receipt.Logs[1]) {
			require.Equal(t, is.Hash, log.BlockHash)
		}
	}
	require.NotEqual(t, "0x", servertest.Fetch[string](n, "eth_getCode", servertest.Logger, "pending"))
	n.Seal(1)
	require.False(t, seen[servertest.Fetch[block](n, "eth_getBlockByNumber", "latest", false).Hash])
}

// Ensure that with the tag pending alone subscriptions to flashblocks are rejected as by OP Mainnet's nodes, and the
// pool is private; but not for observers.
func TestPendingTagAlone(t *testing.T) {
	t.Parallel()
	n := pendingNetwork(t)
	for _, kind := range []string{"newFlashblocks", "newFlashblockTransactions", "pendingLogs"} {
		require.Equal(t, "Invalid params", n.Fails(-32602, "eth_subscribe", kind).Message)
	}
	hashes, whole := servertest.Fetch[string](n, "eth_newPendingTransactionFilter"), servertest.Fetch[string](n, "eth_newPendingTransactionFilter", true)
	s, observer := n.Socket(), &servertest.Socket{Network: n, Conn: servertest.DialAt(t, n.Server, "/?observer")}
	s.Subscribe("newPendingTransactions")
	s.Subscribe("newPendingTransactions", true)
	pooled := observer.Subscribe("newPendingTransactions")
	flashblocks := observer.Subscribe("newFlashblocks")
	tx := n.Logs(0, "0xa", "0xb", 1).Hash()
	require.Equal(t, []common.Hash{tx}, servertest.Items[common.Hash](t, observer.Told("eth_chainId"), pooled))
	require.Empty(t, s.Told("fakenode_preconfirm"))
	require.Len(t, servertest.Items[json.RawMessage](t, observer.Told("eth_chainId"), flashblocks), 1)
	for _, id := range []string{hashes, whole} {
		require.Equal(t, []json.RawMessage{}, servertest.Fetch[[]json.RawMessage](n, "eth_getFilterChanges", id))
	}
}

// Ensure a deposit is at pending from the flashblock on that announces it, in all answers alike, until a fault takes
// the flashblock back.
func TestDepositIsPendingWithItsFlashblock(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.BaseFlashblocks})
	ask := func(result any, method string, params ...any) {
		t.Helper()
		require.NoError(t, node.Client().Client().Call(result, method, params...))
	}
	abi, err := tokencontract.TokenMetaData.ParseABI()
	require.NoError(t, err)
	to := common.Address{19: 0xd1}
	data, err := abi.Pack("transfer", to, fixtures.USD("1").ToBig())
	require.NoError(t, err)
	var deposit common.Hash
	ask(&deposit, "fakenode_deposit", map[string]any{
		"from": fixtures.Dev(0).Address, "to": node.Token().Address(), "data": hexutil.Bytes(data), "gas": 1_000_000,
	})

	check := func(present bool, when string) {
		t.Helper()
		var receipt *types.Receipt
		var block struct {
			Transactions []common.Hash
			LogsBloom    types.Bloom
		}
		var logs []types.Log
		var received hexutil.Bytes
		var count hexutil.Uint64
		ask(&receipt, "eth_getTransactionReceipt", deposit)
		ask(&block, "eth_getBlockByNumber", "pending", false)
		ask(&count, "eth_getBlockTransactionCountByNumber", "pending")
		ask(&logs, "eth_getLogs", map[string]any{"fromBlock": "pending", "toBlock": "pending"})
		balance, err := abi.Pack("balanceOf", to)
		require.NoError(t, err)
		ask(&received, "eth_call", map[string]any{"to": node.Token().Address(), "data": hexutil.Bytes(balance)}, "pending")

		require.EqualValues(t, len(block.Transactions), count, when)
		require.Equal(t, present, receipt != nil, when)
		require.Equal(t, present, len(block.Transactions) == 2, when)
		require.Equal(t, present, block.LogsBloom != types.Bloom{}, when)
		require.Equal(t, present, len(logs) == 1, when)
		require.Equal(t, present, common.BytesToHash(received) != common.Hash{}, when)
	}
	check(false, "before its flashblock")
	node.Preconfirm()
	check(true, "after its flashblock")
	ask(nil, "fakenode_flashblockFault", map[string]any{"kind": "drop"})
	check(false, "after the flashblock was dropped")
	node.Preconfirm()
	check(true, "in the next flashblock")
	ask(nil, "fakenode_flashblockFault", map[string]any{"kind": "stall"})
	check(false, "under a stall")
}

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
