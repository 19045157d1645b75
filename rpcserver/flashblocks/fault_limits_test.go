package flashblocks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a fault of the feed may strike the millionth frame, and as many in a row, and none beyond.
func TestLimitsOfFeedFaults(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	for _, fault := range []fakenode.FeedFault{
		{Kind: fakenode.FeedGap, Nth: 1_000_000, Count: 1_000_000}, {Kind: fakenode.FeedGap, Nth: 1, Count: 1}, {Kind: fakenode.FeedGap},
	} {
		require.NoError(t, node.FeedFault(fault))
		node.ClearFaults()
	}
	for want, fault := range map[string]fakenode.FeedFault{
		"nth is 1000001, want 1 to 1000000":                                              {Kind: fakenode.FeedGap, Nth: 1_000_001},
		"nth is -1, want 1 to 1000000":                                                   {Kind: fakenode.FeedGap, Nth: -1},
		"count is 1000001, want 1 to 1000000":                                            {Kind: fakenode.FeedGap, Count: 1_000_001},
		"count is -1, want 1 to 1000000":                                                 {Kind: fakenode.FeedGap, Count: -1},
		"bytes is -1, want 1 or more":                                                    {Kind: fakenode.FeedGap, Bytes: -1},
		`a fault "gap" leaves no bytes: bytes is for truncate`:                           {Kind: fakenode.FeedGap, Bytes: 1},
		`a fault "gap" closes no connection: code is for disconnect`:                     {Kind: fakenode.FeedGap, Code: 4000},
		`unknown kind "lost": want one of disconnect, gap, reorder, truncate, wrongLink`: {Kind: "lost"},
	} {
		require.ErrorContains(t, node.FeedFault(fault), want)
	}
}
