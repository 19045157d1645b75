package jsonrpc

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// postJSON sends one body and returns status and answer.
func postJSON(t testing.TB, url, body string, headers ...string) (int, string) {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	return send(t, req, headers...)
}

func send(t testing.TB, req *http.Request, headers ...string) (int, string) {
	t.Helper()
	for i := 0; i < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return answer.StatusCode, string(text)
}

func TestHTTPStatus(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Limits: Limits{MaxBody: 100}}, newStub().table())
	const answer = `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`
	tests := []struct {
		name, method, path, contentType, body string
		status                                int
		answer                                string
	}{
		{"post", "POST", "/", "application/json", chainCall, 200, answer},
		{"charset", "POST", "/", "application/json; charset=utf-8", chainCall, 200, answer},
		{"JSON-RPC content type", "POST", "/", "application/json-rpc", chainCall, 200, answer},
		{"content type of a form", "POST", "/", "text/plain", chainCall, 415, ""},
		{"no content type", "POST", "/", "", chainCall, 415, ""},
		{"malformed content type", "POST", "/", ";", chainCall, 415, ""},
		{"largest body", "POST", "/", "application/json", chainCall + strings.Repeat(" ", 100-len(chainCall)), 200, answer},
		{"body too large", "POST", "/", "application/json", chainCall + strings.Repeat(" ", 101-len(chainCall)), 413, ""},
		{"notification", "POST", "/", "application/json", `{"jsonrpc":"2.0","method":"test_chain"}`, 204, ""},
		{"no JSON", "POST", "/", "application/json", "{", 200, ""},
		{"help", "GET", "/", "", "", 200, toyPage},
		{"path below an endpoint", "POST", "/other/1", "application/json", chainCall, 404, ""},
		{"unknown path", "POST", "/v1", "application/json", chainCall, 404, ""},
		{"put", "PUT", "/", "application/json", chainCall, 405, ""},
		{"delete", "DELETE", "/", "", "", 405, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			for _, chunked := range []bool{false, true} {
				req, err := http.NewRequest(test.method, server.URL("http")+test.path, strings.NewReader(test.body))
				require.NoError(t, err)
				if chunked {
					req.ContentLength = -1
				}
				if test.contentType != "" {
					req.Header.Set("Content-Type", test.contentType)
				}
				status, text := send(t, req)
				require.Equal(t, test.status, status, text)
				if test.answer != "" {
					require.Equal(t, test.answer, text)
				}
			}
		})
	}
}

// Ensure a body that breaks off is answered with the reason.
func TestBrokenBody(t *testing.T) {
	t.Parallel()
	conn := dialRaw(t, listen(t, Config{}, newStub().table()).URL("http"))
	conn.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n")
	require.Regexp(t, "(?s)^400 Bad Request .* reading the body: ", conn.answer())
}

// Ensure the limit of a body's time is that of the body alone, also through a server of the caller's: a slow body is
// cut off with 408, and a call may take longer than its body.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	const chunk = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2e\r\n"
	each := func(limit time.Duration, check func(url string, main *Endpoint)) {
		config := Config{Limits: Limits{BodyTimeout: limit}}
		ours := listen(t, config, newStub().table())
		check(ours.URL("http"), ours.main)
		toy := newToy(t, config, newStub().table())
		theirs := httptest.NewServer(toy)
		defer theirs.Close()
		check(theirs.URL, toy.main)
	}
	each(20*time.Millisecond, func(url string, _ *Endpoint) {
		for _, request := range []string{chunk + "{", strings.TrimSuffix(postOf(chainCall), "}")} {
			slow := dialRaw(t, url)
			slow.send(request)
			require.Regexp(t, "(?s)^408 Request Timeout.* close true .*body too slow", slow.answer())
			_, err := slow.in.ReadByte()
			require.ErrorIs(t, err, io.EOF)
		}
	})
	each(time.Second, func(url string, main *Endpoint) {
		require.NoError(t, main.Fail(Fault{Method: "test_chain", Latency: 1010 * time.Millisecond}))
		quick := dialRaw(t, url)
		quick.send(chunk + chainCall + "\r\n0\r\n\r\n")
		require.Contains(t, quick.answer(), toyChain)
	})
}

func TestHosts(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Allow: Allow{Hosts: []string{"node.internal", "other:8545"}}}, newStub().table())
	for host, status := range map[string]int{
		"localhost": 200, "localhost:8545": 200, "LOCALHOST": 200, "localhost.": 200, "a.localhost:1": 200,
		"127.0.0.1": 200, "127.0.0.1:8545": 200, "[::1]:8545": 200, "[::1]": 200, "192.168.1.7:8545": 200,
		"node.internal": 200, "Node.Internal:9": 200, "other:8545": 200,
		"other:8546": 403, "other": 403, "evil.example": 403, "evil.example:8545": 403,
		"localhost.evil.example": 403, "notlocalhost": 403, "127.0.0.1.evil.example": 403, "node.internal:1": 200, "node.internal:65536": 403,
		"127.0.0.1:8545.evil.com": 403, "localhost:8545.evil.com": 403, "localhost:": 403, "localhost:65536": 403, "[127.0.0.1]": 403, "[localhost]:8545": 403,
	} {
		req, err := http.NewRequest(http.MethodGet, server.URL("http"), nil)
		require.NoError(t, err)
		req.Host = host
		have, text := send(t, req)
		require.Equal(t, status, have, "%s: %s", host, text)
	}
	any := listen(t, Config{Allow: Allow{Hosts: []string{"*"}}}, newStub().table())
	req, err := http.NewRequest(http.MethodGet, any.URL("http"), nil)
	require.NoError(t, err)
	req.Host = "anything.example"
	status, _ := send(t, req)
	require.Equal(t, 200, status)
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{Allow: Allow{Origins: []string{"https://app.example", "https://slash.example/"}}}, newStub().table())
	any := listen(t, Config{Allow: Allow{Origins: []string{"*"}}}, newStub().table())
	for origin, allowed := range map[string]bool{
		"http://localhost:3000": true, "https://localhost": true, "http://127.0.0.1:5173": true, "http://[::1]:3000": true,
		"http://dapp.localhost": true, "https://app.example": true, "https://slash.example": true,
		"chrome-extension://abcdef": true, "moz-extension://1-2-3": true, "safari-web-extension://x": true,
		"http://app.example": false, "https://app.example:444": false, "https://evil.example": false,
		"http://192.168.1.7": false, "null": false, "file://": false, "chrome-extension://": false,
		"http://localhost.evil.example": false, "http://127.0.0.1.evil.example": false, "://": false,
	} {
		status, text := postJSON(t, server.URL("http"), chainCall, "Origin", origin)
		_, _, err := websocket.DefaultDialer.Dial(server.URL("ws"), http.Header{"Origin": {origin}})
		if allowed {
			require.Equal(t, 200, status, origin)
			require.NoError(t, err, origin)
		} else {
			require.Equal(t, 403, status, origin)
			require.Contains(t, text, "--allow-origin")
			require.Error(t, err, origin)
		}
		status, _ = postJSON(t, any.URL("http"), chainCall, "Origin", origin)
		require.Equal(t, 200, status, origin)
	}
}

func TestPreflight(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	plain, err := http.NewRequest(http.MethodGet, server.URL("http")+"/health", nil)
	require.NoError(t, err)
	plain.Header.Set("Origin", "http://localhost:3000")
	allowed, err := http.DefaultClient.Do(plain)
	require.NoError(t, err)
	require.NoError(t, allowed.Body.Close())
	require.Equal(t, "http://localhost:3000", allowed.Header.Get("Access-Control-Allow-Origin"), "an answer, too")
	for origin, allowed := range map[string]bool{"http://localhost:3000": true, "https://evil.example": false} {
		req, err := http.NewRequest(http.MethodOptions, server.URL("http"), nil)
		require.NoError(t, err)
		req.Header.Set("Origin", origin)
		req.Header.Set("Access-Control-Request-Method", "POST")
		req.Header.Set("Access-Control-Request-Headers", "content-type,x-id")
		req.Header.Set("Access-Control-Request-Private-Network", "true")
		answer, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		if !allowed {
			require.Equal(t, 403, answer.StatusCode)
			require.Empty(t, answer.Header.Get("Access-Control-Allow-Origin"))
			continue
		}
		require.Equal(t, 204, answer.StatusCode)
		require.Equal(t, origin, answer.Header.Get("Access-Control-Allow-Origin"))
		require.Equal(t, "Origin", answer.Header.Get("Vary"))
		require.Contains(t, answer.Header.Get("Access-Control-Allow-Methods"), "POST")
		require.Equal(t, "content-type,x-id", answer.Header.Get("Access-Control-Allow-Headers"))
		require.Equal(t, "true", answer.Header.Get("Access-Control-Allow-Private-Network"))
	}
}
