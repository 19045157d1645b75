package scenario_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/scenario"
)

// Ensure a scenario ends with its context, as when a client leaves, and that nothing of it remains.
func TestScenarioEndsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	for _, s := range scenario.All() {
		node := fakenode.RunT(t)
		before := node.Moment().Latest().Hash()
		stage := scenario.Stage{Timeline: node.Timeline(), Accounts: node.Accounts(), Token: node.Token().Domain()}
		_, err := s.Play(ctx, stage, scenario.Params{})
		require.ErrorIs(t, err, context.Canceled, s.Name)
		require.Equal(t, before, node.Moment().Latest().Hash())
		require.Zero(t, node.Moment().PoolSize())
	}
}

// Ensure numbers are read plain or in hex, and that unknown parameters are rejected.
func TestParamsFromJSON(t *testing.T) {
	t.Parallel()
	var p scenario.Params
	require.NoError(t, json.Unmarshal([]byte(`{"payer":7,"merchant":"0x2","amount":"1.50","depth":"3","times":18446744073709551615}`), &p))
	require.Equal(t, scenario.Params{Payer: 7, Merchant: 2, Amount: "1.50", Depth: 3, Times: 1<<31 - 1}, p)
	for _, bad := range []string{`{"deep":3}`, `{"depth":-3}`, `{"depth":1.5}`, `{"depth":"three"}`, `[]`} {
		require.Error(t, json.Unmarshal([]byte(bad), &p), bad)
	}
}
