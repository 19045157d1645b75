package integration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the Go facilitator answers as x402's own does about 500 random payments by channel, and settles them as that
// does: the reasons, the amounts and the state of the channel afterwards.
func TestChannelCourses(t *testing.T) {
	t.Parallel()
	requireNode(t)
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	got := runScript[struct {
		Reasons     map[string]int
		Differences []map[string]any
	}](t, node, "channel_courses.mjs", startFacilitator(t, node), "500", "26")
	require.Empty(t, got.Differences)
	require.Greater(t, got.Reasons["verify: good"], 100)
	require.Greater(t, got.Reasons["settle: good"], 100)
	require.Greater(t, len(got.Reasons), 20, "%v", got.Reasons)
}
