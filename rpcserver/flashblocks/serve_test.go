package flashblocks_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the answer to a request that cannot be served names its wrong part and the expected one.
func TestRefusals(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	upgrade := http.Header{
		"Connection": {"Upgrade"}, "Upgrade": {"websocket"}, "Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="},
	}
	with := func(name, value string) http.Header {
		h := upgrade.Clone()
		h.Set(name, value)
		return h
	}
	for _, c := range []struct {
		path   string
		header http.Header
		status int
		words  []string
	}{
		{"/flashblocks", http.Header{}, 426, []string{"/flashblocks is a WebSocket"}},
		{"/flashblocks?compression=zip", upgrade, 400, []string{`compression is "zip"`, "brotli or none"}},
		{"/flashblocks?compression=", upgrade, 400, []string{`compression is ""`}},
		{"/flashblocks?compresion=brotli", upgrade, 400, []string{`"compresion"`, "compression, block_number, flashblock_index"}},
		{"/flashblocks?compression=brotli&compression=none", upgrade, 400, []string{"compression is given 2 times"}},
		{"/flashblocks?block_number=1", upgrade, 400, []string{"block_number and flashblock_index go together"}},
		{"/testnet/flashblocks?flashblock_index=1", upgrade, 400, []string{"block_number and flashblock_index go together"}},
		{"/flashblocks?block_number=0x1&flashblock_index=0", upgrade, 400, []string{`block_number is "0x1"`, "0 to 18446744073709551615"}},
		{"/flashblocks?block_number=18446744073709551616&flashblock_index=0", upgrade, 400, []string{"0 to 18446744073709551615"}},
		{"/flashblocks?block_number=1&flashblock_index=2147483648", upgrade, 400, []string{`flashblock_index is "2147483648"`, "0 to 2147483647"}},
		{"/flashblocks?block_number=1&flashblock_index=" + strings.Repeat("9", 500), upgrade, 400, []string{"(500 bytes)"}},
		{"/flashblocks?a;b", upgrade, 400, []string{"query"}},
		{"/flashblocks/more", upgrade, 404, nil},
		{"/w/nowhere/flashblocks", upgrade, 404, []string{"there is no world nowhere"}},
		{"/flashblocks", with("Host", "evil.example"), 403, []string{"evil.example"}},
		{"/flashblocks", with("Origin", "https://evil.example"), 403, []string{"evil.example"}},
	} {
		status, body := get(t, node.URL()+c.path, c.header)
		require.Equal(t, c.status, status, "%s: %s", c.path, body)
		for _, word := range c.words {
			require.Contains(t, body, word, c.path)
		}
	}
	response, err := http.Post(node.URL()+"/flashblocks", "application/json", strings.NewReader("{}"))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusMethodNotAllowed, response.StatusCode)
}

// Ensure a node without pre-confirmation has no feed, and one without control has one, but not its faults.
func TestNodesWithoutFeedOrFaults(t *testing.T) {
	t.Parallel()
	plain := fakenode.RunConfigT(t, fakenode.Config{NoPreconf: true})
	status, body := get(t, plain.URL()+"/flashblocks", nil)
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, body, "this node does not pre-confirm")
	require.ErrorContains(t, plain.Client().Client().Call(nil, "fakenode_feedFault", map[string]any{"kind": "gap"}), "not")

	closed := fakenode.RunConfigT(t, fakenode.Config{NoControl: true})
	r := listen(t, closed.Network, "/flashblocks")
	closed.Preconfirm()
	require.Len(t, r.frames(), 1)
	require.Error(t, closed.Client().Client().Call(nil, "fakenode_feedFault", map[string]any{"kind": "gap"}))
}

// Ensure /metrics counts the readers of each network.
func TestReadersAreCounted(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
	for range 2 {
		listen(t, node.Network, "/flashblocks")
	}
	_, metrics := get(t, node.URL()+"/metrics", nil)
	require.Contains(t, metrics, `fakenode_feed_clients{network="main"} 2`)
	require.Contains(t, metrics, `fakenode_feed_clients{network="testnet"} 0`)
	require.Contains(t, metrics, `fakenode_subscriptions{network="main"} 0`)
}

// Ensure a reader that does not read is closed with the reason, and that another one gets everything. A connection that
// is cut off has ten seconds of wall time for what it was sent.
func TestSlowReader(t *testing.T) {
	laboratory.Needs(t, laboratory.Long)
	t.Parallel()
	const frames, size = 150, 100 << 10 // 30 MB, more than any socket holds
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Limits: fakenode.Limits{SubscriberBuffer: 1 << 20}})
	quick := listen(t, node.Network, "/flashblocks")
	deaf, _, err := websocket.DefaultDialer.Dial(node.WebSocketURL()+"/flashblocks", nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = deaf.Close() })
	for i := range frames {
		_, err := node.Transact(node.Account(i%20), fakenode.Tx{To: &common.Address{1}, Data: make([]byte, size), Gas: 2_000_000})
		require.NoError(t, err)
		if i%20 == 19 {
			node.Seal()
		} else {
			node.Preconfirm()
		}
		require.Len(t, quick.frames(), 1)
		if _, metrics := get(t, node.URL()+"/metrics", nil); strings.Contains(metrics, `fakenode_feed_clients{network="main"} 1`) {
			break // cut off: what was sent before can be read for ten seconds
		}
	}
	for err == nil {
		_, _, err = deaf.ReadMessage()
	}
	var closed *websocket.CloseError
	require.ErrorAs(t, err, &closed)
	require.Equal(t, websocket.CloseTryAgainLater, closed.Code)
	require.Equal(t, "too slow: more than 1048576 bytes of notifications unread (--subscriber-buffer)", closed.Text)
	node.Preconfirm()
	require.Len(t, quick.frames(), 1)
}
