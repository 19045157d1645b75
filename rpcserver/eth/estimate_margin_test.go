package eth_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure estimates, and the gas of a transaction that is sent without, have the margin that was asked for, up to the
// gas that there may be.
func TestEstimateMargin(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{Limits: api.Limits{EstimateMargin: 25}})
	call := map[string]any{"from": servertest.Alice.Address, "to": servertest.Bob.Address}
	require.Equal(t, "0x668a", servertest.Fetch[string](n, "eth_estimateGas", call)) // 26,250
	hash := servertest.Fetch[string](n, "eth_sendTransaction", call)
	require.Equal(t, "0x668a", servertest.Fetch[map[string]any](n, "eth_getTransactionByHash", hash)["gas"])
	call["gas"] = "0x5dc0"
	require.Equal(t, "0x5dc0", servertest.Fetch[string](n, "eth_estimateGas", call))
	require.EqualError(t, api.Limits{EstimateMargin: 1001}.Validate(), "margin of gas estimates is 1001 %, the limit is 1000")
}
