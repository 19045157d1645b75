package jsonrpc

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// Ensure no further answer is made for a client that has a long answer to read, that others are served meanwhile,
// and that the client gets all its answers once it reads.
func TestNothingIsMadeForWhoDoesNotRead(t *testing.T) {
	t.Parallel()
	const requests, size = 5, 20 << 20 // more than the system takes for a client
	var made atomic.Int32
	began := make(chan struct{}, requests)
	answer := rawResult(`"` + strings.Repeat("x", size) + `"`)
	server := listen(t, Config{}, map[string]Method[*Request]{
		"test_long":  Params0(func(*Request) (any, error) { made.Add(1); began <- struct{}{}; return answer, nil }),
		"test_chain": Params0(func(*Request) (any, error) { return toyChain, nil }),
	})
	ws, other := dial(t, server), dial(t, server)
	for range requests {
		require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"test_long"}`)))
	}
	<-began
	for range 100 {
		require.Contains(t, ask(t, other, chainCall), toyChain)
	}
	require.EqualValues(t, 1, made.Load())
	for range requests {
		require.Greater(t, len(receive(t, ws)), size)
	}
	require.EqualValues(t, requests, made.Load())
}

// slowResult is a long result whose encoding waits for a test.
type slowResult struct{ began, goOn chan struct{} }

func (slowResult) Size() int { return longAnswer + 1 }

func (r slowResult) AppendJSON(dst []byte) []byte {
	r.began <- struct{}{}
	<-r.goOn
	return append(dst, "true"...)
}

// Ensure long answers do not take all processors: only the allowed number is encoded at a time, and other requests
// are answered meanwhile.
func TestLongAnswersAreEncodedInTurn(t *testing.T) {
	t.Parallel()
	slow := slowResult{make(chan struct{}, 100), make(chan struct{})}
	server := listen(t, Config{}, map[string]Method[*Request]{
		"test_long":  Params0(func(*Request) (any, error) { return slow, nil }),
		"test_chain": Params0(func(*Request) (any, error) { return toyChain, nil }),
	})
	atATime := cap(server.encoding)
	clients := make([]*websocket.Conn, atATime+3)
	for i := range clients {
		clients[i] = dial(t, server)
		require.NoError(t, clients[i].WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"test_long"}`)))
	}
	for range atATime {
		<-slow.began
	}
	reader := dial(t, server)
	for range 100 {
		require.Contains(t, ask(t, reader, chainCall), toyChain)
	}
	require.Empty(t, slow.began)
	close(slow.goOn)
	for _, client := range clients {
		require.Contains(t, receive(t, client), "true")
	}
}

// Ensure a batch runs no further calls while the answers to all clients, its own included, take all allowed memory,
// and that its answer says so.
func TestBatchesLeaveRoomForOthers(t *testing.T) {
	t.Parallel()
	const most, size = 4 << 20, 200 << 10
	server := listen(t, Config{Limits: Limits{SubscribersMemory: most}}, newStub().table())
	call := `{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["` + strings.Repeat("x", size) + `"]}`
	response, err := http.Post(server.URL("http"), "application/json", strings.NewReader("["+strings.Repeat(call+",", 19)+call+"]"))
	require.NoError(t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, 11, bytes.Count(answer, []byte(`"result"`)))
	refused := fmt.Sprintf("answers too large: what clients have not read and what is made for them take too much of %d bytes", most)
	require.Equal(t, 8, bytes.Count(answer, []byte(refused)))
	require.Zero(t, server.backlog.unfinished.Load())
}

// turns is a tap that lets one message after another have its turn.
type turns struct{ sync.Mutex }

func (t *turns) Begin()        { t.Lock() }
func (t *turns) End()          { t.Unlock() }
func (t *turns) Note(TapEvent) {}

// Ensure an answer that has no room beside unread notifications waits for its client to read, and that others get
// theirs meanwhile, also where a tap lets them have turns.
func TestAnswerWithoutRoomWaits(t *testing.T) {
	t.Parallel()
	for name, tap := range map[string]Tap{"free": nil, "in turns": new(turns)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const unread, long = 20 << 20, 16 << 20 // more than the system takes for a client
			stub, made := newStub(), make(chan struct{}, 1)
			table := stub.table()
			answer := rawResult(`"` + strings.Repeat("x", long) + `"`)
			table["test_long"] = Params0(func(*Request) (any, error) { made <- struct{}{}; return answer, nil })
			server := newToy(t, Config{Limits: Limits{SubscriberBuffer: 24 << 20}}, table)
			server.main = NewEndpoint(server.Server, API[*Request]{Methods: table, New: newToyRequest, Tap: tap})
			require.NoError(t, server.Listen("127.0.0.1:0"))
			t.Cleanup(func() { require.NoError(t, server.Close()) })
			ws, other := dial(t, server), dial(t, server)
			ask(t, ws, subscribeRequest)
			note := `"` + strings.Repeat("n", unread) + `"`
			require.Equal(t, 1, stub.feed.publish([]byte(note)))
			require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":2,"method":"test_long"}`)))
			<-made
			for range 20 {
				require.Contains(t, ask(t, other, chainCall), toyChain)
			}
			require.Less(t, server.main.Subscriptions()[0].Unread, unread+long, "the answer is not queued")
			require.Equal(t, notification("0x1", note), receive(t, ws))
			require.Len(t, receive(t, ws), len(`{"jsonrpc":"2.0","id":2,"result":""}`)+long)
			require.Contains(t, ask(t, ws, chainCall), toyChain)
		})
	}
}
