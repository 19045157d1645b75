package integration_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// viemRead holds the report of viem_read.mjs.
type viemRead struct {
	Simulated []struct {
		Number    int
		BaseFee   string
		StateRoot common.Hash
		Calls     []viemCall
	}
	SimulatedAtLatest string
	AssetChanges      []struct {
		Token          common.Address
		Symbol, Change string
	}
	SimulatedCalls []viemCall
	Unchanged      struct{ Latest, Pending string }
	Multicall      []viemCall
	Batched        []string
	Deployless     string
	Overridden     string
	Verified       map[string]bool
	Fees           struct{ Covers bool }
	AccessList     []common.Address
	Proof          struct {
		CodeHash common.Hash
		Nodes    bool
	}
	History int
}

// viemCall is one call of a simulation or of Multicall3.
type viemCall struct {
	Status string
	Result any
	Reason string
	Logs   int
}

// Ensure viem's simulations, Multicall3 reads, deployless calls and signature checks work at latest and at pending, and
// that no simulation leaves a trace.
func TestViemRead(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	got := runScript[viemRead](t, node, "viem_read.mjs")

	const million = "1000000000000" // token units (6 decimals)
	const overBalance = "ERC20: transfer amount exceeds balance"
	require.Len(t, got.Simulated, 2)
	first, second := got.Simulated[0], got.Simulated[1]
	require.Equal(t, 1, first.Number)
	require.Equal(t, "7", first.BaseFee)
	require.Zero(t, first.StateRoot)
	require.Equal(t, []viemCall{
		{Status: "success", Logs: 1}, // the log of traceTransfers
		{Status: "success", Result: true, Logs: 1},
		{Status: "failure", Reason: overBalance},
	}, first.Calls)
	require.Equal(t, 2, second.Number)
	require.Equal(t, []viemCall{{Status: "success", Result: true, Logs: 1}, {Status: "success", Result: "40"}}, second.Calls)
	require.Equal(t, million, got.SimulatedAtLatest)
	require.Equal(t, []viemCall{{Status: "success", Result: true, Logs: 1}}, got.SimulatedCalls)
	require.Len(t, got.AssetChanges, 2) // ether first
	require.Equal(t, node.Token().Address(), got.AssetChanges[1].Token)
	require.Equal(t, "-9", got.AssetChanges[1].Change)
	require.Equal(t, million, got.Unchanged.Latest)
	require.Equal(t, million, got.Unchanged.Pending)

	require.Equal(t, []viemCall{
		{Status: "success", Result: tokencontract.MainnetName},
		{Status: "success", Result: "1000000000005"}, // a million dollars and what is pre-confirmed
		{Status: "failure", Reason: overBalance},
	}, got.Multicall)
	require.Equal(t, []string{tokencontract.MainnetName, tokencontract.Symbol, tokencontract.Version}, got.Batched)
	require.Equal(t, "42", got.Deployless)
	require.Equal(t, "42", got.Overridden)
	require.Equal(t, map[string]bool{"account": true, "wallet": true, "undeployed": true, "stranger": false, "changed": false}, got.Verified)
	require.True(t, got.Fees.Covers)
	require.Equal(t, []common.Address{node.Token().Address()}, got.AccessList)
	require.Equal(t, crypto.Keccak256Hash(tokencontract.DocumentedFlow.RuntimeCode()), got.Proof.CodeHash)
	require.True(t, got.Proof.Nodes)
	require.Equal(t, 2, got.History)
}

// Ensure every action of viem's test client has the effect of its name, with the methods of each node that viem knows.
func TestViemTestClient(t *testing.T) {
	t.Parallel()
	for mode, actions := range map[string]int{"anvil": 24, "hardhat": 23, "ganache": 9} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			got := runScript[struct {
				Checked  int
				Failures map[string]string
			}](t, fakenode.RunT(t), "viem_test_client.mjs", mode)
			require.Empty(t, got.Failures)
			require.Equal(t, actions, got.Checked)
		})
	}
}
