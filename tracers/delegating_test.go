package tracers_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure prestateTracer has the implementation of an account that delegates, but as with go-ethereum not in the
// transaction in which it begins to.
func TestPrestateOfDelegating(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Dev, fakenode.Anvil} {
		node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Mode: fakenode.Instant})
		delegating, implementation := node.Account(3), common.Address{19: 0x77}
		node.SetCode(implementation, common.FromHex("0x5f545f5260205ff3"))
		for nonce, there := range []bool{false, true} {
			signed, err := types.SignSetCode(delegating.Key, types.SetCodeAuthorization{
				ChainID: *uint256.NewInt(node.ChainID()), Address: implementation, Nonce: uint64(nonce),
			})
			require.NoError(t, err)
			client := node.Client().Client()
			var hash common.Hash
			require.NoError(t, client.CallContext(t.Context(), &hash, "eth_sendTransaction", map[string]any{
				"from": node.Account(0).Address, "to": delegating.Address, "gas": "0x30d40", "authorizationList": []types.SetCodeAuthorization{signed},
			}))
			var touched map[common.Address]any
			require.NoError(t, client.CallContext(t.Context(), &touched, "debug_traceTransaction", hash, map[string]any{"tracer": "prestateTracer"}))
			require.Equal(t, there, touched[implementation] != nil)
		}
	}
}
