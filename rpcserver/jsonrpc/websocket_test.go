package jsonrpc

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

func dial(t testing.TB, server *toy) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(server.URL("ws"), nil)
	require.NoError(t, err)
	require.NoError(t, ws.SetReadDeadline(time.Now().Add(time.Minute)))
	t.Cleanup(func() { _ = ws.Close() })
	return ws
}

// ask sends a message and returns the next one.
func ask(t testing.TB, ws *websocket.Conn, message string) string {
	t.Helper()
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(message)))
	return receive(t, ws)
}

func receive(t testing.TB, ws *websocket.Conn) string {
	t.Helper()
	_, message, err := ws.ReadMessage()
	require.NoError(t, err)
	return string(message)
}

// closedWith requires that a connection ends next, with a close code and a reason that contains text.
func closedWith(t testing.TB, ws *websocket.Conn, code int, text string) {
	t.Helper()
	_, message, err := ws.ReadMessage()
	var closed *websocket.CloseError
	require.ErrorAs(t, err, &closed, "%s", message)
	require.Equal(t, code, closed.Code)
	require.Contains(t, closed.Text, text)
}

func TestWebSocketAnswersInOrder(t *testing.T) {
	t.Parallel()
	ws := dial(t, listen(t, Config{}, newStub().table()))
	const around = len(`{"jsonrpc":"2.0","id":1,"result":""}`)
	sizes := []int{0, 1, 125 - around, 126 - around, 127 - around, 65_535 - around, 65_536 - around, 1_000_000} // headers of frames grow there
	for i, size := range sizes {
		value := `"` + strings.Repeat("x", size) + `"`
		require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"test_raw","params":[%s]}`, i, value))))
	}
	for i, size := range sizes {
		value := `"` + strings.Repeat("x", size) + `"`
		require.Equal(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, i, value), receive(t, ws))
	}
	require.Contains(t, ask(t, ws, "{"), `"id":null,"error":{"code":-32700`)
	require.NoError(t, ws.WriteMessage(websocket.BinaryMessage, []byte(chainCall)))
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`, receive(t, ws))
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","method":"test_chain"}`)))
	require.Contains(t, ask(t, ws, `[{"jsonrpc":"2.0","id":7,"method":"test_chain"}]`), `"id":7`, "the notification got no answer")
}

// Ensure a ping is answered while a call runs.
func TestPingDuringACall(t *testing.T) {
	t.Parallel()
	stub := newStub()
	table := stub.table()
	end := make(chan struct{})
	table["test_busy"] = Params0(func(*Request) (any, error) { <-end; return true, nil })
	ws := dial(t, listen(t, Config{}, table))
	ws.SetPongHandler(func(string) error { close(end); return nil })
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"test_busy"}`)))
	require.NoError(t, ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Minute)))
	require.Contains(t, receive(t, ws), "true")
	require.Contains(t, ask(t, ws, chainCall), toyChain)
}

func TestWebSocketMessageTooLarge(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Limits: Limits{MaxMessage: 1000}}, newStub().table())
	ws := dial(t, server)
	request := chainCall
	require.Contains(t, ask(t, ws, request+strings.Repeat(" ", 1000-len(request))), "0x7a69")
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, make([]byte, 1001)))
	closedWith(t, ws, websocket.CloseMessageTooBig, "")
	require.Contains(t, ask(t, dial(t, server), request), "0x7a69", "others are served")
}

// Ensure a client that leaves cancels its running call, also when it has sent more messages, and that the messages it
// sent before it left are still run.
func TestLeavingClientCancelsItsCall(t *testing.T) {
	t.Parallel()
	for name, leave := range map[string]func(*websocket.Conn) error{
		"hangs up": (*websocket.Conn).Close,
		"close frame, then hangs up": func(ws *websocket.Conn) error {
			goodbye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "")
			if err := ws.WriteControl(websocket.CloseMessage, goodbye, time.Now().Add(time.Minute)); err != nil {
				return err
			}
			return ws.Close()
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stub := newStub()
			table := stub.table()
			ended, ran := make(chan error, 1), make(chan struct{})
			table["test_busy"] = Params0(func(r *Request) (any, error) {
				stub.waiting <- struct{}{}
				<-r.Context().Done()
				ended <- r.Context().Err()
				return nil, r.Context().Err()
			})
			table["test_run"] = Params0(func(*Request) (any, error) { close(ran); return true, nil })
			ws := dial(t, listen(t, Config{}, table))
			for _, method := range []string{"test_busy", "test_run"} {
				require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(`{"jsonrpc":"2.0","id":1,"method":"`+method+`"}`)))
			}
			<-stub.waiting
			require.NoError(t, leave(ws))
			require.ErrorIs(t, <-ended, context.Canceled)
			<-ran
		})
	}
}

// Ensure messages that a client sent before its close frame are answered before the close frame.
func TestCloseFrameFollowsTheAnswers(t *testing.T) {
	t.Parallel()
	ws := dial(t, listen(t, Config{}, newStub().table()))
	const requests = 20
	for i := range requests {
		require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"test_chain"}`, i))))
	}
	goodbye := websocket.FormatCloseMessage(websocket.CloseNormalClosure, "done")
	require.NoError(t, ws.WriteControl(websocket.CloseMessage, goodbye, time.Now().Add(time.Minute)))
	for i := range requests {
		require.Equal(t, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":"0x7a69"}`, i), receive(t, ws))
	}
	closedWith(t, ws, websocket.CloseNormalClosure, "")
}

// Ensure an endpoint that closes sends its own clients the reason, and does not affect the clients of another.
func TestEndpointGoesAway(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := listen(t, Config{}, stub.table())
	ws := dial(t, server)
	ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[0]}`)
	other, _, err := websocket.DefaultDialer.Dial(server.URL("ws")+"/other", nil)
	require.NoError(t, err)
	defer other.Close()

	server.main.Close("the world was removed")
	closedWith(t, ws, websocket.CloseGoingAway, "the world was removed")
	<-stub.feed.stopped
	status, _ := postJSON(t, server.URL("http"), chainCall)
	require.Equal(t, 404, status)
	require.Contains(t, ask(t, other, chainCall), "0x7a69")
}
