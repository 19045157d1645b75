package integration_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// permissionlessCourse is the course of an account's operations: the token units that the merchant has at each point,
// and whether the operation succeeded.
const permissionlessCourse = `{
	"batch": "success", "lost": 0, "sealed": [10000, true], "removed": [0, null], "again": [10000, true], "deployed": true, "sponsored": 30000
}`

// Ensure permissionless works with its defaults and nothing but the node's URL: simple accounts that the factories at
// their public addresses deploy, keys that delegate, batches, and the paymaster, through a lost pre-confirmation and
// reorgs.
func TestPermissionless(t *testing.T) {
	t.Parallel()
	got := runScript[map[string]json.RawMessage](t, fakenode.RunT(t), "permissionless.mjs")
	require.Len(t, got, 5)
	for name, course := range got {
		require.JSONEq(t, permissionlessCourse, string(course), name)
	}
}
