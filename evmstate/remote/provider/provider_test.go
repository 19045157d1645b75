package provider

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/time/rate"
)

// Ensure an answer over HTTP is read in any order of its calls, and that one of another form is an error without the
// keys of the URL and of the headers.
func TestHTTPAnswers(t *testing.T) {
	t.Parallel()
	const first, second = `{"id":1,"result":"one"}`, `{"id":2,"result":null}`
	long := strings.Repeat("x", 301)
	for _, c := range []struct {
		status     int
		body, want string
	}{
		{200, "[" + first + "," + second + "]", `"one" null`},
		{200, " [" + second + "," + first + "]\n", `"one" null`},
		{200, `[{"id":"2","result":2},{"id":"1","result":1}]`, "1 2"},
		{403, "[" + first + "," + second + "]", `"one" null`},
		{200, `[{"id":1,"result":1},{"id":2,"error":{"code":-32000,"message":"of\n my-password  at /v3/secret-key?key=token-1"}}]`, "1 NODE answered: of *** at *** (code -32000)"},
		{200, `[{"id":1,"result":1},{"id":2,"error":{"code":7,"message":"` + long[:300] + `"}}]`, "1 NODE answered: " + long[:300] + " (code 7)"},
		{200, `[{"id":1,"result":1},{"id":2,"error":{"code":7,"message":"` + long + `"}}]`, "1 NODE answered: " + long[:300] + "… (code 7)"},
		{200, "[" + first + "]", "NODE answered 1 calls of a batch of 2"},
		{200, "[" + first + "," + second + "," + first + "]", "NODE answered 3 calls of a batch of 2"},
		{200, "[" + first + "," + first + "]", "NODE answered a batch with the wrong ids"},
		{200, `[{"id":0,"result":1},{"id":1,"result":1}]`, "NODE answered a batch with the wrong ids"},
		{200, `[{"id":3,"result":1},{"id":1,"result":1}]`, "NODE answered a batch with the wrong ids"},
		{200, `[{"id":"x","result":1},{"id":1,"result":1}]`, "NODE answered a batch with the wrong ids"},
		{200, `[{"result":1},{"id":1,"result":1}]`, "NODE answered a batch with the wrong ids"},
		{200, "[" + first + `,{"id":2}]`, "NODE answered call 2 with neither a result nor an error"},
		{200, `<html>token-1`, "NODE answered no JSON-RPC batch: invalid character '<' looking for beginning of value"},
		{200, `{"result":1}`, "NODE answered no JSON-RPC batch: json: cannot unmarshal object into Go value of type []provider.Result"},
		{200, `{"error":{"code":-32005,"message":"slow down"}}`, "NODE answered: slow down (code -32005)"},
		{200, `{"error":{"code":-32600,"message":"one by one"}}`, "NODE answered: one by one (code -32600) NODE answered: one by one (code -32600)"},
		{200, `{"result":9,"error":null}`, "NODE answered no JSON-RPC batch: json: cannot unmarshal object into Go value of type []provider.Result"},
		{403, `<html>`, "NODE answered HTTP 403"},
		{302, ``, "NODE answered HTTP 302"},
		{429, "[" + first + "," + second + "]", "NODE answered HTTP 429"},
		{499, `<html>`, "NODE answered HTTP 499"},
		{500, "[" + first + "," + second + "]", "NODE answered HTTP 500"},
	} {
		requests := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			requests++
			if r.Header.Get("Authorization") != "Bearer my-password" || r.URL.RequestURI() != "/v3/secret-key?key=token-1" {
				c.status = http.StatusTeapot
			}
			w.Header().Set("Location", "/elsewhere")
			w.WriteHeader(c.status)
			_, _ = io.WriteString(w, c.body)
		}))
		t.Cleanup(server.Close)
		results, err := New(Config{
			URL: server.URL + "/v3/secret-key?key=token-1", Headers: http.Header{"Authorization": {"Bearer my-password"}}, Timeout: time.Minute,
		}).Call(t.Context(), Call{"a", nil}, Call{"b", []any{true}})
		var have []string
		if err != nil {
			have = append(have, err.Error())
		}
		for _, r := range results {
			if r.Error != nil {
				have = append(have, r.Error.Error())
			} else {
				have = append(have, string(r.Value))
			}
		}
		require.Equal(t, c.want, strings.ReplaceAll(strings.Join(have, " "), server.URL, "NODE"))
		if strings.Contains(c.want, "one by one") {
			require.Equal(t, 3, requests, "a batch in vain, and the calls")
		} else {
			require.Equal(t, 1, requests)
		}
	}
}

// Ensure an error by which a provider asks to come again is told from others, whatever the provider.
func TestBusy(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]bool{
		"Rate limit reached": true, "Too Many Requests": true, "your plan's compute units": true, "app has exceeded its throughput": true, "please try again": true,
		"retry later": true, "transaction indexing is in progress": true, "execution reverted": false, "limit exceeded": false, "": false,
	} {
		require.Equal(t, want, (&Error{Code: -32000, Message: message}).busy(), message)
	}
	for code, want := range map[int]bool{429: true, -32005: true, -32029: true, -32000: false, 428: false, -32004: false} {
		require.Equal(t, want, (&Error{Code: code}).busy(), fmt.Sprint(code))
	}
}

// Ensure a limit of requests bounds the calls of a batch, as far as a batch has a limit of its own.
func TestRequestsPerSecond(t *testing.T) {
	t.Parallel()
	for limit, batch := range map[int]int{0: maxBatch, 1: 1, 3: 3, maxBatch: maxBatch, maxBatch + 1: maxBatch} {
		c := New(Config{RequestsPerSecond: limit})
		require.Equal(t, batch, c.batch, limit)
		require.Equal(t, batch, c.limiter.Burst(), limit)
		want := rate.Limit(limit)
		if limit == 0 {
			want = rate.Inf
		}
		require.Equal(t, want, c.limiter.Limit())
	}
}

// Ensure a fork goes on at the next of its nodes when one fails, and comes back to the first when that fails, too.
func TestFallbacks(t *testing.T) {
	t.Parallel()
	var served [2]int
	var down [2]bool
	node := func(i int) string {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			if down[i] {
				w.WriteHeader(http.StatusBadGateway)
				return
			}
			served[i]++
			_, _ = w.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":"0x1"}`))
		}))
		t.Cleanup(server.Close)
		return server.URL
	}
	c := New(Config{URL: node(0), Fallbacks: []string{node(1)}, Timeout: time.Minute})
	ask := func() error {
		_, err := c.Call(t.Context(), Call{"eth_chainId", nil})
		return err
	}
	require.NoError(t, ask())
	down[0] = true
	require.NoError(t, ask())
	require.NoError(t, ask())
	require.Equal(t, [2]int{1, 2}, served)
	down = [2]bool{false, true}
	require.ErrorContains(t, ask(), "HTTP 502")
	require.NoError(t, ask())
	require.Equal(t, [2]int{2, 2}, served)
}
