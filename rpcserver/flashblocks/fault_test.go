package flashblocks_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the faults of the feed strike the frames they are set for, for every reader, and no others.
func TestFeedFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		fault fakenode.FeedFault
		want  []string
	}{
		{"gap", fakenode.FeedFault{Kind: fakenode.FeedGap, Nth: 2}, []string{"1-0 after 0-0", "1-2 after 1-1", "1-3 after 1-2", "1-4 after 1-3"}},
		{"two gaps", fakenode.FeedFault{Kind: fakenode.FeedGap, Count: 2}, []string{"1-2 after 1-1", "1-3 after 1-2", "1-4 after 1-3"}},
		{"wrong link", fakenode.FeedFault{Kind: fakenode.FeedWrongLink, Nth: 3},
			[]string{"1-0 after 0-0", "1-1 after 1-0", "1-2 after 1-2", "1-3 after 1-2", "1-4 after 1-3"}},
		{"reordered", fakenode.FeedFault{Kind: fakenode.FeedReorder, Nth: 2, Count: 2},
			[]string{"1-0 after 0-0", "1-3 after 1-2", "1-2 after 1-1", "1-1 after 1-0", "1-4 after 1-3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
			readers := []*reader{listen(t, node.Network, "/flashblocks"), listen(t, node.Network, "/flashblocks?compression=brotli")}
			require.NoError(t, node.FeedFault(c.fault))
			for range 5 {
				node.Preconfirm()
			}
			for _, r := range readers {
				require.Equal(t, c.want, ids(r.frames()))
			}
			whole := listen(t, node.Network, "/flashblocks?block_number=0&flashblock_index=0").frames()
			require.Equal(t, []string{"1-0 after 0-0", "1-1 after 1-0", "1-2 after 1-1", "1-3 after 1-2", "1-4 after 1-3"}, ids(whole))
		})
	}
}

// Ensure a frame is cut where the fault says, as text and compressed.
func TestTruncatedFrames(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	text, packed := listen(t, node.Network, "/flashblocks"), listen(t, node.Network, "/flashblocks?compression=brotli")
	require.NoError(t, node.FeedFault(fakenode.FeedFault{Kind: fakenode.FeedTruncate}))
	require.NoError(t, node.FeedFault(fakenode.FeedFault{Kind: fakenode.FeedTruncate, Bytes: 20, Nth: 2}))
	require.NoError(t, node.FeedFault(fakenode.FeedFault{Kind: fakenode.FeedTruncate, Bytes: 1 << 20, Nth: 3}))
	for range 3 {
		node.Preconfirm()
	}
	whole := listen(t, node.Network, "/flashblocks?block_number=0&flashblock_index=0").raw()
	for i, m := range text.raw() {
		keep := []int{len(whole[i].data) / 2, 20, len(whole[i].data)}[i]
		require.Equal(t, string(whole[i].data[:keep]), string(m.data))
	}
	wholePacked := listen(t, node.Network, "/flashblocks?block_number=0&flashblock_index=0&compression=brotli").raw()
	require.Equal(t, wholePacked[1].data[:20], packed.raw()[1].data)
}

// Ensure readers can be cut off, in place of a frame or at once, and nobody else is.
func TestReadersAreDisconnected(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	one, other := listen(t, node.Network, "/flashblocks"), listen(t, node.Network, "/flashblocks?compression=brotli")
	client, err := rpc.Dial(node.WebSocketURL())
	require.NoError(t, err)
	t.Cleanup(client.Close)
	require.NoError(t, node.FeedFault(fakenode.FeedFault{Kind: fakenode.FeedDisconnect, Nth: 2, Code: 1012}))
	for range 3 {
		node.Preconfirm()
	}
	for _, r := range []*reader{one, other} {
		frames, err := r.ended()
		require.Len(t, frames, 1)
		require.True(t, websocket.IsCloseError(err, websocket.CloseServiceRestart), err)
	}
	again := listen(t, node.Network, "/flashblocks?block_number=1&flashblock_index=0")
	require.Equal(t, []string{"1-1 after 1-0", "1-2 after 1-1"}, ids(again.frames()))

	require.NoError(t, node.FeedFault(fakenode.FeedFault{Kind: fakenode.FeedDisconnect}))
	node.Preconfirm()
	_, err = again.ended()
	require.True(t, websocket.IsUnexpectedCloseError(err), err)

	again = listen(t, node.Network, "/flashblocks")
	node.Preconfirm()
	var cut int
	require.NoError(t, client.Call(&cut, "fakenode_disconnect", map[string]any{"kind": "flashblocks", "code": 4000}))
	require.Equal(t, 1, cut)
	frames, err := again.ended()
	require.Len(t, frames, 1, "what was made before arrives")
	require.True(t, websocket.IsCloseError(err, 4000), err)
	again = listen(t, node.Network, "/flashblocks")
	require.NoError(t, client.Call(&cut, "fakenode_disconnect"))
	require.Equal(t, 2, cut)
	_, err = again.ended()
	require.Error(t, err)
}

// Ensure an invalid fault is rejected with the reason, and faults end on command.
func TestFeedFaultsAreChecked(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	client := node.Client().Client()
	for _, c := range []struct {
		fault any
		words []string
	}{
		{map[string]any{"kind": "lost"}, []string{`"lost"`, "disconnect, gap, reorder, truncate, wrongLink"}},
		{map[string]any{"kind": "gap", "cuont": 1}, []string{"cuont", "count?"}},
		{map[string]any{"kind": "gap", "nth": 0}, []string{"nth is 0", "1 or more"}},
		{map[string]any{"kind": "gap", "nth": 1_000_001}, []string{"nth is 1000001", "1 to 1000000"}},
		{map[string]any{"kind": "gap", "count": 1_000_001}, []string{"count is 1000001", "1 to 1000000"}},
		{map[string]any{"kind": "gap", "nth": "0x7fffffff"}, []string{"nth", "1 to 1000000"}},
		{map[string]any{"kind": "gap", "count": -1}, []string{"-1"}},
		{map[string]any{"kind": "gap", "bytes": 1}, []string{"bytes is for truncate"}},
		{map[string]any{"kind": "truncate", "code": 1012}, []string{"code is for disconnect"}},
		{map[string]any{"kind": "disconnect", "code": 999}, []string{"999", "1000 to 4999"}},
		{"gap", []string{"kind"}},
	} {
		err := client.CallContext(t.Context(), nil, "fakenode_feedFault", c.fault)
		var answered rpc.Error
		require.ErrorAs(t, err, &answered, "%v", c.fault)
		require.Equal(t, -32602, answered.ErrorCode(), "%v: %s", c.fault, err)
		for _, word := range c.words {
			require.ErrorContains(t, err, word, "%v", c.fault)
		}
	}
	for want, fault := range map[string]fakenode.FeedFault{
		"nth is -1, want 1 to 1000000":   {Kind: fakenode.FeedGap, Nth: -1},
		"count is -1, want 1 to 1000000": {Kind: fakenode.FeedGap, Count: -1},
		"bytes is -1, want 1 or more":    {Kind: fakenode.FeedGap, Bytes: -1},
		`unknown kind "lost"`:            {Kind: "lost"},
	} {
		require.ErrorContains(t, node.FeedFault(fault), want)
	}
	require.NoError(t, node.FeedFault(fakenode.FeedFault{Kind: fakenode.FeedGap, Nth: 1_000_000, Count: 1_000_000}))
	node.ClearFaults()

	r := listen(t, node.Network, "/flashblocks")
	command(t, node, "fakenode_feedFault", map[string]any{"kind": "gap", "count": 100})
	node.Preconfirm()
	require.Empty(t, r.frames())
	command(t, node, "fakenode_clearFaults")
	node.Preconfirm()
	require.Len(t, r.frames(), 1)
}
