package jsonrpc

import (
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzMessage holds the envelope reader against encoding/json.
func FuzzMessage(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"a","params":[1,"]\"",{"a":[]},[[]]]}`,
		`{"params":[],"id":"\u0041\\","jsonrpc":"2.0","method":"a\"b"}`,
		` { "id" : null , "id" : -1e5 , "method":"\u00e9", "jsonrpc" : "2.0" , "params" : null } `,
		`{"a":{"id":1},"jsonrpc":"2.0","method":"m","params":{"x":[1]}}`,
		`{"jsonrpc":"2.0","method":"not UTF-8: ` + "\x8f" + `"}`,
		`{"jsonrpc":"2.0","id":"\ud800","id":"\ud800\u0041","method":"m"}`,
		`{"jsonrpc":"2.0","id":01}`, `{"jsonrpc":"2.0",}`, `"\x"`, "\"\x1f\"", `1 2`, ``, strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
		`{"jsonrpc":2,"id":{},"method":[],"params":"x"}`,
		`[]`, `{}`, `"{"`, `{"id":true}`, `{"jsonrpc":"2.0","method":"m","params":[ ]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		require.Equal(t, json.Valid(raw) && utf8.Valid(raw), isValid(raw))
		if !isValid(raw) {
			return
		}
		var m message
		failure := m.parse(raw)
		var members map[string]json.RawMessage
		if json.Unmarshal(raw, &members) != nil || members == nil {
			require.NotNil(t, failure)
			return
		}
		var version, method string
		valid := json.Unmarshal(members["jsonrpc"], &version) == nil && version == "2.0" &&
			json.Unmarshal(members["method"], &method) == nil && method != ""
		if id := members["id"]; len(id) > 0 && (id[0] == '{' || id[0] == '[' || id[0] == 't' || id[0] == 'f') {
			valid = false
		} else {
			require.Equal(t, string(id), string(m.id))
		}
		if !valid {
			require.NotNil(t, failure)
			return
		}
		require.Nil(t, failure)
		require.Equal(t, method, m.method)
		var want []json.RawMessage
		params, failure := m.splitParams(nil, nil)
		if len(members["params"]) > 0 && json.Unmarshal(members["params"], &want) != nil {
			require.NotNil(t, failure)
			return
		}
		require.Nil(t, failure)
		require.Len(t, params, len(want))
		for i := range want {
			require.Equal(t, string(want[i]), string(params[i]))
		}
	})
}

// FuzzCall sends anything at all: the answer is nothing, or JSON-RPC.
func FuzzCall(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"test_four","params":["a","b",null,true]}`,
		`[{"jsonrpc":"2.0","id":"a","method":"test_echo","params":["x",1,{"x":1}]},{"jsonrpc":"2.0","method":"test_panics"}]`,
		`{"jsonrpc":"2.0","id":1,"method":"test_named","params":{"from":"a","to":"b"}}`,
		`[`, `[[],1,null]`, "\xff", `{"jsonrpc":"2.0","id":1,"method":"\ud800"}`,
	} {
		f.Add([]byte(seed))
	}
	table := newStub().table()
	delete(table, "test_wait")
	delete(table, "test_badType")
	f.Fuzz(func(t *testing.T, body []byte) {
		server := newToy(t, Config{Log: slog.New(slog.DiscardHandler)}, table)
		defer server.Close()
		answer := server.main.Call(t.Context(), body)
		if len(answer) == 0 {
			return
		}
		require.True(t, json.Valid(answer), "%s -> %s", body, answer)
		one := strings.HasPrefix(string(answer), `{"jsonrpc":"2.0","id":`)
		many := strings.HasPrefix(string(answer), `[{"jsonrpc":"2.0","id":`)
		require.True(t, one || many, "%s", answer)
	})
}

func TestAppendValueAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	values := []any{
		nil, true, false, "", "plain", "quote \" back \\ line \n é \x00 < > & \u2028", "\xff not UTF-8",
		json.RawMessage(`{"a":1}`), []string{"a"}, map[string]int{"a": 1}, 1.5,
	}
	for _, value := range values {
		want, err := json.Marshal(value)
		require.NoError(t, err)
		have, err := AppendValue([]byte("x"), value)
		require.NoError(t, err)
		require.JSONEq(t, string(want), string(have[1:]))
		require.Equal(t, byte('x'), have[0])
	}
}

func TestErrorDataThatDoesNotEncodeIsLeftOut(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, nil)
	answer := server.main.appendError(nil, []byte("1"), &Error{Code: 1, Message: "m", Data: make(chan int)})
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`, string(answer))
}
