package rpcserver

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// Ensure a transaction of an impersonated contract can be traced: "sender not an eoa" is a rule of the pool.
func TestTraceOfImpersonatedContract(t *testing.T) {
	t.Parallel()
	n := newNetwork(t, preconf.Config{Mode: preconf.Instant}, Config{})
	n.do("anvil_setBalance", counter, "0xde0b6b3a7640000")
	n.do("anvil_impersonateAccount", counter)
	hash := fetch[common.Hash](n, "eth_sendTransaction", map[string]any{"from": counter, "to": bob.Address, "gas": "0x5208"})
	trace := fetch[map[string]any](n, "debug_traceTransaction", hash)
	require.Equal(t, false, trace["failed"])
	require.Equal(t, 21_000.0, trace["gas"])
}
