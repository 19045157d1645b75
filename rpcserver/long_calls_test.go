package rpcserver_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure a call that takes long does not delay the next request on its WebSocket, and ends when the client leaves.
func TestLongCallsLetOthersPass(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{
		Limits: api.Limits{GasCap: 1 << 50, CallTimeout: time.Hour},
		Log:    servertest.ErrorsFail(t),
	})
	spin := map[string]any{"to": servertest.Spinner}
	endless := map[string]any{"blockOverrides": map[string]any{"gasLimit": hexutil.Uint64(1 << 50)}, "calls": []any{spin}}
	// A tracer that runs at each step makes the trace of a transaction last for minutes.
	slow := map[string]any{
		"timeout": "5m",
		"tracer":  "{step: function() {for (var i = 0; i < 1e6; i++) {}}, fault: function() {}, result: function() {return 0}}",
	}
	tx := n.Transact(0, &servertest.Spinner, new(big.Int), []byte{1})
	n.Seal(1)
	raw := servertest.Fetch[string](n, "debug_getRawBlock", "latest")
	// Not eth_estimateGas: Osaka bounds the gas of a transaction, so it soon ends.
	for method, params := range map[string][]any{
		"eth_call":                 {spin, "latest"},
		"eth_createAccessList":     {spin, "latest"},
		"eth_simulateV1":           {map[string]any{"blockStateCalls": []any{endless}}, "latest"},
		"debug_traceCall":          {spin, "latest", slow},
		"debug_traceTransaction":   {tx.Hash(), slow},
		"debug_traceBlock":         {raw, slow},
		"debug_traceBlockByNumber": {"latest", slow},
		"debug_traceBlockByHash":   {n.Timeline.Moment().Latest().Hash(), slow},
		"trace_call":               {spin, []any{"trace"}, "latest"},
	} {
		s := n.Socket()
		s.Last++
		require.NoError(t, s.Conn.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": s.Last, "method": method, "params": params}))
		answer, before := s.Ask("eth_blockNumber")
		require.Nil(t, answer.Error, method)
		require.Empty(t, before, "%s ended before the request behind it", method)
		require.NoError(t, s.Conn.Close())
		calls, err := n.Server.WaitForCalls(t.Context(), world.Main, 0, method, 1)
		require.NoError(t, err)
		require.Contains(t, calls[0].Message, "request cancelled", method)
	}
}
