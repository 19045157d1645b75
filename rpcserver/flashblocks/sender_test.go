package flashblocks_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Ensure only the readers of a frame wait while it is encoded: not clients that connect or leave, and not callers that
// cut connections, or set faults or list them. Their effects take place in order among the frames.
func TestNobodyWaitsForAnEncoding(t *testing.T) {
	t.Parallel()
	config := *params.MergedTestChainConfig
	config.CancunTime, config.PragueTime, config.OsakaTime = nil, nil, nil // no system contracts
	blocks, err := chain.New(&chain.Genesis{Config: &config, GasLimit: 30_000_000}, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: blocks, Start: start})
	require.NoError(t, err)
	var (
		endpoint *jsonrpc.Endpoint
		feed     *flashblocks.Feed
		running  sync.WaitGroup
	)
	server := jsonrpc.New(jsonrpc.Config{Route: func(*http.Request) http.Handler { return feed }})
	endpoint = jsonrpc.NewEndpoint(server, jsonrpc.API[*jsonrpc.Request]{Streams: []string{flashblocks.Kind}})
	encoding, encode := make(chan struct{}, 1), make(chan struct{})
	feed = flashblocks.New(flashblocks.Config{
		Timeline: timeline, Endpoint: endpoint, Running: &running,
		Header: func(v *preconf.View) *types.Header {
			select {
			case encoding <- struct{}{}:
			default:
			}
			<-encode
			return v.Header()
		},
	})
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
	packed := dial("?compression=brotli")
	for range 3 {
		_, err := timeline.Advance(200 * time.Millisecond)
		require.NoError(t, err)
	}
	<-encoding

	text := dial("?block_number=1&flashblock_index=0")
	require.Equal(t, 2, feed.Readers())
	require.NoError(t, feed.Fail(flashblocks.Fault{Kind: flashblocks.Gap}))
	require.Len(t, feed.Faults(), 1)
	feed.ClearFaults()
	cut, err := endpoint.Disconnect(jsonrpc.Disconnection{Kind: flashblocks.Kind, Code: 4000})
	require.NoError(t, err)
	require.Equal(t, 2, cut)

	close(encode)
	for ws, frames := range map[*websocket.Conn]int{packed: 3, text: 2} {
		for range frames {
			kind, message, err := ws.ReadMessage()
			require.NoError(t, err)
			if kind == websocket.TextMessage {
				require.True(t, strings.HasPrefix(string(message), `{"payload_id":`))
			}
		}
		_, _, err := ws.ReadMessage()
		require.True(t, websocket.IsCloseError(err, 4000), "%v", err)
	}
}
