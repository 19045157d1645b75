package jsonrpc

import (
	"net/http"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

func TestHosts(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{AllowHosts: []string{"node.internal", "other:8545"}}, newStub().table())
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
	any := listen(t, Config{AllowHosts: []string{"*"}}, newStub().table())
	req, err := http.NewRequest(http.MethodGet, any.URL("http"), nil)
	require.NoError(t, err)
	req.Host = "anything.example"
	status, _ := send(t, req)
	require.Equal(t, 200, status)
}

func TestOrigins(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{AllowOrigins: []string{"https://app.example", "https://slash.example/"}}, newStub().table())
	any := listen(t, Config{AllowOrigins: []string{"*"}}, newStub().table())
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
