package explain_test

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure every method that executes again says that the state is no longer kept, and up to which block it is.
func TestTracesOfPrunedBlocks(t *testing.T) {
	t.Parallel()
	pruning, err := chain.New(servertest.Genesis(), chain.Options{History: 4})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: pruning}, rpcserver.Config{})
	old := n.Transact(0, &servertest.Counter, new(big.Int), []byte{1}).Hash()
	n.Seal(10)
	young := n.Transact(0, &servertest.Counter, new(big.Int), []byte{1}).Hash()
	n.Seal(1)
	kinds, call := []string{"trace"}, map[string]any{"to": servertest.Counter}
	for method, params := range map[string][]any{
		"ots_getInternalOperations": {old}, "ots_traceTransaction": {old}, "ots_getTransactionError": {old}, "trace_transaction": {old},
		"trace_get": {old, []any{}}, "trace_replayTransaction": {old, kinds}, "trace_block": {"0x1"}, "trace_replayBlockTransactions": {"0x1", kinds},
		"debug_traceTransaction": {old}, "debug_traceBlockByNumber": {"0x1"}, "debug_traceCall": {call, "0x0"}, "trace_call": {call, kinds, "0x0"},
		"trace_callMany": {[]any{[]any{call, kinds}}, "0x0"}, "fakenode_profile": {old}, "fakenode_compareForks": {map[string]any{"transaction": old}},
		"trace_filter": {map[string]any{"fromBlock": "0x1", "toBlock": "0x1"}}, "ots_hasCode": {servertest.Counter, 1},
	} {
		n.Refuses(api.CodeServer, []string{"pruned"}, method, params...)
		if params[0] == old {
			params[0] = young
			n.Do(method, params...)
		}
	}
	n.Refuses(api.CodeServer, []string{"pruned"}, "fakenode_profile", call, "0x0")
	n.Refuses(api.CodeServer, []string{"pruned"}, "debug_traceCall", call, "0x1", map[string]any{"txIndex": "0x0"})
	n.Refuses(api.CodeServer, []string{"pruned"}, "fakenode_compareForks", map[string]any{"call": []any{call, "0x0"}})
}

// Ensure a tracer that fails fails the trace of one transaction, and in the traces of a block the one that it fails
// for; a tracer without a name is refused by every method that takes one, as an object that is none.
func TestTracersThatFail(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	call := n.Transact(0, &servertest.Counter, new(big.Int), []byte{1}).Hash()
	pay := n.Pay(0, 1, 1).Hash()
	n.Seal(1)
	head := n.Timeline.Moment().Latest().Hash()
	tracer := map[string]any{"tracer": `{result: function(ctx) { if (ctx.value > 0) throw "too rich"; return 7 }, fault: function() {}}`}
	type traced struct {
		TxHash common.Hash
		Result json.RawMessage
		Error  string
	}
	for method, block := range map[string]any{"debug_traceBlockByNumber": "latest", "debug_traceBlockByHash": head} {
		all := servertest.Fetch[[]traced](n, method, block, tracer)
		require.Len(t, all, 2)
		require.Equal(t, traced{TxHash: call, Result: json.RawMessage("7")}, all[0])
		require.Equal(t, pay, all[1].TxHash)
		require.Contains(t, all[1].Error, "too rich")
		require.Nil(t, all[1].Result)
	}
	n.Refuses(api.CodeServer, []string{"too rich"}, "debug_traceTransaction", pay, tracer)
	require.Equal(t, "7", string(servertest.Fetch[json.RawMessage](n, "debug_traceTransaction", call, tracer)))
	raw := servertest.Fetch[hexutil.Bytes](n, "debug_getRawBlock", "latest")
	require.Len(t, servertest.Fetch[[]traced](n, "debug_traceBlock", raw, tracer), 2)
	object, nameless := map[string]any{"to": servertest.Counter}, map[string]any{"tracer": ""}
	for method, params := range map[string][]any{
		"debug_traceTransaction": {pay, nameless}, "debug_traceCall": {object, "latest", nameless}, "debug_traceBlockByNumber": {"latest", nameless},
		"debug_traceBlockByHash": {head, nameless}, "debug_traceBlock": {raw, nameless},
	} {
		n.Refuses(api.CodeServer, []string{"tracer is empty: want a name or JavaScript, or no tracer for the struct logger"}, method, params...)
	}
	n.Refuses(api.CodeInvalidParams, []string{"invalid argument 0 (block) of debug_traceBlock: not the RLP of a block"}, "debug_traceBlock", "0x1234")
	n.Refuses(api.CodeNotFound, []string{"block not found"}, "debug_traceBlockByHash", common.Hash{1})
}

// Ensure methods say that the chain below a fork does not answer, where they need it.
func TestTracesOfSilentChain(t *testing.T) {
	t.Parallel()
	under := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	under.Pay(1, 2, 7)
	under.Seal(3)
	n := under.Fork(under.Server.URL(), rpcserver.Config{})
	require.NoError(t, under.Server.Close())
	unknown, kinds := common.Hash{9}, []string{"trace"}
	for method, params := range map[string][]any{
		"debug_traceTransaction": {unknown}, "trace_transaction": {unknown}, "ots_getInternalOperations": {unknown}, "ots_traceTransaction": {unknown},
		"ots_getTransactionError": {unknown}, "trace_get": {unknown, []any{}}, "trace_replayTransaction": {unknown, kinds}, "fakenode_profile": {unknown},
		"fakenode_compareForks": {map[string]any{"transaction": unknown}}, "ots_getContractCreator": {common.Address{7}}, "ots_hasCode": {common.Address{7}, "latest"},
		"trace_block": {"0x1"}, "ots_getBlockDetails": {1}, "ots_getBlockTransactions": {1, 0, 10}, "ots_searchTransactionsBefore": {common.Address{7}, 0, 10},
		"ots_searchTransactionsAfter": {common.Address{7}, 0, 10}, "ots_getTransactionBySenderAndNonce": {servertest.Bob.Address, 0},
	} {
		_, failure := n.Try(method, params...)
		require.NotNil(t, failure, method)
		require.Contains(t, failure.Message, "cannot be reached", method)
	}
}

// Ensure a page has the last transactions of a block first, as many as fit, and all of them on one page that is just
// large enough; and inputs of up to four bytes are whole.
func TestPagesOfBlock(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	for size := range 6 {
		n.Transact(0, &servertest.Counter, new(big.Int), []byte{1, 2, 3, 4, 5, 6}[:size])
	}
	n.Seal(1)
	type page struct {
		FullBlock struct {
			TransactionCount int
			Transactions     []struct{ Input string }
		}
		Receipts []struct{ Timestamp hexutil.Uint64 }
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
		}
	}
}
