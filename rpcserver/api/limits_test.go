package api

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Ensure the default limits of a node equal contract D-limits.
func TestDefaultLimits(t *testing.T) {
	t.Parallel()
	require.Equal(t, Limits{GasCap: 7, CallTimeout: 8, LogsTimeout: 9, MaxAnswer: 10}.Filled(), Limits{GasCap: 7, CallTimeout: 8, LogsTimeout: 9, MaxAnswer: 10}, "given ones stay")
	limits := Limits{}.Filled()
	require.EqualValues(t, 50_000_000, limits.GasCap)
	require.Equal(t, 5*time.Second, limits.CallTimeout)
	require.Equal(t, 10*time.Second, limits.LogsTimeout)
	const mebibyte = 1 << 20
	require.Equal(t, jsonrpc.Limits{
		MaxBody: 32 * mebibyte, BodyTimeout: 30 * time.Second, MaxMessage: 32 * mebibyte, MaxBatch: 1000,
		MaxAnswer: 256 * mebibyte, SubscriberBuffer: 64 * mebibyte, SubscribersMemory: 512 * mebibyte, JournalSize: 10_000,
	}, limits.Transport().Filled())
}

// Ensure limits out of range are refused by name.
func TestLimitsAreRefused(t *testing.T) {
	t.Parallel()
	require.NoError(t, Limits{}.Validate())
	require.NoError(t, Limits{JournalSize: -1}.Validate(), "none is kept")
	require.NoError(t, Limits{EstimateMargin: 1000}.Validate())
	for name, limits := range map[string]Limits{
		"HTTP body is -1":         {MaxBody: -1},
		"WebSocket message is -2": {MaxMessage: -2},
		"batch is -3":             {MaxBatch: -3},
		"subscriber buffer is -4": {SubscriberBuffer: -4},
		"eth_getLogs is -5ns":     {LogsTimeout: -5},
		"a call is -6ns":          {CallTimeout: -6},
		"margin of gas estimates is 1001 %, the limit is 1000": {EstimateMargin: 1001},
	} {
		require.ErrorContains(t, limits.Validate(), name)
	}
}
