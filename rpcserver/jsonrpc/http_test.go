package jsonrpc

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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
	_, text := postJSON(t, url, chainCall)
	require.Contains(t, text, "0x7a69")

	answered := make(chan string)
	go func() {
		_, text := postJSON(t, url, `{"jsonrpc":"2.0","id":1,"method":"test_wait"}`)
		answered <- text
	}()
	<-stub.waiting
	require.NoError(t, server.Close())
	require.Contains(t, <-answered, `"code":-32000`)
	status, _ := postJSON(t, url, chainCall)
	require.Equal(t, 503, status)
}

// Ensure a page that panics is logged with its path, and that its connection ends, while an intended end is not
// logged.
func TestPagesThatPanic(t *testing.T) {
	t.Parallel()
	log := new(lockedBuffer)
	server := newToy(t, Config{Log: slog.New(slog.NewTextHandler(log, nil)), Route: nil}, newStub().table())
	server.main.page = http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		if req.URL.RawQuery == "abort" {
			panic(http.ErrAbortHandler)
		}
		panic("at the disco")
	})
	require.NoError(t, server.Listen("127.0.0.1:0"))
	defer server.Close()
	_, err := http.Get(server.URL("http") + "/?abort")
	require.Error(t, err)
	require.Empty(t, log.String())
	_, err = http.Get(server.URL("http") + "/?panic")
	require.Error(t, err)
	require.Contains(t, log.String(), "request panicked")
	require.Contains(t, log.String(), "path=/ panic=\"at the disco\"")
	_, text := postJSON(t, server.URL("http"), chainCall)
	require.Contains(t, text, toyChain)
}

// Ensure an endpoint that comes after its server's end serves nothing, and that Page may be missing.
func TestEndpointsWithLittle(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{}, newStub().table())
	s.main = NewEndpoint(s.Server, API[*Request]{Methods: newStub().table(), New: newToyRequest})
	require.NoError(t, s.Listen("127.0.0.1:0"))
	response, err := http.Get(s.URL("http"))
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, http.StatusNotFound, response.StatusCode)
	require.NoError(t, s.Close())
	late := NewEndpoint(s.Server, API[*Request]{Methods: newStub().table(), New: newToyRequest})
	require.True(t, late.isClosed())
	require.EqualError(t, s.Listen("127.0.0.1:0"), "listen: the server is closed")
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
