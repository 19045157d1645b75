package explain_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

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
