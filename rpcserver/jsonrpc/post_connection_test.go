package jsonrpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// postOf returns the bytes of a POST of JSON, with more header lines.
func postOf(body string, headers ...string) string {
	head := append([]string{"POST / HTTP/1.1", "Host: localhost", "Content-Type: application/json", fmt.Sprint("Content-Length: ", len(body))}, headers...)
	return strings.Join(head, "\r\n") + "\r\n\r\n" + body
}

// rawConnection is a connection that a test writes bytes to.
type rawConnection struct {
	t testing.TB
	net.Conn
	in *bufio.Reader
}

func dialRaw(t testing.TB, url string) *rawConnection {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return &rawConnection{t, conn, bufio.NewReader(conn)}
}

func (c *rawConnection) send(request string) {
	c.t.Helper()
	_, err := io.WriteString(c, request)
	require.NoError(c.t, err)
}

// answer returns status, header but for its date, and body of the next answer.
func (c *rawConnection) answer() string {
	c.t.Helper()
	answer, err := http.ReadResponse(c.in, nil)
	require.NoError(c.t, err)
	body, err := io.ReadAll(answer.Body)
	require.NoError(c.t, err)
	if answer.StatusCode != http.StatusBadRequest { // net/http's own have none
		require.NotEmpty(c.t, answer.Header.Get("Date"))
	}
	answer.Header.Del("Date")
	return fmt.Sprintf("%s %v close %v length %d %s", answer.Status, answer.Header, answer.Close, answer.ContentLength, body)
}

// Ensure a port answers all traffic of a connection like an http.Server of the caller's, which sends every request
// through net/http.
func TestConnectionAnswersAsNetHTTP(t *testing.T) {
	t.Parallel()
	config := Config{Limits: Limits{MaxBody: 20_000}}
	ours := listen(t, config, newStub().table())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	theirs := &http.Server{Handler: newToy(t, config, newStub().table())}
	go func() { _ = theirs.Serve(listener) }()
	t.Cleanup(func() { _ = theirs.Close() })

	call := postOf(chainCall)
	echo := postOf(`{"jsonrpc":"2.0","id":2,"method":"test_raw","params":["` + strings.Repeat("x", 10_000) + `"]}`)
	batch := postOf("[" + chainCall + "," + chainCall + "]")
	notification := postOf(`{"jsonrpc":"2.0","method":"test_chain"}`)
	page := "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
	foreign := postOf(chainCall, "Origin: https://evil.example")
	elsewhere := strings.Replace(call, "POST / ", "POST /nowhere ", 1)
	tests := map[string]struct {
		request string
		answers int
		ends    bool
	}{
		"one call":                        {call, 1, false},
		"calls":                           {call + call + echo + call + batch + echo, 6, false},
		"notification":                    {notification + call, 2, false},
		"no JSON":                         {postOf("{") + call, 2, false},
		"page":                            {page + call, 2, false},
		"page between calls":              {call + page + call + page, 4, false},
		"preflight":                       {call + "OPTIONS / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost:3000\r\nAccess-Control-Request-Method: POST\r\n\r\n" + call, 3, false},
		"call of a page":                  {postOf(chainCall, "Origin: http://localhost:3000") + call, 2, false},
		"foreign page":                    {foreign + call, 2, false},
		"unknown path":                    {elsewhere + call, 2, false},
		"other content type":              {call + strings.Replace(call, "application/json", "text/plain", 1) + call, 3, false},
		"last call":                       {call + postOf(chainCall, "Connection: close"), 2, true},
		"HTTP/1.0":                        {call + strings.Replace(call, "HTTP/1.1", "HTTP/1.0", 1), 2, true},
		"HTTP/1.0 that stays":             {strings.Replace(postOf(chainCall, "Connection: keep-alive"), "HTTP/1.1", "HTTP/1.0", 1) + call, 2, false},
		"chunks":                          {call + "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2e\r\n" + chainCall + "\r\n0\r\n\r\n" + call, 3, false},
		"empty body":                      {postOf("") + call, 2, false},
		"body too large":                  {call + postOf(strings.Repeat(" ", 20_001)), 2, true},
		"largest body":                    {postOf(chainCall + strings.Repeat(" ", 20_000-len(chainCall))), 1, false},
		"negative length":                 {strings.Replace(call, "Content-Length: 46", "Content-Length: -1", 1), 1, true},
		"two lengths":                     {strings.Replace(call, "\r\n\r\n", "\r\nContent-Length: 5\r\n\r\n", 1), 1, true},
		"no host":                         {strings.Replace(call, "Host: localhost\r\n", "", 1), 1, true},
		"two hosts":                       {strings.Replace(call, "Host: localhost\r\n", "Host: localhost\r\nHost: localhost\r\n", 1), 1, true},
		"foreign host":                    {strings.Replace(call, "Host: localhost", "Host: evil.example", 1) + call, 2, false},
		"control character in the header": {call + postOf(chainCall, "X-Note: \x01"), 2, true},
		"no HTTP":                         {"HELO\r\n\r\n", 1, true},
		"large header":                    {call + postOf(chainCall, "X-Note: "+strings.Repeat("x", 10_000)) + call, 3, false},
		"upgrade nobody asked for":        {postOf(chainCall, "Connection: Upgrade", "Upgrade: h2c") + call, 2, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			own, other := dialRaw(t, ours.URL("http")), dialRaw(t, "http://"+listener.Addr().String())
			own.send(test.request)
			other.send(test.request)
			for range test.answers {
				require.Equal(t, other.answer(), own.answer())
			}
			for _, conn := range []*rawConnection{own, other} {
				if test.ends {
					_, err := conn.in.ReadByte()
					require.ErrorIs(t, err, io.EOF)
					continue
				}
				conn.send(call)
				require.Contains(t, conn.answer(), toyChain)
			}
		})
	}
}

// Ensure a WebSocket opens on a connection over which calls came before, and nothing is lost in between.
func TestWebSocketAfterPosts(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	conn := dialRaw(t, server.URL("http"))
	conn.send(postOf(chainCall))
	require.Contains(t, conn.answer(), toyChain)
	dialer := websocket.Dialer{NetDialContext: func(context.Context, string, string) (net.Conn, error) { return conn.Conn, nil }}
	ws, _, err := dialer.Dial(server.URL("ws"), nil)
	require.NoError(t, err)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainCall)))
	_, answer, err := ws.ReadMessage()
	require.NoError(t, err)
	require.Contains(t, string(answer), toyChain)
}
