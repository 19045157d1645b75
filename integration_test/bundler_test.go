package integration_test

import (
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
)

// refusedOperation is how the bundler refused: viem's name for it, the code and the node's words.
type refusedOperation struct {
	Name string
	Code int
	Text string
}

// operationCourse is the course of one account's operations.
type operationCourse struct {
	Pooled       [2]bool // null as receipt, found by hash
	Preconfirmed bool
	Logs         int
	Lost         *bool // success, or null: nobody knows it
	Sealed       *bool
	Removed      *bool
	Again        *bool
	Waiting      int
	Both         []bool
	Cleared      int
	Paid         int
	Refused      map[string]refusedOperation
	Failed       string
}

// Ensure viem's bundler client works on the node's own URL: operations of viem's and of a user's account are
// pre-confirmed, lost, removed by a reorg and put back by one, two of a sender fit into a flashblock, and refusals are
// the errors that viem has names for.
func TestViemBundler(t *testing.T) {
	t.Parallel()
	got := runScript[struct {
		EntryPoints []common.Address
		Accounts    map[string]operationCourse
	}](t, fakenode.RunT(t), "bundler.mjs")
	require.Equal(t, []common.Address{entrypoint.V09Address, entrypoint.V08Address, entrypoint.V07Address, entrypoint.V06Address}, got.EntryPoints)
	require.Len(t, got.Accounts, 4)
	for name, course := range got.Accounts {
		require.Empty(t, course.Failed, name)
		for reason, want := range map[string]refusedOperation{
			"nonce":      {"InvalidAccountNonceError", -32500, "AA25 invalid account nonce ("},
			"poor":       {"InsufficientPrefundError", -32500, "AA21 didn't pay prefund (give the sender ether"},
			"undeployed": {"AccountNotDeployedError", -32500, "AA20 account not deployed ("},
			"call":       {"ExecutionRevertedError", -32521, "execution reverted: ERC20: transfer amount exceeds balance"},
			"missing":    {"InvalidParamsRpcError", -32602, "user operation: callData is missing"},
			"entryPoint": {"InvalidParamsRpcError", -32602, "EntryPoint 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 is not supported, want one of ["},
		} {
			requireRefused(t, want, course.Refused[reason], name+", "+reason)
		}
		yes := true
		course.Refused = nil
		require.Equal(t, operationCourse{
			Pooled: [2]bool{true, true}, Preconfirmed: true, Logs: 1, Sealed: &yes, Again: &yes, Waiting: 2, Both: []bool{true, true}, Paid: 30_000,
		}, course, name)
	}
}

// requireRefused requires a refusal whose text begins with that of want.
func requireRefused(t *testing.T, want, is refusedOperation, what string) {
	t.Helper()
	require.True(t, strings.HasPrefix(is.Text, want.Text), "%s: %s", what, is.Text)
	is.Text = want.Text
	require.Equal(t, want, is, what)
}

// Ensure a node without a bundler says which flag took it away, and a chain without EntryPoints that it has none.
func TestBundlerOff(t *testing.T) {
	t.Parallel()
	off := fakenode.RunConfigT(t, fakenode.Config{NoBundler: true})
	for method, params := range map[string][]any{
		"eth_supportedEntryPoints":     {},
		"eth_sendUserOperation":        {map[string]any{}, entrypoint.V07Address},
		"eth_estimateUserOperationGas": {map[string]any{}, entrypoint.V07Address},
		"eth_getUserOperationByHash":   {common.Hash{}},
		"eth_getUserOperationReceipt":  {common.Hash{}},
		"debug_bundler_dumpMempool":    {entrypoint.V07Address},
		"debug_bundler_clearState":     {},
	} {
		err := visit(t, off).client.Call(nil, method, params...)
		require.EqualError(t, err, method+": the bundler is off: start the node without --no-bundler")
		require.Equal(t, -32601, err.(rpc.Error).ErrorCode())
	}
	bare := fakenode.RunConfigT(t, fakenode.Config{Contracts: fakenode.NoContracts})
	var present []common.Address
	require.NoError(t, visit(t, bare).client.Call(&present, "eth_supportedEntryPoints"))
	require.Empty(t, present)
	err := visit(t, bare).client.Call(nil, "eth_sendUserOperation", map[string]any{}, entrypoint.V07Address)
	require.EqualError(t, err, "EntryPoint "+entrypoint.V07Address.Hex()+" is not supported, want one of []")
}
