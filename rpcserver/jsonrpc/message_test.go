package jsonrpc

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzMessage holds the envelope reader against encoding/json, and the strict one against the lenient one.
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
		`{"JSONRPC":"2.0","Id":1,"id":2,"METHOD":"m","paramſ":[1],"more":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		raw = bytes.TrimLeft(raw, " \t\r\n")
		if len(raw) == 0 || !utf8.Valid(raw) {
			return
		}
		var m, strict message
		failure := m.parse(raw, true)
		require.Equal(t, json.Valid(raw), failure == nil || failure.Code != CodeParse)
		if !json.Valid(raw) {
			return
		}
		if strict.parse(raw, false) == nil {
			require.Equal(t, m, strict)
		}
		var members struct{ JSONRPC, ID, Method, Params json.RawMessage }
		if raw[0] != '{' || json.Unmarshal(raw, &members) != nil {
			require.NotNil(t, failure)
			return
		}
		var version, method string
		valid := json.Unmarshal(members.JSONRPC, &version) == nil && version == "2.0" &&
			json.Unmarshal(members.Method, &method) == nil && method != ""
		if id := members.ID; len(id) > 0 && (id[0] == '{' || id[0] == '[' || id[0] == 't' || id[0] == 'f') {
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
		if len(members.Params) > 0 && json.Unmarshal(members.Params, &want) != nil {
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

// Ensure a member of a request that is given twice, or under its name in another case, is an error with the request's
// id, which is null if it is the id; a lenient reader takes it as encoding/json.
func TestEnvelopeMembers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ members, problem, id string }{
		{`"id":7,"params":[],"Params":[1]`, `member "Params" is unknown, want "params"`, "7"},
		{`"id":7,"params":[],"params":[1]`, `member "params" is given twice`, "7"},
		{`"METHOD":"a","id":7`, `member "METHOD" is unknown, want "method"`, "7"},
		{`"method":"a","id":7`, `member "method" is given twice`, "7"},
		{`"jsonrpc":"2.0","id":7`, `member "jsonrpc" is given twice`, "7"},
		{`"id":7,"\u0049d":7`, `member "Id" is unknown, want "id"`, "7"},
		{`"ID":7`, `member "ID" is unknown, want "id"`, ""},
		{`"id":7,"id":7`, `member "id" is given twice`, ""},
		{`"id":7,"more":1,"more":2,"More":3`, "", "7"},
	} {
		raw := []byte(`{"jsonrpc":"2.0","method":"m",` + test.members + `}`)
		var m, lenient message
		failure := m.parse(raw, false)
		require.Equal(t, test.id, string(m.id), test.members)
		if test.problem == "" {
			require.Nil(t, failure)
		} else {
			require.Equal(t, Errorf(CodeInvalidRequest, "invalid request: %s", test.problem), failure)
		}
		require.Nil(t, lenient.parse(raw, true))
		require.Equal(t, "7", string(lenient.id), test.members)
	}
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

// Ensure values are encoded as encoding/json does, those with JSON of their own as they say, and what cannot be encoded
// is an error.
func TestAppendValue(t *testing.T) {
	t.Parallel()
	for _, value := range []any{
		nil, true, false, 7, 1.5, "", "plain", "a ~\x7f", "quote \" back \\ line \n \x1f é \x00 < > & \u2028", "\xff not UTF-8",
		json.RawMessage(nil), json.RawMessage(`{"a":1}`), []string{"a"}, map[string]int{"a": 1},
	} {
		want, err := json.Marshal(value)
		require.NoError(t, err)
		have, err := AppendValue([]byte("x"), value)
		require.NoError(t, err)
		require.Equal(t, byte('x'), have[0])
		require.JSONEq(t, string(want), string(have[1:]))
	}
	have, err := AppendValue([]byte("["), rawResult("{}"))
	require.NoError(t, err)
	require.Equal(t, "[{}", string(have))
	_, err = AppendValue(nil, math.Inf(1))
	require.Error(t, err)
}
