package jsonrpc

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// Ensure a silent fault of a call leaves its client without an answer: over HTTP until it gives up, and on a
// WebSocket also without those to later messages, while both connections stay open and the method has run.
func TestSilentCalls(t *testing.T) {
	t.Parallel()
	ran := make(chan struct{}, 10)
	table := newStub().table()
	table["test_run"] = Params0(func(*Request) (any, error) { ran <- struct{}{}; return true, nil })
	seen := new(notes)
	server := listenAs(t, API[*Request]{Methods: table, New: newToyRequest, Tap: seen})
	const run = `{"jsonrpc":"2.0","id":1,"method":"test_run"}`
	silence := Fault{Method: "test_run", Silent: true}

	require.NoError(t, server.main.Fail(silence))
	ctx, giveUp := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL("http"), strings.NewReader(run))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	failed := make(chan error, 1)
	go func() {
		response, err := http.DefaultClient.Do(req)
		if err == nil {
			_ = response.Body.Close()
		}
		failed <- err
	}()
	<-ran
	_, text := postJSON(t, server.URL("http"), run)
	require.Contains(t, text, "true", "the silent one has given the turn away")
	<-ran
	require.Empty(t, failed)
	giveUp()
	require.ErrorIs(t, <-failed, context.Canceled)
	lines := strings.Join(seen.take(), "\n")
	require.Contains(t, lines, "> connection 0 exchange 1 ")
	require.NotContains(t, lines, "< connection 0 exchange 1 ")
	require.NotContains(t, lines, "x connection")

	require.NoError(t, server.main.Fail(silence))
	require.Empty(t, server.main.Call(t.Context(), []byte(run)), "in the process the call ends")
	<-ran
	require.NoError(t, server.main.Fail(silence))
	ws := dial(t, server)
	for _, message := range []string{run, run, chainCall} {
		require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(message)))
	}
	<-ran
	<-ran
	require.NoError(t, ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Minute)))
	ponged := errors.New("ponged")
	ws.SetPongHandler(func(string) error { return ponged })
	_, _, err = ws.ReadMessage()
	require.ErrorIs(t, err, ponged)
	require.Equal(t, 1, server.main.Connections())

	require.NoError(t, server.main.Fail(silence))
	go func() {
		_, err := http.Post(server.URL("http"), "application/json", strings.NewReader(run))
		failed <- err
	}()
	<-ran
	defer func() {
		require.NoError(t, server.Close())
		require.Error(t, <-failed, "no answer when the node ends, either")
	}()

	seen.take()
	require.NoError(t, server.main.Fail(Fault{Method: "test_run", DropConnection: true}))
	_, err = http.Post(server.URL("http"), "application/json", strings.NewReader(run))
	require.Error(t, err)
	require.Contains(t, strings.Join(seen.take(), "\n"), "x connection 0 exchange 5 observer false status 0 ")
}

// Ensure a fault of a socket's call with a status closes it with the reason, and that one which drops it leaves
// none.
func TestFaultsThatEndSockets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault Fault
		code  int
		text  string
	}{
		{Fault{HTTPStatus: 429}, websocket.CloseInternalServerErr, "injected fault: HTTP status 429"},
		{Fault{LoseAnswer: true}, websocket.CloseInternalServerErr, "injected fault: HTTP status 504"},
		{Fault{DropConnection: true}, websocket.CloseAbnormalClosure, "unexpected EOF"},
		{Fault{DropConnection: true, HTTPStatus: 500}, websocket.CloseAbnormalClosure, "unexpected EOF"},
	} {
		server := listen(t, Config{}, newStub().table())
		test.fault.Method, test.fault.Nth = "test_chain", 2
		require.NoError(t, server.main.Fail(test.fault))
		ws := dial(t, server)
		require.Contains(t, ask(t, ws, chainCall), toyChain)
		require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainCall)))
		_, _, err := ws.ReadMessage()
		var closed *websocket.CloseError
		require.ErrorAs(t, err, &closed)
		require.Equal(t, test.code, closed.Code)
		require.Equal(t, test.text, closed.Text)
	}
}
