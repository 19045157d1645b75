package flashblocks_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/gorilla/websocket"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/preconf/feed"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// gatedFeed is a feed that cannot encode a frame while its gate is locked.
type gatedFeed struct {
	*testing.T
	*flashblocks.Feed
	timeline *preconf.Timeline
	endpoint *jsonrpc.Endpoint
	server   *jsonrpc.Server
	gate     sync.Mutex
	encoding chan struct{} // somebody waits at the gate
}

func newGatedFeed(t *testing.T) *gatedFeed {
	t.Helper()
	config := *params.MergedTestChainConfig
	config.CancunTime, config.PragueTime, config.OsakaTime = nil, nil, nil // no system contracts
	blocks, err := chain.New(&chain.Genesis{Config: &config, GasLimit: 30_000_000}, chain.Options{})
	require.NoError(t, err)
	f := &gatedFeed{T: t, encoding: make(chan struct{}, 1)}
	f.timeline, err = preconf.New(preconf.Config{Chain: blocks, Start: start})
	require.NoError(t, err)
	f.server = jsonrpc.New(jsonrpc.Config{Route: func(*http.Request) http.Handler { return f.Feed }})
	f.endpoint = jsonrpc.NewEndpoint(f.server, jsonrpc.API{Streams: []string{flashblocks.Kind}, Announce: func(uint64) {}})
	var running sync.WaitGroup
	f.Feed = flashblocks.New(flashblocks.Config{
		Timeline: f.timeline, Endpoint: f.endpoint, Running: &running,
		Header: func(v *preconf.View) *types.Header {
			if !f.gate.TryLock() {
				select {
				case f.encoding <- struct{}{}:
				default:
				}
				f.gate.Lock()
			}
			defer f.gate.Unlock()
			return v.Header()
		},
	})
	require.NoError(t, f.server.Listen("127.0.0.1:0"))
	t.Cleanup(func() {
		require.NoError(t, f.server.Close())
		running.Wait()
	})
	return f
}

func (f *gatedFeed) dial(query string) *websocket.Conn {
	f.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(f.server.URL("ws")+"/"+query, nil)
	require.NoError(f, err)
	require.NoError(f, ws.SetReadDeadline(time.Now().Add(time.Minute)))
	f.Cleanup(func() { _ = ws.Close() })
	return ws
}

func (f *gatedFeed) preconfirm() {
	f.Helper()
	_, err := f.timeline.Preconfirm()
	require.NoError(f, err)
}

// repeat announces the newest flashblock again, so often.
func (f *gatedFeed) repeat(times int) {
	f.Helper()
	for ; times > 0; times -= 10_000 {
		_, err := f.timeline.FlashblockFault(control.FlashblockFault{Kind: control.DuplicateFlashblock, Count: min(times, 10_000)})
		require.NoError(f, err)
	}
}

// Ensure only the readers of a frame wait while it is encoded: not clients that connect or leave, and not callers
// that cut connections, or set faults or list them. Their effects take place in order among the frames.
func TestNobodyWaitsForAnEncoding(t *testing.T) {
	t.Parallel()
	f := newGatedFeed(t)
	f.gate.Lock()
	packed := f.dial("?compression=brotli")
	for range 3 {
		f.preconfirm()
	}
	<-f.encoding

	text := f.dial("?block_number=1&flashblock_index=0")
	require.Equal(t, 2, f.Readers())
	require.NoError(t, f.Fail(flashblocks.Fault{Kind: flashblocks.Gap}))
	require.Len(t, f.Faults(), 1)
	f.ClearFaults()
	require.Empty(t, f.Faults())
	cut, err := f.endpoint.Disconnect(jsonrpc.Disconnection{Kind: flashblocks.Kind, Code: 4000})
	require.NoError(t, err)
	require.Equal(t, 2, cut)

	f.gate.Unlock()
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

// tooSlow ensures that a reader is closed for a reason, after frames or none.
func tooSlow(t *testing.T, ws *websocket.Conn, reason string) {
	t.Helper()
	var err error
	for err == nil {
		_, _, err = ws.ReadMessage()
	}
	var closed *websocket.CloseError
	require.ErrorAs(t, err, &closed)
	require.Equal(t, websocket.CloseTryAgainLater, closed.Code)
	require.Equal(t, "too slow: "+reason, closed.Text)
}

// Ensure as many as 65,536 frames wait to be encoded, and that with one more their readers are cut off, while the
// feed goes on for others.
func TestFramesThatWaitToBeEncoded(t *testing.T) {
	t.Parallel()
	f := newGatedFeed(t)
	f.gate.Lock()
	ws := f.dial("")
	f.preconfirm()
	<-f.encoding // of the first: the others wait behind it
	f.repeat(65_536)
	require.Equal(t, 1, f.Readers())
	f.repeat(1)
	require.Zero(t, f.Readers())
	tooSlow(t, ws, "more than 65536 flashblocks wait to be encoded")
	last := f.dial("")
	f.gate.Unlock()
	_, err := f.endpoint.Disconnect(jsonrpc.Disconnection{Kind: flashblocks.Kind, Code: 4000})
	require.NoError(t, err)
	_, _, err = last.ReadMessage()
	require.True(t, websocket.IsCloseError(err, 4000), "behind all that waited: %v", err)
	other := f.dial("?compression=brotli")
	f.preconfirm()
	_, _, err = other.ReadMessage()
	require.NoError(t, err)
}

// Ensure readers of a feed that has fallen behind the node by more events than are kept are cut off with the reason,
// and that a client which comes later gets what is new.
func TestFeedTooFarBehind(t *testing.T) {
	t.Parallel()
	f := newGatedFeed(t)
	ws := f.dial("")
	f.preconfirm()
	f.preconfirm()
	for range 2 {
		_, _, err := ws.ReadMessage()
		require.NoError(t, err)
	}
	require.NoError(t, f.timeline.EditState(func(s *evmstate.State) *evmstate.State { // its flashblocks are executed anew
		return s.WithBalance(common.Address{1}, uint256.NewInt(1))
	}))
	f.gate.Lock()
	f.preconfirm()
	<-f.encoding // to learn which flashblocks came out differently
	f.repeat(140_000)
	f.gate.Unlock()
	require.Zero(t, f.Readers())
	tooSlow(t, ws, feed.ErrSlow.Error())
	again := f.dial("")
	require.Equal(t, 1, f.Readers())
	f.preconfirm()
	_, message, err := again.ReadMessage()
	require.NoError(t, err)
	require.Contains(t, string(message), `"index":3`)
}
