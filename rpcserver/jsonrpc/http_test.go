package jsonrpc

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

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
	const chainID = `{"jsonrpc":"2.0","id":1,"method":"test_chain"}`
	const answer = `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`
	tests := []struct {
		name, method, path, contentType, body string
		status                                int
		answer                                string
	}{
		{"post", "POST", "/", "application/json", chainID, 200, answer},
		{"charset", "POST", "/", "application/json; charset=utf-8", chainID, 200, answer},
		{"JSON-RPC content type", "POST", "/", "application/json-rpc", chainID, 200, answer},
		{"content type of a form", "POST", "/", "text/plain", chainID, 415, ""},
		{"no content type", "POST", "/", "", chainID, 415, ""},
		{"malformed content type", "POST", "/", ";", chainID, 415, ""},
		{"largest body", "POST", "/", "application/json", chainID + strings.Repeat(" ", 100-len(chainID)), 200, answer},
		{"body too large", "POST", "/", "application/json", chainID + strings.Repeat(" ", 101-len(chainID)), 413, ""},
		{"notification", "POST", "/", "application/json", `{"jsonrpc":"2.0","method":"test_chain"}`, 204, ""},
		{"no JSON", "POST", "/", "application/json", "{", 200, ""},
		{"help", "GET", "/", "", "", 200, toyPage},
		{"path below an endpoint", "POST", "/other/1", "application/json", chainID, 404, ""},
		{"unknown path", "POST", "/v1", "application/json", chainID, 404, ""},
		{"put", "PUT", "/", "application/json", chainID, 405, ""},
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

func TestLargeBodyIsRefusedAndServingGoesOn(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	status, text := postJSON(t, server.URL("http"), strings.Repeat("x", (32<<20)+1))
	require.Equal(t, 413, status)
	require.Contains(t, text, "33554432")
	status, _ = postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"test_chain"}`)
	require.Equal(t, 200, status)
}

func TestDeeplyNestedJSON(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	deep := strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000)
	_, text := postJSON(t, server.URL("http"), deep)
	require.Contains(t, text, `"id":null,"error":{"code":-32700,`)
	_, text = postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"test_echo","params":[`+deep+`]}`)
	require.Contains(t, text, `"error":{"code":-32700,`)
	shallow := strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000)
	_, text = postJSON(t, server.URL("http"), `{"jsonrpc":"2.0","id":1,"method":"test_raw","params":[`+shallow+`]}`)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":`+shallow+`}`, text)
}

func TestForeignHTTPServer(t *testing.T) {
	t.Parallel()
	stub := newStub()
	server := newToy(t, Config{Log: slog.New(slog.DiscardHandler)}, stub.table())
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	foreign := &http.Server{Handler: server}
	go func() { _ = foreign.Serve(listener) }()
	defer foreign.Close()
	url := "http://" + listener.Addr().String()
	_, text := postJSON(t, url, `{"jsonrpc":"2.0","id":1,"method":"test_chain"}`)
	require.Contains(t, text, "0x7a69")

	answered := make(chan string)
	go func() {
		_, text := postJSON(t, url, `{"jsonrpc":"2.0","id":1,"method":"test_wait"}`)
		answered <- text
	}()
	<-stub.waiting
	require.NoError(t, server.Close())
	require.Contains(t, <-answered, `"code":-32000`)
	status, _ := postJSON(t, url, `{"jsonrpc":"2.0","id":1,"method":"test_chain"}`)
	require.Equal(t, 503, status)
}
