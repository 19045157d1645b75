package eth_test

import (
	"encoding/json"
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
