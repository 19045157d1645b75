package explain_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
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
