package flashblocks

import (
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Ensure readers of a frame that cannot be encoded are closed with the reason, and that the feed goes on for others.
func TestFrameThatCannotBeEncodedEndsReaders(t *testing.T) {
	t.Parallel()
	config := *params.MergedTestChainConfig
	config.CancunTime, config.PragueTime, config.OsakaTime = nil, nil, nil // no system contracts
	blocks, err := chain.New(&chain.Genesis{Config: &config, GasLimit: 30_000_000}, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: blocks, Start: time.Unix(1_700_000_000, 0)})
	require.NoError(t, err)
	var feed *Feed
	server := jsonrpc.New(jsonrpc.Config{Route: func(*http.Request) http.Handler { return feed }})
	endpoint := jsonrpc.NewEndpoint(server, jsonrpc.API[*jsonrpc.Request]{Streams: []string{Kind}})
	var running sync.WaitGroup
	feed = New(Config{Timeline: timeline, Endpoint: endpoint, Running: &running, Header: func(v *preconf.View) *types.Header { return v.Header() }})
	require.NoError(t, server.Listen("127.0.0.1:0"))
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		running.Wait()
	})
	dial := func(query string) *websocket.Conn {
		ws, _, err := websocket.DefaultDialer.Dial(server.URL("ws")+"/"+query, nil)
		require.NoError(t, err)
		require.NoError(t, ws.SetReadDeadline(time.Now().Add(time.Minute)))
		t.Cleanup(func() { _ = ws.Close() })
		return ws
	}
	text, packed := dial(""), dial("?compression=brotli")
	broken := &frame{plain: func() ([]byte, error) { return nil, errors.New("the state is gone") }, news: new(jsonrpc.News), number: 1}
	feed.audience.do(func(readers []*reader) {
		require.Len(t, readers, 2)
		feed.send([]*frame{{number: 0}}, readers) // made before they joined
		feed.send([]*frame{broken}, readers[:1])
	})
	_, _, err = text.ReadMessage()
	var closed *websocket.CloseError
	require.ErrorAs(t, err, &closed)
	require.Equal(t, websocket.CloseInternalServerErr, closed.Code)
	require.Equal(t, "the state is gone", closed.Text)
	require.Equal(t, 1, feed.Readers())
	_, err = timeline.Preconfirm()
	require.NoError(t, err)
	_, message, err := packed.ReadMessage()
	require.NoError(t, err)
	require.NotEmpty(t, message)

	// What a fault shortens is cut from its encoding, to half or to so many bytes.
	for _, test := range []struct{ bytes, want int }{{0, 5}, {1, 1}, {10, 10}, {11, 10}, {12, 10}} {
		f := &frame{plain: func() ([]byte, error) { return []byte("0123456789"), nil }, news: new(jsonrpc.News), cut: cut{true, test.bytes}}
		data, err := f.encoded(false)
		require.NoError(t, err)
		require.Equal(t, "0123456789"[:test.want], string(data[0]))
	}
}
