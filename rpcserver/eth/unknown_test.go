package eth_test

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure every method about a transaction answers null, or an error that names it, for a transaction in no block: an
// unknown hash, and one in the pool.
func TestTransactionsInNoBlock(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	pooled, unknown := n.Pay(0, 1, 1).Hash(), common.Hash{0xab}
	for _, c := range []struct {
		method, answer string // no answer: an error
		more           []any
	}{
		{"eth_getTransactionReceipt", "null", nil},
		{"trace_transaction", "null", nil},
		{"trace_get", "null", []any{[]any{}}},
		{"trace_replayTransaction", "null", []any{[]any{"trace"}}},
		{"ots_getInternalOperations", "[]", nil},
		{"ots_getTransactionError", "null", nil},
		{"ots_traceTransaction", "null", nil},
		{"debug_traceTransaction", "", nil},
	} {
		for _, hash := range []common.Hash{pooled, unknown} {
			answer, failure := n.Try(c.method, append([]any{hash}, c.more...)...)
			require.Equal(t, c.answer, string(answer), c.method)
			if c.answer == "" {
				require.Equal(t, api.CodeServer, failure.Code)
				require.Contains(t, failure.Message, hash.Hex())
			}
		}
	}
	for _, method := range []string{"eth_getTransactionByHash", "eth_getRawTransactionByHash", "debug_getRawTransaction"} {
		require.NotEqual(t, "null", string(servertest.Fetch[json.RawMessage](n, method, pooled)), method)
		answer, failure := n.Try(method, unknown)
		require.Nil(t, failure, method)
		require.Contains(t, []string{"null", `"0x"`}, string(answer), method)
	}
}
