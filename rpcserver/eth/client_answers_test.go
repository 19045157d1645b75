package eth_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// inProfile returns a network of a profile.
func inProfile(t *testing.T, profile api.Behaviour, config preconf.Config) *servertest.Network {
	t.Helper()
	return servertest.New(t, config, rpcserver.Config{Settings: api.Settings{Behaviour: profile}})
}

// Ensure the keys of txpool_content and txpool_inspect are checksummed under geth, as there, and in lower case under
// spec.
func TestPoolKeys(t *testing.T) {
	t.Parallel()
	sender := fixtures.Dev(0).Address.Hex()
	for profile, want := range map[api.Behaviour]string{api.Behaviour{}: strings.ToLower(sender), persona.Geth.Wire: sender} {
		n := inProfile(t, profile, preconf.Config{})
		n.Pay(0, 1, 1)
		for _, method := range []string{"txpool_content", "txpool_inspect"} {
			content := servertest.Fetch[map[string]map[string]json.RawMessage](n, method)
			require.Contains(t, content["pending"], want)
		}
	}
}

// Ensure a simulated call that uses up all gas of the request leaves none to the calls behind it, as in geth: clients
// that simulate more than one call give each its gas.
func TestSimulateBehindInvalidOpcode(t *testing.T) {
	t.Parallel()
	for _, profile := range []api.Behaviour{{}, persona.Geth.Wire} {
		n := inProfile(t, profile, preconf.Config{})
		simulate := func(invalid map[string]any) (json.RawMessage, *jsonrpc.Error) {
			return n.Try("eth_simulateV1", map[string]any{"blockStateCalls": []any{map[string]any{
				"calls": []any{invalid, map[string]any{"to": fixtures.Dev(1).Address}},
			}}}, "latest")
		}
		_, failure := simulate(map[string]any{"data": "0xfe"})
		require.NotNil(t, failure)
		require.Equal(t, api.CodeIntrinsicGas, failure.Code)
		require.Contains(t, failure.Message, "intrinsic gas too low: have 0, want 21000")
		_, failure = simulate(map[string]any{"data": "0xfe", "gas": "0x186a0"})
		require.Nil(t, failure)
	}
}

// Ensure eth_feeHistory of a future block and eth_estimateGas of a tip above a missing cap are errors, as in geth, and
// that a filter from the first block begins with future logs.
func TestAnswersTakenFromGeth(t *testing.T) {
	t.Parallel()
	n := inProfile(t, persona.Geth.Wire, preconf.Config{})
	n.Refuses(api.CodeServer, []string{"header not found"}, "eth_feeHistory", 1, "0x1", []float64{})
	n.Refuses(api.CodeServer, []string{"max priority fee per gas higher than max fee per gas"},
		"eth_estimateGas", map[string]any{"from": fixtures.Dev(0).Address, "to": fixtures.Dev(1).Address, "maxPriorityFeePerGas": "0x1"})
	n.Logs(0, "0xa1", "0xb1", 1)
	n.Seal(1)
	filter := servertest.Fetch[string](n, "eth_newFilter", map[string]any{"fromBlock": "0x0"})
	require.Empty(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterChanges", filter))
	require.Len(t, servertest.Fetch[[]servertest.LogItem](n, "eth_getFilterLogs", filter), 1)
	n.Refuses(api.CodeMethodNotFound, []string{"anvil_setChainId"}, "anvil_setChainId", 7)
}

// Ensure a nonce cannot be set below its value, under any name, and that a refused call changes nothing.
func TestNonceNeverGoesBack(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{})
	account := fixtures.Dev(0).Address
	n.Pay(0, 1, 1)
	n.Pay(0, 1, 1)
	for _, method := range []string{"anvil_setNonce", "hardhat_setNonce", "evm_setAccountNonce"} {
		n.Refuses(api.CodeInvalidParams, []string{"to 1", "it is 2"}, method, account, "0x1")
		n.Do(method, account, "0x2")
	}
	require.Equal(t, "0x2", servertest.Fetch[string](n, "eth_getTransactionCount", account, "latest"))
}
