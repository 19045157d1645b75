package command_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// rpcBehaviours holds the assertions of the RPC tests of a live pre-confirmation node (base/base), by their names
// there. Its tests of how flashblocks are received, cached and matched with blocks from outside have no counterpart:
// this node makes both itself.
var rpcBehaviours = map[string]func(*servertest.Network){
	// tests/flashblocks_rpc.rs
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
	"test_get_balance_pending": func(n *servertest.Network) {
		to := common.HexToAddress("0x1234")
		n.Transact(0, &to, big.NewInt(4660), nil)
		n.Do("fakenode_preconfirm")
		require.Equal(n, "0x0", servertest.Fetch[string](n, "eth_getBalance", to, "latest"))
		require.Equal(n, "0x1234", servertest.Fetch[string](n, "eth_getBalance", to, "pending"))
	},
	"test_get_transaction_by_hash_pending": func(n *servertest.Network) {
		tx := n.Sign(0, &servertest.Logger, new(big.Int), servertest.LoggerCall("0x1", "0x2", 1))
		require.Nil(n, servertest.Fetch[any](n, "eth_getTransactionByHash", tx.Hash()))
		require.NoError(n, n.Timeline.Send(tx))
		n.Do("fakenode_preconfirm")
		found := servertest.Fetch[struct {
			From, To    common.Address
			BlockHash   *string
			BlockNumber string
		}](n, "eth_getTransactionByHash", tx.Hash())
		require.Equal(n, fixtures.Dev(0).Address, found.From)
		require.Equal(n, servertest.Logger, found.To)
		require.Nil(n, found.BlockHash)
		require.Equal(n, "0x1", found.BlockNumber)
	},
	"test_get_transaction_receipt_pending": func(n *servertest.Network) {
		tx := n.Pay(0, 1, 1)
		require.Nil(n, servertest.Fetch[any](n, "eth_getTransactionReceipt", tx.Hash()))
		n.Do("fakenode_preconfirm")
		receipt := servertest.Fetch[receiptSummary](n, "eth_getTransactionReceipt", tx.Hash())
		require.Equal(n, receiptSummary{"0x5208", "0x1", common.Hash{}}, receipt)
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
	"test_eth_simulate_v1": func(n *servertest.Network) {
		counter := deployCounter(n)
		increment(n, counter)
		increment(n, counter)
		n.Do("fakenode_preconfirm")
		read := map[string]any{"from": fixtures.Dev(0).Address, "to": counter, "data": "0x01", "gas": "0x186a0", "maxFeePerGas": "0x77359400"}
		add := map[string]any{"from": fixtures.Dev(0).Address, "to": counter, "gas": "0x186a0", "maxFeePerGas": "0x77359400"}
		blocks := servertest.Fetch[[]struct {
			Number       string
			Transactions []struct{ From string }
			Calls        []struct{ Status, ReturnData string }
		}](n, "eth_simulateV1", map[string]any{
			"blockStateCalls": []any{map[string]any{"calls": []any{read, add, read}}}, "validation": true, "returnFullTransactions": true,
		}, "pending")
		require.Equal(n, "0x"+servertest.Padded("2"), blocks[0].Calls[0].ReturnData)
		require.Equal(n, "0x1", blocks[0].Calls[1].Status)
		require.Equal(n, "0x"+servertest.Padded("3"), blocks[0].Calls[2].ReturnData)
		require.Len(n, blocks[0].Transactions, 3)
		require.NotEmpty(n, blocks[0].Transactions[0].From)
	},
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
	"test_get_logs_filter_by_address": func(n *servertest.Network) {
		capture(n, 5)
		n.Logs(1, "0xa1", "0xb1", 1)
		n.Do("fakenode_preconfirm")
		logs := servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending", "toBlock": "pending", "address": servertest.Logger})
		require.Len(n, logs, 1)
		require.Equal(n, servertest.Logger, logs[0].Address)
	},
	"test_get_logs_topic_filtering": func(n *servertest.Network) {
		n.Logs(0, "0xa1", "0xb1", 1)
		n.Logs(0, "0xa1", "0xb2", 1)
		n.Do("fakenode_preconfirm")
		find := func(topics ...any) int {
			return len(servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": "pending", "toBlock": "pending", "topics": topics}))
		}
		require.Equal(n, 2, find("0x"+servertest.Padded("a1")))
		require.Equal(n, 1, find(nil, "0x"+servertest.Padded("b1")))
	},
	"test_get_logs_mixed_block_ranges": func(n *servertest.Network) {
		n.Logs(0, "0xa1", "0xb1", 1)
		n.Do("fakenode_seal")
		n.Logs(0, "0xa1", "0xb1", 2)
		n.Do("fakenode_preconfirm")
		for _, from := range []string{"0x0", "latest", "earliest"} {
			require.Len(n, servertest.Fetch[[]servertest.LogItem](n, "eth_getLogs", map[string]any{"fromBlock": from, "toBlock": "pending"}), 3, from)
		}
	},
	"test_eth_subscribe_new_flashblocks": func(n *servertest.Network) {
		s := n.Socket()
		id := s.Subscribe("newFlashblocks")
		n.Pay(0, 1, 1)
		blocks := servertest.Items[blockSummary](n, s.Told("fakenode_preconfirm"), id)
		require.Len(n, blocks, 1)
		require.Len(n, blocks[0].Transactions, 1)
		require.NotEmpty(n, blocks[0].Hash)
		require.NotEmpty(n, blocks[0].ParentHash)
	},
	"test_eth_subscribe_multiple_flashblocks": func(n *servertest.Network) {
		s := n.Socket()
		id := s.Subscribe("newFlashblocks")
		n.Pay(0, 1, 1)
		told := s.Told("fakenode_preconfirm")
		for range 9 {
			n.Pay(0, 1, 1)
		}
		blocks := servertest.Items[blockSummary](n, append(told, s.Told("fakenode_preconfirm")...), id)
		require.Equal(n, blocks[0].Number, blocks[1].Number)
		require.Len(n, blocks[0].Transactions, 1)
		require.Len(n, blocks[1].Transactions, 10)
	},
	"test_eth_unsubscribe": func(n *servertest.Network) {
		s := n.Socket()
		id := s.Subscribe("newFlashblocks")
		answer, _ := s.Ask("eth_unsubscribe", id)
		require.Equal(n, "true", string(answer.Result))
		require.Empty(n, s.Told("fakenode_preconfirm"))
	},
	"test_eth_subscribe_multiple_clients": func(n *servertest.Network) {
		one, two := n.Socket(), n.Socket()
		one.Subscribe("newFlashblocks")
		two.Subscribe("newFlashblocks")
		n.Pay(0, 1, 1)
		n.Do("fakenode_preconfirm")
		require.JSONEq(n, string(one.Read().Params.Result), string(two.Read().Params.Result))
	},
	"test_eth_subscribe_new_heads": func(n *servertest.Network) {
		s := n.Socket()
		id := s.Subscribe("newHeads")
		require.Empty(n, s.Told("fakenode_preconfirm"), "one for a sealed block, not for a flashblock")
		require.Len(n, servertest.Items[blockSummary](n, s.Told("fakenode_seal"), id), 1)
	},
	"test_eth_subscribe_new_flashblock_transactions_hashes": func(n *servertest.Network) {
		s := n.Socket()
		id := s.Subscribe("newFlashblockTransactions")
		n.Pay(0, 1, 1)
		require.Len(n, servertest.Items[common.Hash](n, s.Told("fakenode_preconfirm"), id), 1)
		for range 9 {
			n.Pay(0, 1, 1)
		}
		require.Len(n, servertest.Items[common.Hash](n, s.Told("fakenode_preconfirm"), id), 9)
	},
	"test_eth_subscribe_new_flashblock_transactions_full": func(n *servertest.Network) {
		s := n.Socket()
		id := s.Subscribe("newFlashblockTransactions", true)
		n.Logs(0, "0xa1", "0xb1", 2)
		whole := servertest.Items[struct {
			Hash, BlockNumber string
			Logs              []servertest.LogItem
		}](n, s.Told("fakenode_preconfirm"), id)
		require.NotEmpty(n, whole[0].Hash)
		require.Equal(n, "0x1", whole[0].BlockNumber)
		require.Len(n, whole[0].Logs, 2)
	},
	"test_get_block_transaction_count_by_number_pending": func(n *servertest.Network) {
		count := func(tag string) string {
			return servertest.Fetch[string](n, "eth_getBlockTransactionCountByNumber", tag)
		}
		require.Equal(n, "0x0", count("pending"))
		n.Pay(0, 1, 1)
		n.Do("fakenode_preconfirm")
		require.Equal(n, "0x1", count("pending"))
		for range 9 {
			n.Pay(0, 1, 1)
		}
		n.Do("fakenode_preconfirm")
		require.Equal(n, "0xa", count("pending"))
		require.Equal(n, "0x0", count("latest"))
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
}

// What live pre-confirmation nodes show, this one shows, too.
func TestFlashblockBehaviours(t *testing.T) {
	t.Parallel()
	for suite, behaviours := range map[string]map[string]func(*servertest.Network){"rpc": rpcBehaviours, "state": stateBehaviours} {
		for name, behaves := range behaviours {
			t.Run(suite+"/"+name, func(t *testing.T) {
				t.Parallel()
				behaves(servertest.New(t, preconf.Config{}, rpcserver.Config{}))
			})
		}
	}
}
