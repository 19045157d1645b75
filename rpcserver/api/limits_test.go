package api

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNegativeLimitsAreRefused(t *testing.T) {
	t.Parallel()
	require.NoError(t, Limits{}.Validate())
	require.NoError(t, Limits{JournalSize: -1}.Validate(), "none is kept")
	for name, limits := range map[string]Limits{
		"HTTP body is -1":         {MaxBody: -1},
		"WebSocket message is -2": {MaxMessage: -2},
		"batch is -3":             {MaxBatch: -3},
		"subscriber buffer is -4": {SubscriberBuffer: -4},
		"eth_getLogs is -5ns":     {LogsTimeout: -5},
		"a call is -6ns":          {CallTimeout: -6},
	} {
		require.ErrorContains(t, limits.Validate(), name)
	}
}
