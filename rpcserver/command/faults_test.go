package command_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/gorilla/websocket"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure fakenode_faults tells of every fault as it was set, member by member, until all are cleared.
func TestFaultsAreToldAsSet(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	type object = map[string]any
	calls := []object{
		{"method": "eth_chainId", "nth": 3.0, "times": 4.0, "latencyMs": 5.0, "latencySpreadMs": 6.0, "seed": 7.0},
		{"method": "eth_blockNumber", "nth": 1.0, "times": -1.0, "share": 0.25, "seed": 9.0, "loseAnswer": true},
		{"method": "*", "nth": 1.0, "times": 1.0, "httpStatus": 503.0},
		{"method": "eth_gasPrice", "nth": 1.0, "times": 2147483647.0, "error": object{"code": 8.0, "message": "no", "data": "0x09"}},
		{"method": "eth_getCode", "nth": 2147483647.0, "times": 1.0, "dropConnection": true},
		{"method": "eth_getBalance", "nth": 1.0, "times": 1.0, "truncate": 12.0},
		{"method": "eth_getLogs", "nth": 1.0, "times": 1.0, "silent": true},
		{"method": "eth_call", "nth": 1.0, "times": 1.0, "behind": 13.0},
		{"method": "eth_call", "nth": 1.0, "times": 1.0, "behindMs": 1400.0},
		{"method": "eth_call", "nth": 1.0, "times": 1.0, "branch": "orphaned"},
		{"method": "eth_subscription", "nth": 1.0, "times": 1.0, "kind": "newHeads", "drop": true},
		{"method": "eth_subscription", "nth": 1.0, "times": 1.0, "kind": "logs", "duplicate": true},
		{"method": "eth_subscription", "nth": 1.0, "times": 1.0, "kind": "logs", "stray": true},
		{"method": "eth_subscription", "nth": 1.0, "times": 1.0, "kind": "logs", "reorder": true},
	}
	for _, fault := range calls {
		n.Do("fakenode_setFault", fault)
	}
	sender := common.Address{0xa1}
	operations := []object{
		{"kind": "never", "count": 2.0, "sender": hexutil.Encode(sender[:])}, {"kind": "late", "count": 1.0, "blocks": 3.0},
		{"kind": "late", "count": 1.0, "milliseconds": 2500.0}, {"kind": "underestimate", "count": 1.0, "limit": "verificationGasLimit", "percent": 70.0},
	}
	for _, fault := range operations {
		n.Do("fakenode_bundlerFault", fault)
	}
	feed := []object{
		{"kind": "gap", "nth": 2.0, "count": 3.0}, {"kind": "truncate", "nth": 1.0, "count": 1.0, "bytes": 10.0},
		{"kind": "disconnect", "nth": 1.0, "count": 1.0, "code": 1013.0},
	}
	for _, fault := range feed {
		n.Do("fakenode_feedFault", fault)
	}
	n.Do("fakenode_flashblockFault", object{"kind": "lateBlock", "count": 2})
	n.Do("fakenode_flashblockFault", object{"kind": "stall"})
	n.Do("fakenode_hold", object{"senders": []any{sender}, "blocks": 2})
	n.Do("fakenode_hold", object{"hashes": []any{common.Hash{7}}, "milliseconds": 1500})
	type faults struct{ Calls, Flashblocks, Feed, Holds, Operations []object }
	none := []object{}
	require.Equal(t, faults{
		Calls: calls, Operations: operations, Feed: feed,
		Flashblocks: []object{{"kind": "stall", "count": 1.0}, {"kind": "lateBlock", "count": 2.0}},
		Holds: []object{
			{"hashes": []any{}, "senders": []any{hexutil.Encode(sender[:])}, "blocks": 2.0},
			{"hashes": []any{common.Hash{7}.Hex()}, "senders": []any{}, "milliseconds": 1500.0},
		},
	}, servertest.Fetch[faults](n, "fakenode_faults"))
	n.Do("fakenode_clearFaults")
	require.Equal(t, faults{none, none, none, none, none}, servertest.Fetch[faults](n, "fakenode_faults"))
}

// headNumbers decodes the block numbers that a newHeads subscription sent.
func headNumbers(t *testing.T, messages []servertest.Message, id string) []string {
	t.Helper()
	var numbers []string
	for _, head := range servertest.Items[struct{ Number string }](t, messages, id) {
		numbers = append(numbers, head.Number)
	}
	return numbers
}

// Ensure fakenode_setFault spoils the notifications of one kind of subscription.
func TestSubscriptionFaults(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	s := n.Socket()
	heads, logs := s.Subscribe("newHeads"), s.Subscribe("logs")

	n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 2, "reorder": true})
	n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 4, "drop": true})
	n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "newHeads", "nth": 5, "duplicate": true})
	n.Logs(0, "0xa1", "0xb1", 1)
	told := s.Told("fakenode_seal", 6)
	require.Equal(t, []string{"0x1", "0x3", "0x2", "0x5", "0x5", "0x6"}, headNumbers(t, told, heads))
	require.Len(t, servertest.Items[servertest.LogItem](t, told, logs), 1)

	n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "latencyMs": 3_600_000})
	require.Empty(t, s.Told("fakenode_seal"))
	n.Refuses(api.CodeInvalidParams, []string{"want one of", "pendingLogs"}, "fakenode_setFault", map[string]any{"method": "eth_subscription", "kind": "heads", "drop": true})
	n.Refuses(api.CodeInvalidParams, []string{"for notifications"}, "fakenode_setFault", map[string]any{"method": "eth_chainId", "drop": true})
}

// Ensure fakenode_disconnect cuts the connections that subscribed to a kind, and its own behind the answer.
func TestDisconnectOnCommand(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	heads, logs := n.Socket(), n.Socket()
	id := heads.Subscribe("newHeads")
	logs.Subscribe("logs")
	n.Do("fakenode_seal")
	require.Equal(t, 1, servertest.Fetch[int](n, "fakenode_disconnect", map[string]any{"kind": "newHeads"}))
	require.Equal(t, []string{"0x1"}, headNumbers(t, []servertest.Message{heads.Read()}, id), "what was before the cut arrives")
	_, _, err := heads.Conn.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseAbnormalClosure), "%v", err)

	answer, _ := logs.Ask("fakenode_disconnect", map[string]any{"code": 1012})
	require.Equal(t, json.RawMessage("1"), answer.Result)
	_, _, err = logs.Conn.ReadMessage()
	require.True(t, websocket.IsCloseError(err, websocket.CloseServiceRestart), "%v", err)
	require.Zero(t, servertest.Fetch[int](n, "fakenode_disconnect"))
	n.Refuses(api.CodeInvalidParams, []string{"close code is 7"}, "fakenode_disconnect", map[string]any{"code": 7})
	n.Refuses(api.CodeInvalidParams, []string{"unknown kind"}, "fakenode_disconnect", map[string]any{"kind": "tails"})
}

// Ensure a fault strikes the notification of who subscribed first, whoever is answered first.
func TestFaultsCountInTheOrderOfSubscribers(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	first, second := n.Socket(), n.Socket()
	of, own := first.Subscribe("newHeads"), second.Subscribe("newHeads")
	for range 20 {
		n.Do("fakenode_setFault", map[string]any{"method": "eth_subscription", "times": 1, "drop": true})
		require.Len(t, headNumbers(t, second.Told("fakenode_seal"), own), 1)
		require.Empty(t, headNumbers(t, first.Told("eth_chainId"), of))
	}
}

// flashblockBehaviours holds assertions of the tests of a live pre-confirmation node (base/base), by their names there.
// Left out are those that a transcript of rpcserver/testdata shows, and those of how flashblocks are received, cached
// and matched with blocks from outside, which have no counterpart: this node makes both itself.
var flashblockBehaviours = map[string]func(*servertest.Network){
	"test_get_pending_block": func(n *servertest.Network) {
		latest := servertest.Fetch[blockSummary](n, "eth_getBlockByNumber", "latest", false)
		require.Empty(n, servertest.Fetch[blockSummary](n, "eth_getBlockByNumber", "pending", false).Transactions, "empty, never null")
		n.Pay(0, 1, 1)
		n.Do("fakenode_preconfirm")
		pending := servertest.Fetch[blockSummary](n, "eth_getBlockByNumber", "pending", false)
		require.Equal(n, "0x1", pending.Number)
		require.Equal(n, latest.Hash, pending.ParentHash)
		require.Len(n, pending.Transactions, 1)
		for range 9 {
			n.Pay(0, 1, 1)
		}
		n.Do("fakenode_preconfirm")
		require.Len(n, servertest.Fetch[blockSummary](n, "eth_getBlockByNumber", "pending", false).Transactions, 10)
		require.Equal(n, latest, servertest.Fetch[blockSummary](n, "eth_getBlockByNumber", "latest", false))
	},
	"test_get_transaction_count": func(n *servertest.Network) {
		for range 6 {
			n.Pay(0, 1, 1)
		}
		n.Pay(1, 2, 1)
		n.Pay(1, 2, 1)
		n.Do("fakenode_preconfirm")
		for i, count := range []string{"0x6", "0x2", "0x0"} {
			require.Equal(n, count, servertest.Fetch[string](n, "eth_getTransactionCount", fixtures.Dev(i).Address, "pending"))
			require.Equal(n, "0x0", servertest.Fetch[string](n, "eth_getTransactionCount", fixtures.Dev(i).Address, "latest"))
		}
	},
	"test_eth_call":         func(n *servertest.Network) { spendAll(n, "eth_call") },
	"test_eth_estimate_gas": func(n *servertest.Network) { spendAll(n, "eth_estimateGas") },
	"test_send_raw_transaction_sync": func(n *servertest.Network) {
		raw, err := n.Sign(0, &servertest.Logger, new(big.Int), servertest.LoggerCall("0x1", "0x2", 1)).MarshalBinary()
		require.NoError(n, err)
		s := n.Socket()
		pooled := s.Subscribe("newPendingTransactions")
		s.Last++
		require.NoError(n, s.Conn.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": s.Last, "method": "eth_sendRawTransactionSync", "params": []any{hexutil.Bytes(raw)}}))
		require.Equal(n, pooled, s.Read().Params.Subscription, "it waits in the pool")
		n.Do("fakenode_preconfirm")
		var receipt receiptSummary
		require.NoError(n, json.Unmarshal(s.Read().Result, &receipt))
		require.Equal(n, "0x1", receipt.BlockNumber)
		require.Zero(n, receipt.BlockHash)
	},
	"test_send_raw_transaction_sync_timeout": func(n *servertest.Network) {
		raw, err := n.Sign(0, &servertest.Logger, new(big.Int), servertest.LoggerCall("0x1", "0x2", 1)).MarshalBinary()
		require.NoError(n, err)
		n.Refuses(api.CodeSyncTimeout, nil, "eth_sendRawTransactionSync", hexutil.Bytes(raw), 0)
	},
	"test_get_logs_pending": func(n *servertest.Network) {
		span := map[string]any{"fromBlock": "pending", "toBlock": "pending"}
		require.Equal(n, "[]", string(servertest.Fetch[json.RawMessage](n, "eth_getLogs", span)))
		n.Logs(0, "0xa1", "0xb1", 2)
		n.Do("fakenode_preconfirm")
		logs := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", span)
		require.Len(n, logs, 2)
		require.EqualValues(n, 0, logs[0].LogIndex)
		require.EqualValues(n, 1, logs[1].LogIndex)
	},
	"test_eth_subscribe_multiple_clients": func(n *servertest.Network) {
		one, two := n.Socket(), n.Socket()
		one.Subscribe("newFlashblocks")
		two.Subscribe("newFlashblocks")
		n.Pay(0, 1, 1)
		n.Do("fakenode_preconfirm")
		require.JSONEq(n, string(one.Read().Params.Result), string(two.Read().Params.Result))
	},
	"test_pending_block_header_fields": func(n *servertest.Network) {
		n.Pay(0, 1, 1)
		n.Do("fakenode_preconfirm")
		block := servertest.Fetch[map[string]json.RawMessage](n, "eth_getBlockByNumber", "pending", false)
		require.Equal(n, "[]", string(block["withdrawals"]))
		require.Equal(n, `"`+types.EmptyRequestsHash.Hex()+`"`, string(block["requestsHash"]))
		require.Contains(n, block, "parentBeaconBlockRoot")
		require.Contains(n, block, "withdrawalsRoot")
	},
	"state_overrides_persist_across_flashblocks": func(n *servertest.Network) {
		n.Pay(0, 5, 7)
		n.Do("fakenode_preconfirm")
		n.Pay(1, 6, 7)
		n.Do("fakenode_preconfirm")
		require.Equal(n, hexutil.EncodeBig(new(big.Int).Add(fixtures.Ether("10000").ToBig(), big.NewInt(7))), servertest.Fetch[string](n, "eth_getBalance", fixtures.Dev(5).Address, "pending"))
	},
	"only_current_pending_state_cleared_upon_canonical_block_reorg": func(n *servertest.Network) {
		n.Do("fakenode_seal")
		n.Logs(0, "0xa1", "0xb1", 1)
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_reorg", map[string]any{"depth": 1, "length": 1})
		logs := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending"})
		require.Len(n, logs, 1, "executed anew on the new head")
		require.EqualValues(n, 2, logs[0].BlockNumber)
	},
	"nonce_uses_pending_canon_block_instead_of_latest": func(n *servertest.Network) {
		n.Pay(0, 1, 1)
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_seal")
		n.Pay(0, 1, 1)
		n.Do("fakenode_preconfirm")
		require.Equal(n, "0x2", servertest.Fetch[string](n, "eth_getTransactionCount", fixtures.Dev(0).Address, "pending"), "counted once")
	},
	"next_block_index_0_works": func(n *servertest.Network) {
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_seal")
		require.JSONEq(n, `{"blockNumber":2,"index":0,"transactions":[]}`, string(servertest.Fetch[json.RawMessage](n, "fakenode_preconfirm")))
	},
	"duplicate_flashblock_ignored": func(n *servertest.Network) {
		n.Logs(0, "0xa1", "0xb1", 1)
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_flashblockFault", map[string]any{"kind": "duplicate"})
		require.Len(n, servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending"}), 1)
	},
	"non_sequential_payload_clears_pending_state": func(n *servertest.Network) {
		n.Logs(0, "0xa1", "0xb1", 1)
		n.Do("fakenode_preconfirm")
		n.Do("fakenode_flashblockFault", map[string]any{"kind": "stall"})
		require.Empty(n, servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending"}), "pending falls back to latest")
	},
	"eip7702_delegation_then_execution": func(n *servertest.Network) {
		delegate(n, 3, servertest.Logger, 0)
		n.Do("fakenode_preconfirm")
		to := fixtures.Dev(3).Address
		n.Transact(1, &to, new(big.Int), servertest.LoggerCall("0xa1", "0xb1", 1))
		n.Do("fakenode_preconfirm")
		logs := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending", "address": to})
		require.Len(n, logs, 1)
	},
	"get_pending_logs_returns_logs_in_transaction_order": func(n *servertest.Network) {
		first, second := n.Logs(0, "0xa1", "0xb1", 1), n.Logs(1, "0xa1", "0xb1", 1)
		n.Do("fakenode_preconfirm")
		logs := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending"})
		require.Equal(n, first.Hash(), logs[0].TransactionHash)
		require.Equal(n, second.Hash(), logs[1].TransactionHash)
	},
	"eth_call_sees_flashblock_state_changes": func(n *servertest.Network) {
		for _, count := range []string{"2", "3"} { // Counter answers with one more than the calls before
			n.Send(servertest.Alice, &servertest.Counter, nil)
			n.Preconfirm()
			call := map[string]any{"to": servertest.Counter}
			require.Equal(n, "0x"+servertest.Padded(count), servertest.Fetch[string](n, "eth_call", call, "pending"))
			require.Equal(n, "0x"+servertest.Padded("1"), servertest.Fetch[string](n, "eth_call", call, "latest"))
		}
	},
	"test_eth_simulate_v1": func(n *servertest.Network) {
		n.Send(servertest.Alice, &servertest.Counter, nil)
		n.Preconfirm()
		call := map[string]any{"from": servertest.Alice.Address, "to": servertest.Counter, "gas": "0x186a0", "maxFeePerGas": "0x77359400"}
		blocks := servertest.Fetch[[]struct {
			Transactions []struct{ From common.Address }
			Calls        []struct{ ReturnData string }
		}](n, "eth_simulateV1", map[string]any{
			"blockStateCalls": []any{map[string]any{"calls": []any{call, call}}}, "validation": true, "returnFullTransactions": true,
		}, "pending")
		require.Equal(n, "0x"+servertest.Padded("2"), blocks[0].Calls[0].ReturnData)
		require.Equal(n, "0x"+servertest.Padded("3"), blocks[0].Calls[1].ReturnData)
		require.Equal(n, servertest.Alice.Address, blocks[0].Transactions[1].From)
	},
}

// What live pre-confirmation nodes show, this one shows, too.
func TestFlashblockBehaviours(t *testing.T) {
	t.Parallel()
	for name, behaves := range flashblockBehaviours {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			behaves(servertest.Plain(t))
		})
	}
}

type blockSummary struct {
	Number, Hash, ParentHash string
	Transactions             []common.Hash
}

type receiptSummary struct {
	GasUsed, BlockNumber string
	BlockHash            common.Hash
}

// spendAll asserts that a call spending what is pre-confirmed as spent fails at pending only.
func spendAll(n *servertest.Network, method string) {
	spend := map[string]any{"from": fixtures.Dev(0).Address, "to": fixtures.Dev(1).Address, "value": hexutil.EncodeBig(fixtures.Ether("9000").ToBig()), "gas": "0x5208"}
	n.Do(method, spend, "pending")
	to := fixtures.Dev(1).Address
	n.Transact(0, &to, fixtures.Ether("5000").ToBig(), nil)
	n.Do("fakenode_preconfirm")
	_, failure := n.Try(method, spend, "pending")
	require.NotNil(n, failure)
	require.Contains(n, failure.Message, "insufficient funds")
	n.Do(method, spend, "latest")
}

// delegate sends a set-code transaction of account 0 by which account i delegates to a contract (EIP-7702).
func delegate(n *servertest.Network, i int, to common.Address, nonce uint64) *types.Transaction {
	authorization, err := types.SignSetCode(fixtures.Dev(i).Key, types.SetCodeAuthorization{ChainID: *uint256.NewInt(servertest.ChainID), Address: to, Nonce: nonce})
	require.NoError(n, err)
	from := fixtures.Dev(0)
	tx, err := types.SignNewTx(from.Key, types.LatestSignerForChainID(big.NewInt(servertest.ChainID)), &types.SetCodeTx{
		ChainID: uint256.NewInt(servertest.ChainID), Nonce: n.Nonces[from.Address], GasTipCap: uint256.NewInt(1), GasFeeCap: uint256.NewInt(20_000_000_000),
		Gas: 200_000, To: fixtures.Dev(9).Address, AuthList: []types.SetCodeAuthorization{authorization},
	})
	require.NoError(n, err)
	n.Nonces[from.Address]++
	require.NoError(n, n.Timeline.Send(tx))
	return tx
}
