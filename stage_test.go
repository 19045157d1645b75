package fakenode

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/rpcserver"
)

// Ensure a scenario ends with the request that asked for it, and leaves nothing.
func TestScenarioEndsWithItsRequest(t *testing.T) {
	t.Parallel()
	ctx, leave := context.WithCancel(t.Context())
	leave()
	for _, scenario := range fixtures.Scenarios() {
		node := RunT(t)
		before := node.Moment().Latest().Hash()
		_, err := node.serveScenario(ctx, scenario.Name, rpcserver.ScenarioParams{})
		require.ErrorIs(t, err, context.Canceled, scenario.Name)
		require.Equal(t, before, node.Moment().Latest().Hash())
		require.Zero(t, node.Moment().PoolSize())
	}
}
