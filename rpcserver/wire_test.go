package rpcserver

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// dial opens a WebSocket connection to the main network.
func dial(t testing.TB, server *Server) *websocket.Conn {
	t.Helper()
	return dialAt(t, server, "")
}

// dialAt is dial at a path with a query.
func dialAt(t testing.TB, server *Server, path string) *websocket.Conn {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.Dial(server.WebSocketURL()+path, nil)
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

// receive returns the next message.
func receive(t testing.TB, ws *websocket.Conn) string {
	t.Helper()
	_, message, err := ws.ReadMessage()
	require.NoError(t, err)
	return string(message)
}

// post sends one body and returns status and answer.
func post(t testing.TB, url, body string) (int, string) {
	t.Helper()
	answer, err := http.Post(url, "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text)
}
