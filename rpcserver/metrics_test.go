package rpcserver_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	n.Seal(2)
	n.Pay(0, 1, 1)
	n.Pay(1, 2, 1)
	n.Preconfirm()
	n.Pay(0, 1, 1)
	n.Do("fakenode_setFault", map[string]any{"method": "eth_call", "latencyMs": 1})
	n.Do("fakenode_flashblockFault", map[string]any{"kind": "lag"})
	n.Do("fakenode_feedFault", map[string]any{"kind": "gap"})
	n.Do("fakenode_hold", map[string]any{"hashes": []common.Hash{{31: 1}}, "blocks": 1})
	n.Do("eth_blockNumber")
	n.Do("eth_blockNumber")
	n.Fails(-32602, "eth_getBalance", "0x1")
	n.Fails(-32601, "eth_nothing")
	get := func(path string) (int, string) {
		response, err := http.Get(n.Server.URL() + path)
		require.NoError(t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return response.StatusCode, string(body)
	}
	status, text := get("/metrics")
	require.Equal(t, http.StatusOK, status)
	for _, line := range []string{
		`fakenode_calls_total{code="0",method="eth_blockNumber",network="main"} 2`,
		`fakenode_calls_total{code="-32602",method="eth_getBalance",network="main"} 1`,
		`fakenode_calls_total{code="-32601",method="unknown",network="main"} 1`,
		`fakenode_call_seconds_count{method="eth_blockNumber",network="main"} 2`,
		`fakenode_head_block{network="main"} 2`,
		`fakenode_finalized_block{network="main"} 0`,
		`fakenode_preconfirmed_transactions{network="main"} 2`,
		`fakenode_pool_transactions{network="main"} 1`,
		`fakenode_faults{network="main"} 4`,
	} {
		require.Contains(t, text, line+"\n")
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	require.NoError(t, err)
	require.Empty(t, problems, "as promtool check metrics sees them")
	status, _ = get("/debug/pprof/")
	require.Equal(t, http.StatusNotFound, status, "only when asked for")

	n = servertest.New(t, preconf.Config{}, rpcserver.Config{Profiling: true})
	status, text = get("/debug/pprof/goroutine?debug=1")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, "goroutine profile")
}
