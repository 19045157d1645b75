package explain_test

import (
	"encoding/json"
	"math/big"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure an answer that would be larger than --max-answer is refused with the limit, and one that fits is given.
func TestTracesWithinMaxAnswer(t *testing.T) {
	t.Parallel()
	const most = 8000
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Limits: api.Limits{MaxAnswer: most}})
	n.Pay(0, 1, 1)
	kinds := []string{"trace"}
	bob := servertest.Bob.Address
	requests := map[string][]any{
		"trace_filter": {map[string]any{}}, "trace_block": {"0x2"}, "trace_replayBlockTransactions": {"0x2", kinds},
		"ots_searchTransactionsBefore": {bob, 0, 1000}, "ots_searchTransactionsAfter": {bob, 1, 1000},
		"fakenode_compareForks": {map[string]any{"fromBlock": "0x2"}}, "debug_traceBlockByNumber": {"0x2", map[string]any{"tracer": "callTracer"}},
	}
	n.Seal(2)
	for method, params := range requests {
		n.Do(method, params...)
	}
	for range 40 {
		n.Pay(0, 1, 1)
	}
	n.Seal(1)
	for _, method := range []string{"trace_block", "trace_replayBlockTransactions", "debug_traceBlockByNumber"} {
		requests[method][0] = "0x3"
	}
	halves := []string{"ots_searchTransactionsBefore", "ots_searchTransactionsAfter", "fakenode_compareForks", "debug_traceBlockByNumber"}
	for method, params := range requests {
		limit := "8000 bytes (--max-answer)"
		if slices.Contains(halves, method) {
			limit = "4000 bytes (--max-answer)"
		}
		n.Refuses(api.CodeServer, []string{"too large", limit}, method, params...)
	}
	require.Len(t, servertest.Fetch[[]json.RawMessage](n, "trace_filter", map[string]any{"toBlock": "0x2"}), 1)
}

// Ensure trace_callMany takes 1,000 calls and no more, and that each mistake in a call names the argument.
func TestTracedCallsRefused(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	call := []any{map[string]any{"to": servertest.Bob.Address}, []string{}}
	require.Len(t, servertest.Fetch[[]json.RawMessage](n, "trace_callMany", slices.Repeat([]any{call}, 1000)), 1000)
	n.Refuses(api.CodeInvalidParams, []string{"1001 calls are too many for trace_callMany: the limit is 1000"}, "trace_callMany", slices.Repeat([]any{call}, 1001))
	require.Empty(t, servertest.Fetch[[]json.RawMessage](n, "trace_callMany", []any{}))
	for _, calls := range []any{[]any{7}, []any{[]any{7, []string{}}}, []any{[]any{call[0], 7}}, []any{append(slices.Clone(call), 1)}} {
		n.Refuses(api.CodeInvalidParams, []string{"argument 0", `[call, ["trace", "stateDiff"]]`}, "trace_callMany", calls)
	}
	n.Refuses(api.CodeNotFound, []string{"block not found: 0x9"}, "trace_callMany", []any{call}, "0x9")
	n.Refuses(api.CodeServer, []string{"insufficient funds"}, "trace_call", map[string]any{"from": common.Address{1}, "value": "0x1"}, []string{"trace"})
	for _, kind := range []string{"vmTrace", "all"} {
		n.Fails(api.CodeInvalidParams, "trace_replayBlockTransactions", "latest", []string{kind})
	}
}

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

// Ensure the creator and the creation of a contract are found where the states of older blocks are not kept.
func TestContractCreatorPruned(t *testing.T) {
	t.Parallel()
	pruning, err := chain.New(servertest.Genesis(), chain.Options{History: 8})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Chain: pruning}, rpcserver.Config{})
	old := deployCaller(n)
	n.Seal(20)
	young := deployCaller(n)
	n.Seal(1)
	type creator struct{ Creator common.Address }
	require.Equal(t, creator{servertest.Alice.Address}, servertest.Fetch[creator](n, "ots_getContractCreator", young))
	require.Len(t, servertest.Fetch[struct{ Txs []any }](n, "ots_searchTransactionsBefore", old, 0, 10).Txs, 1)
	n.Refuses(api.CodeServer, []string{"pruned"}, "ots_getContractCreator", old)
	require.Len(t, servertest.Fetch[struct{ Txs []any }](n, "ots_searchTransactionsBefore", servertest.Alice.Address, 0, 10).Txs, 2, "as sender")
	require.Empty(t, servertest.Fetch[struct{ Txs []any }](n, "ots_searchTransactionsBefore", common.Address{0xdd}, 0, 10).Txs, "of nobody, where calls are not seen")
}

// pageOf is an answer of ots_searchTransactions*.
type pageOf struct {
	Txs []struct {
		Hash        common.Hash
		BlockNumber string
	}
	FirstPage, LastPage bool
}

// Ensure a search backwards ends its page at the fork block where it has found something above, and goes on below it
// when it is asked for that, and that a comparison without blocks has those of the fork alone.
func TestSearchesEndAtForkBlock(t *testing.T) {
	t.Parallel()
	under := servertest.Plain(t)
	old := under.Pay(1, 2, 7)
	under.Seal(1)
	under.Pay(3, 4, 1)
	under.Seal(1)
	n := under.Fork(under.Server.URL(), rpcserver.Config{})
	n.Pay(3, 4, 1)
	n.Seal(1)
	young := n.Pay(1, 2, 8)
	n.Seal(1)
	page := func(method string, number, size int) (hashes []common.Hash, last bool) {
		t.Helper()
		answer := servertest.Fetch[pageOf](n, method, servertest.Bob.Address, number, size)
		for _, tx := range answer.Txs {
			hashes = append(hashes, tx.Hash)
		}
		return hashes, answer.LastPage
	}
	hashes, last := page("ots_searchTransactionsBefore", 0, 10)
	require.Equal(t, []common.Hash{young.Hash()}, hashes)
	require.False(t, last)
	for _, number := range []int{4, 3, 2} {
		hashes, last = page("ots_searchTransactionsBefore", number, 10)
		require.Equal(t, []common.Hash{old.Hash()}, hashes, "from below block %d", number)
		require.True(t, last)
	}
	hashes, _ = page("ots_searchTransactionsAfter", 0, 10)
	require.Equal(t, []common.Hash{young.Hash(), old.Hash()}, hashes)

	compared := servertest.Fetch[comparison](n, "fakenode_compareForks")
	require.Equal(t, 2, compared.Compared)
	require.Equal(t, young.Hash(), compared.Transactions[1].Hash)
	require.Equal(t, 3, servertest.Fetch[comparison](n, "fakenode_compareForks", map[string]any{"fromBlock": "0x2"}).Compared)
}

// Ensure a search visits 256 blocks at or below the fork block, and no more.
func TestSearchesBelowForkBlockAreLimited(t *testing.T) {
	t.Parallel()
	under := servertest.Plain(t)
	under.Pay(1, 2, 7)
	under.Seal(257)
	n := under.Fork(under.Server.URL(), rpcserver.Config{})
	n.Seal(3)
	stranger := common.HexToAddress("0xfeed")
	refused := func(method, block string) []string {
		return []string{method + " searches at most 256 blocks at or below the fork block, and has come to block " + block + ": ask for fewer"}
	}
	filter := func(from string) map[string]any {
		return map[string]any{"fromBlock": from, "toAddress": []any{stranger}}
	}
	require.Empty(t, servertest.Fetch[[]json.RawMessage](n, "trace_filter", filter("0x2")))
	n.Refuses(api.CodeServer, refused("trace_filter", "257"), "trace_filter", filter("0x1"))
	require.True(t, servertest.Fetch[pageOf](n, "ots_searchTransactionsBefore", stranger, 257, 10).LastPage)
	require.Empty(t, servertest.Fetch[pageOf](n, "ots_searchTransactionsAfter", stranger, 1, 10).Txs)
	n.Refuses(api.CodeServer, refused("ots_searchTransactionsBefore", "1"), "ots_searchTransactionsBefore", stranger, 0, 10)
	n.Refuses(api.CodeServer, refused("ots_searchTransactionsAfter", "257"), "ots_searchTransactionsAfter", stranger, 0, 10)
}
