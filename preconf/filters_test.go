package preconf

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/filter"
)

// Ensure filters stay where time stands still, and where they are to stay.
func TestFilterExpiry(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		cfg  Config
		want time.Duration
	}{
		{Config{Real: true}, 5 * time.Minute},
		{Config{Real: true, Filters: filter.Limits{Timeout: time.Second}}, time.Second},
		{Config{Real: true, Filters: filter.Limits{Timeout: -1}}, 0},
		{Config{Filters: filter.Limits{Timeout: time.Second}}, 0},
	} {
		test.cfg.Chain = wallChain(t)
		complete, err := test.cfg.complete()
		require.NoError(t, err)
		require.Equal(t, test.want, complete.filterExpiry())
	}
}
