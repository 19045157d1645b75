package jsonrpc

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure parameters are decoded by type and name, and that wrong ones are rejected with the reason.
func TestParameters(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	for _, test := range []struct{ method, params, want string }{
		{"test_echo", `["a",1]`, `"result":{"number":1,"point":null,"text":"a"}`},
		{"test_echo", `["a",1,{"x":2}]`, `"point":{"x":2}`},
		{"test_echo", `["a"]`, "missing argument 1 (number) of test_echo"},
		{"test_echo", `["a",1,null,2]`, "too many arguments of test_echo: have 4, want at most 3"},
		{"test_echo", `["a",1,{"z":2}]`, `unknown field \"z\"`},
		{"test_echo", `["a",1,{"x":"2"}]`, `(x is string), want {x, y?, label?}`},
		{"test_echo", `{"text":"a"}`, "params must be an array"},
		{"test_named", `["a","b"]`, `"result":["a","b"]`},
		{"test_named", `{"from":"a","to":"b"}`, `"result":["a","b"]`},
		{"test_named", `{"from":"a"}`, `"result":["a",null]`},
		{"test_named", `{"to":"b"}`, "missing argument 0 (from)"},
		{"test_named", `{"form":"a"}`, "unknown argument form of test_named: want from, to"},
	} {
		answer := server.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"`+test.method+`","params":`+test.params+`}`))
		require.Contains(t, string(answer), test.want, test.params)
	}
}

// Ensure a lenient endpoint lets parameter objects have unknown members.
func TestLenientEndpoint(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, nil)
	defer server.Close()
	lenient := NewEndpoint(server.Server, API[*Request]{
		Methods: newStub().table(), New: newToyRequest, Lenient: true,
	})
	answer := lenient.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_echo","params":["a",1,{"x":2,"z":3}]}`))
	require.Contains(t, string(answer), `"point":{"x":2}`)
}
