package jsonrpc

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Ensure a limit that is not set has its default, one that is set stays, and a negative one is rejected by its name.
func TestLimits(t *testing.T) {
	t.Parallel()
	require.Equal(t, Limits{
		MaxBody: 33_554_432, BodyTimeout: 30 * time.Second, MaxMessage: 33_554_432, MaxBatch: 1000, MaxAnswer: 268_435_456,
		SubscriberBuffer: 67_108_864, SubscribersMemory: 536_870_912, JournalSize: 10_000,
	}, Limits{}.Filled())
	set := Limits{
		MaxBody: 1, BodyTimeout: 2, MaxMessage: 3, MaxBatch: 4, MaxAnswer: 5, SubscriberBuffer: 6, SubscribersMemory: 7, SocketIdle: 8, JournalSize: -1,
	}
	require.Equal(t, set, set.Filled())
	require.NoError(t, set.Validate())
	require.NoError(t, Limits{}.Validate())
	for want, limits := range map[string]Limits{
		"limit of the HTTP body is -1, want 1 or more, or 0 for the default":                   {MaxBody: -1},
		"limit of the WebSocket message is -2, want 1 or more, or 0 for the default":           {MaxMessage: -2},
		"limit of the batch is -3, want 1 or more, or 0 for the default":                       {MaxBatch: -3},
		"limit of the answer is -4, want 1 or more, or 0 for the default":                      {MaxAnswer: -4},
		"limit of the subscriber buffer is -5, want 1 or more, or 0 for the default":           {SubscriberBuffer: -5},
		"limit of the memory of all subscribers is -6, want 1 or more, or 0 for the default":   {SubscribersMemory: -6},
		"time limit of a silent WebSocket connection is -1ns, want more than 0, or 0 for none": {SocketIdle: -1},
		"time limit of an HTTP body is -1ns, want more than 0, or 0 for the default":           {BodyTimeout: -1},
	} {
		require.EqualError(t, limits.Validate(), want)
	}
}

// Ensure a batch has one call at least and as many as the limit at most.
func TestSizesOfBatches(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{Limits: Limits{MaxBatch: 2}}, newStub().table())
	defer s.Close()
	const answer = `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`
	for body, want := range map[string]string{
		"[]":                                    `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}`,
		" [ ] ":                                 `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"empty batch"}}`,
		"[" + chainCall + "]":                   "[" + answer + "]",
		" [" + chainCall + "]":                  "[" + answer + "]",
		"[" + chainCall + "," + chainCall + "]": "[" + answer + "," + answer + "]",
		"[" + chainCall + "," + chainCall + "," + chainCall + "]":     `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"batch too large: 3 calls, the limit is 2"}}`,
		`[{"jsonrpc":"2.0","method":"test_chain"},` + chainCall + "]": "[" + answer + "]",
		`[{"jsonrpc":"2.0","method":"test_chain"}]`:                   "",
		"":                      `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON: empty body"}}`,
		"\"\xff\"":              `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON: not UTF-8"}}`,
		"{":                     `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"invalid JSON: unexpected end of JSON input"}}`,
		"7":                     `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have 7"}}`,
		`[7,` + chainCall + "]": `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: want an object, have 7"}},` + answer + "]",
	} {
		require.Equal(t, want, string(s.main.Call(t.Context(), []byte(body))), body)
	}
}

// Ensure the data of an error counts for the limit of an answer, and its message, which is short, does not.
func TestErrorsWithinTheLimit(t *testing.T) {
	t.Parallel()
	data := ""
	s := newToy(t, Config{Limits: Limits{MaxAnswer: 200}}, map[string]Method[*Request]{
		"test_fail": Params0(func(*Request) (any, error) {
			err := Errorf(7, "failed")
			if data != "" {
				err.Data = data
			}
			return nil, err
		}),
	})
	defer s.Close()
	const call = `{"jsonrpc":"2.0","id":1,"method":"test_fail"}`
	around := len(`{"jsonrpc":"2.0","id":1,"error":{"code":7,"message":"failed","data":""}}`)
	for _, test := range []struct {
		size int
		fits bool
	}{{0, true}, {1, true}, {200 - around, true}, {201 - around, false}, {1000, false}} {
		data = string(make([]byte, 0, test.size))
		for range test.size {
			data += "d"
		}
		answer := string(s.main.Call(t.Context(), []byte(call)))
		if test.fits {
			require.Contains(t, answer, `"message":"failed"`, test.size)
			require.Equal(t, test.size > 0, json.Valid([]byte(answer)) && len(answer) == around+test.size)
		} else {
			require.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"answer too large: the limit is 200 bytes for all results of a request"}}`, answer)
		}
	}
	calls := s.main.Calls("")
	require.Equal(t, []int{7, 7, 7, CodeServer, CodeServer}, []int{calls[0].Code, calls[1].Code, calls[2].Code, calls[3].Code, calls[4].Code})
}

// Ensure the address of a server on all interfaces is one that a client can use.
func TestAddressOfAllInterfaces(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{}, newStub().table())
	require.NoError(t, s.Listen("0.0.0.0:0"))
	defer s.Close()
	require.Regexp(t, `^http://127\.0\.0\.1:\d+$`, s.URL("http"))
	require.Regexp(t, `^ws://127\.0\.0\.1:\d+$`, s.URL("ws"))
	_, text := postJSON(t, s.URL("http"), chainCall)
	require.Contains(t, text, toyChain)
}

// Ensure a request can call methods only if a page of another origin could not send it unnoticed.
func TestMayCall(t *testing.T) {
	t.Parallel()
	socket := map[string]string{
		"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
	}
	without := func(name string) map[string]string {
		left := make(map[string]string)
		for other, value := range socket {
			if other != name {
				left[other] = value
			}
		}
		return left
	}
	with := func(name, value string) map[string]string {
		changed := without(name)
		changed[name] = value
		return changed
	}
	for _, test := range []struct {
		method string
		header map[string]string
		may    bool
	}{
		{"POST", map[string]string{"Content-Type": "application/json"}, true},
		{"POST", map[string]string{"Content-Type": "application/jsonrequest; charset=utf-8"}, true},
		{"POST", map[string]string{"Content-Type": "text/plain"}, false},
		{"POST", socket, false},
		{"GET", nil, false},
		{"GET", map[string]string{"Content-Type": "application/json"}, false},
		{"GET", socket, true},
		{"HEAD", socket, false},
		{"GET", without("Upgrade"), false},
		{"GET", without("Connection"), false},
		{"GET", without("Sec-WebSocket-Version"), false},
		{"GET", with("Sec-WebSocket-Version", "8"), false},
		{"GET", with("Sec-WebSocket-Version", "8, 13"), true},
		{"GET", without("Sec-WebSocket-Key"), false},
		{"GET", with("Sec-WebSocket-Key", "AAAA"), false},
		{"GET", with("Sec-WebSocket-Key", "no base64"), false},
	} {
		req, err := http.NewRequest(test.method, "http://localhost", nil)
		require.NoError(t, err)
		for name, value := range test.header {
			req.Header.Set(name, value)
		}
		require.Equal(t, test.may, MayCall(req), "%s %v", test.method, test.header)
	}
}
