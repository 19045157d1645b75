package explain_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
)

// Ensure a transaction of an impersonated contract can be traced: "sender not an eoa" is a rule of the pool.
func TestTraceOfImpersonatedContract(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{})
	n.Do("anvil_setBalance", servertest.Counter, "0xde0b6b3a7640000")
	n.Do("anvil_impersonateAccount", servertest.Counter)
	hash := servertest.Fetch[common.Hash](n, "eth_sendTransaction", map[string]any{"from": servertest.Counter, "to": servertest.Bob.Address, "gas": "0x5208"})
	trace := servertest.Fetch[map[string]any](n, "debug_traceTransaction", hash)
	require.Equal(t, false, trace["failed"])
	require.Equal(t, 21_000.0, trace["gas"])
}
