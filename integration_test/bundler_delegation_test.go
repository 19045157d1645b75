package integration_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// delegatedCourse is the course of a key's operations, the first of which makes it delegate.
const delegatedCourse = `{
	"estimate": 3, "waiting": ["0x7702", true, null], "both": [true, true], "delegated": true, "type": "eip7702", "found": ["0x7702", true],
	"removed": null, "again": [true, true], "plain": [true, null]
}`

// Ensure viem's account of EIP-7702 works through the bundler: viem sends 0x7702 as its factory and an authorization,
// two operations may have the same one, a reorg takes the delegation back, and an authorization that would not take
// effect is refused with what is wrong.
func TestViemDelegatedOperations(t *testing.T) {
	t.Parallel()
	got := runScript[struct{ Accounts map[string]map[string]any }](t, fakenode.RunT(t), "bundler_delegation.mjs").Accounts
	require.Len(t, got, 2)
	for version, course := range got {
		refused, err := json.Marshal(course["refused"])
		require.NoError(t, err)
		var refusals map[string]refusedOperation
		require.NoError(t, json.Unmarshal(refused, &refusals))
		for what, want := range map[string]refusedOperation{
			"unsigned": {"InvalidFieldsError", -32602, "user operation: eip7702Auth: it is signed by 0x"},
			"stranger": {"InvalidFieldsError", -32602, "user operation: eip7702Auth: it is signed by 0x70997970C51812dc3A010C7d01b50e0d17dc79C8, not by the sender 0x"},
			"nonce":    {"InvalidFieldsError", -32602, "user operation: eip7702Auth: nonce is 0x1, and the sender's is 0x0"},
			"chain":    {"InvalidFieldsError", -32602, "user operation: eip7702Auth: chainId is 0x1, want 0x"},
			"none":     {"AccountNotDeployedError", -32500, "AA20 account not deployed ("},
			"old":      {"InvalidParamsRpcError", -32602, "user operation of EntryPoint 0.7: factory 0x7702 is known from 0.8 on"},
		} {
			requireRefused(t, want, refusals[what], version+", "+what)
		}
		delete(course, "refused")
		is, err := json.Marshal(course)
		require.NoError(t, err)
		require.JSONEq(t, delegatedCourse, string(is), version)
	}
}
