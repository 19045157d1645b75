package explain_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

func TestOtterscanBlock(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	for range 5 {
		n.Transact(0, &servertest.Counter, new(big.Int), []byte{1, 2, 3, 4, 5, 6})
	}
	n.Seal(1)
	type details struct {
		Block     map[string]json.RawMessage
		Issuance  map[string]string
		TotalFees hexutil.Big
	}
	block := servertest.Fetch[details](n, "ots_getBlockDetails", 1)
	require.Equal(t, block, servertest.Fetch[details](n, "ots_getBlockDetails", "0x1"))
	require.Equal(t, block, servertest.Fetch[details](n, "ots_getBlockDetailsByHash", n.Timeline.Moment().Latest().Hash()))
	require.Equal(t, "5", string(block.Block["transactionCount"]))
	require.Equal(t, "null", string(block.Block["logsBloom"]))
	require.NotContains(t, block.Block, "transactions")
	require.Equal(t, map[string]string{"blockReward": "0x0", "uncleReward": "0x0", "issuance": "0x0"}, block.Issuance)
	fees := new(big.Int)
	for _, receipt := range n.Timeline.Moment().Latest().Receipts() {
		fees.Add(fees, new(big.Int).Mul(receipt.EffectiveGasPrice, new(big.Int).SetUint64(receipt.GasUsed)))
	}
	require.Equal(t, fees, block.TotalFees.ToInt())
}

// Ensure a page has the last transactions of a block first, as many as fit, and all of them on one page that is just
// large enough; and inputs of up to four bytes are whole.
func TestPagesOfBlock(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	for size := range 6 {
		n.Transact(0, &servertest.Counter, new(big.Int), []byte{1, 2, 3, 4, 5, 6}[:size])
	}
	n.Seal(1)
	type page struct {
		FullBlock struct {
			TransactionCount int
			Transactions     []struct{ Input string }
		}
		Receipts []struct {
			Timestamp hexutil.Uint64
			Logs      json.RawMessage
		}
	}
	all := []string{"0x", "0x01", "0x0102", "0x010203", "0x01020304", "0x01020304"}
	for _, c := range []struct{ page, size, first, last int }{
		{0, 6, 0, 6}, {0, 7, 0, 6}, {0, 1000, 0, 6}, {0, 5, 1, 6}, {1, 5, 0, 1}, {1, 6, 0, 0}, {2, 3, 0, 0}, {1, 3, 0, 3}, {0, 1, 5, 6}, {5, 1, 0, 1}, {6, 1, 0, 0},
	} {
		is := servertest.Fetch[page](n, "ots_getBlockTransactions", 1, c.page, c.size)
		require.Equal(t, 6, is.FullBlock.TransactionCount)
		var inputs []string
		for _, tx := range is.FullBlock.Transactions {
			inputs = append(inputs, tx.Input)
		}
		require.Equal(t, all[c.first:c.last], append([]string{}, inputs...), "page %d of %d", c.page, c.size)
		require.Len(t, is.Receipts, len(inputs))
		for _, receipt := range is.Receipts {
			require.EqualValues(t, n.Timeline.Moment().Latest().Time(), receipt.Timestamp)
			require.Equal(t, "null", string(receipt.Logs))
		}
	}
	require.Empty(t, servertest.Fetch[page](n, "ots_getBlockTransactions", 1, "0xffffffffffffffff", 2).Receipts)
	require.Nil(t, servertest.Fetch[*page](n, "ots_getBlockTransactions", 9, 0, 2))
	n.Refuses(api.CodeInvalidParams, []string{"page size", "have 0, want 1 to 1000"}, "ots_getBlockTransactions", 1, 0, 0)
	n.Refuses(api.CodeInvalidParams, []string{"page size", "have 1001"}, "ots_getBlockTransactions", 1, 0, 1001)
}

// Ensure Otterscan's methods answer null for what is not there, and refuse a block that is no number or tag.
func TestOtterscanUnknown(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	waiting := n.Pay(0, 1, 1).Hash()
	for method, params := range map[string][]any{
		"ots_traceTransaction": {waiting}, "ots_getTransactionError": {waiting}, "ots_getBlockDetails": {9},
		"ots_getBlockDetailsByHash": {common.Hash{1}}, "ots_getTransactionBySenderAndNonce": {servertest.Alice.Address, 0},
		"trace_get": {waiting, []any{}}, "trace_replayBlockTransactions": {common.Hash{1}, []string{"trace"}},
	} {
		require.Equal(t, "null", string(servertest.Fetch[json.RawMessage](n, method, params...)), method)
	}
	wanted := []string{`want a block number, plain or in hex, "latest", "pending", "safe", "finalized" or "earliest"`}
	for _, tag := range []any{true, "newest", -1, 1.5, common.Hash{1}} {
		n.Refuses(api.CodeInvalidParams, wanted, "ots_hasCode", servertest.Counter, tag)
	}
	n.Refuses(api.CodeInvalidParams, []string{`want an array of indices such as ["0x0"]`}, "trace_get", waiting, "0x0")
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "ots_hasCode", servertest.Counter, 9)
	n.Refuses(api.CodeInvalidParams, []string{"page size of ots_searchTransactionsAfter: have 0"}, "ots_searchTransactionsAfter", servertest.Counter, 0, 0)
	n.Refuses(api.CodeInvalidParams, []string{"page size of ots_searchTransactionsBefore: have 1001"}, "ots_searchTransactionsBefore", servertest.Counter, 0, 1001)
}

// Ensure an account of a single byte of code has code, at the block asked for, by default the latest.
func TestOtterscanHasCode(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	short := common.HexToAddress("0x51")
	n.Seal(1)
	n.Do("anvil_setCode", short, "0x00")
	for tag, has := range map[any]bool{"latest": true, 1: true, 0: false, "earliest": false, "pending": true} {
		require.Equal(t, has, servertest.Fetch[bool](n, "ots_hasCode", short, tag), tag)
	}
	require.True(t, servertest.Fetch[bool](n, "ots_hasCode", short))
	require.False(t, servertest.Fetch[bool](n, "ots_hasCode", servertest.Bob.Address))
}
