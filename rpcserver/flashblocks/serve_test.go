package flashblocks_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
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

// Ensure a reader that names its last flashblock first gets all later ones, as far as they are among the last 16
// frames, and then new ones; whether or not somebody else read the feed meanwhile.
func TestResume(t *testing.T) {
	t.Parallel()
	for _, watched := range []bool{false, true} {
		node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start})
		if watched {
			listen(t, node.Network, "/flashblocks")
		}
		for range 3 {
			for range 6 {
				node.Preconfirm()
			}
			node.Seal()
		}
		resumed := func(number, index int) []string {
			r := listen(t, node.Network, fmt.Sprintf("/flashblocks?block_number=%d&flashblock_index=%d", number, index))
			return ids(r.frames())
		}
		require.Equal(t, []string{"3-4 after 3-3", "3-5 after 3-4"}, resumed(3, 3))
		require.Equal(t, []string{"3-0 after 2-5", "3-1 after 3-0", "3-2 after 3-1", "3-3 after 3-2", "3-4 after 3-3", "3-5 after 3-4"}, resumed(2, 5))
		require.Equal(t, []string{"3-0 after 2-5"}, resumed(2, 99)[:1])
		require.Empty(t, resumed(3, 5))
		require.Empty(t, resumed(9, 0))
		all := resumed(0, 0)
		require.Len(t, all, 16)
		require.Equal(t, "1-2 after 1-1", all[0])

		_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.StallFlashblocks})
		require.NoError(t, err)
		node.Preconfirm() // lost
		node.Preconfirm()
		_, err = node.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.DuplicateFlashblock, Count: 3})
		require.NoError(t, err)
		r := listen(t, node.Network, "/flashblocks?block_number=3&flashblock_index=5")
		require.Equal(t, []string{"4-0 after 3-5"}, ids(r.frames()), "what was repeated comes once")
		node.Preconfirm()
		require.Equal(t, []string{"4-1 after 4-0"}, ids(r.frames()))
		require.Empty(t, listen(t, node.Network, "/flashblocks").frames(), "who does not ask gets what is new")
	}
}

// Ensure the feed of a replica has the frames of blocks when the replica has them, each once, and that nobody
// resumes there: whether frames were kept would depend on other readers.
func TestFeedOfReplica(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Replicas: fakenode.Replicas{Count: 1, Lag: []fakenode.Replica{{Blocks: 1}}}})
	near, far := listen(t, node.Network, "/flashblocks"), listen(t, node.Network, "/replica/1/flashblocks")
	for block := range 4 {
		node.Preconfirm()
		node.Preconfirm()
		want := ids(near.frames())
		require.Len(t, want, 2)
		require.Empty(t, ids(far.frames()), "block %d", block+1)
		node.Seal()
		require.Equal(t, want, ids(far.frames()))
	}
	require.Empty(t, listen(t, node.Network, "/replica/1/flashblocks?block_number=0&flashblock_index=0").frames())
	require.Len(t, listen(t, node.Network, "/flashblocks?block_number=0&flashblock_index=0").frames(), 8)

	// Without a request the frames come when the replica has them.
	alone := listen(t, node.Network, "/replica/1/flashblocks")
	node.Preconfirm()
	node.Seal()
	first := <-alone.messages
	require.NoError(t, first.err)
	require.Contains(t, string(first.data), `"prev_flashblock_id":"4-1"`)
}

// Ensure a frame of a chain with gas refunds has the transaction that would end the block, once there is a refund.
func TestFrameWithLastTransaction(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Rules: fakenode.LagoonRules})
	r := listen(t, node.Network, "/flashblocks")
	node.Preconfirm()
	send(t, node, 0)
	node.Preconfirm()
	node.Seal()
	frames := r.raw()
	require.Len(t, frames, 2)
	require.NotContains(t, string(frames[0].data), "post_exec_tx")
	var second struct {
		Diff struct {
			Transactions []hexutil.Bytes `json:"transactions"`
			PostExec     hexutil.Bytes   `json:"post_exec_tx"`
		} `json:"diff"`
	}
	require.NoError(t, json.Unmarshal(frames[1].data, &second))
	require.Len(t, second.Diff.Transactions, 1, "that of the user alone")
	sealed := node.Moment().Latest().Block().Transactions()
	want, err := sealed[len(sealed)-1].MarshalBinary()
	require.NoError(t, err)
	require.Equal(t, hexutil.Encode(want), second.Diff.PostExec.String())
}

// Ensure the frames of a chain of each hard fork have the members that its blocks have, and zeros in place of
// others.
func TestFramesOfEarlierForks(t *testing.T) {
	t.Parallel()
	for fork, has := range map[string]struct{ baseFee, withdrawals, blobs bool }{
		"paris": {baseFee: true}, "shanghai": {baseFee: true, withdrawals: true}, "cancun": {true, true, true},
	} {
		node := fakenode.RunConfigT(t, fakenode.Config{StartTime: start, Hardfork: fork})
		r := listen(t, node.Network, "/flashblocks")
		send(t, node, 0)
		node.Preconfirm()
		data := r.raw()[0]
		frame := decode(t, data)
		require.Equal(t, has.baseFee, frame.Base.BaseFeePerGas.ToInt().Sign() > 0, fork)
		require.Equal(t, !has.withdrawals, strings.Contains(string(data.data), `"withdrawals_root":"0x`+strings.Repeat("0", 64)+`"`), fork)
		require.Equal(t, has.blobs, frame.Diff.BlobGasUsed != nil, fork)
		require.EqualValues(t, 1, frame.Base.BlockNumber)
		require.NotZero(t, frame.Base.GasLimit)
		require.NotZero(t, frame.Diff.GasUsed)
		require.Equal(t, node.Moment().Pending().Header().Coinbase, frame.Base.FeeRecipient)
	}
}
