package jsonrpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure parameters are decoded by type, position and name, and that wrong ones are rejected with the reason.
func TestParameters(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	for _, test := range []struct{ method, params, want string }{
		{"chain", `[]`, `"result":"0x7a69"`}, {"chain", `null`, `"result":"0x7a69"`},
		{"chain", `[1]`, `too many arguments of test_chain: have 1, want at most 0; argument 0 is 1"`},
		{"chain", `"a"`, `params must be an array, by position; have \"a\"`},
		{"raw", `[1,2]`, `too many arguments of test_raw: have 2, want at most 1; argument 1 is 2"`},
		{"two", `["a"]`, `"result":"a"`}, {"two", `["a",null]`, `"result":"a"`},
		{"two", `["a",true,3]`, `too many arguments of test_two: have 3, want at most 2; argument 2 is 3"`},
		{"two", `["a",3]`, `invalid argument 1 (flag) of test_two: have 3 (number), want true or false"`},
		{"two", `[null]`, `missing argument 0 (text) of test_two: want a string"`},
		{"two", `[3,3]`, `invalid argument 0 (text) of test_two: have 3 (number), want a string"`},
		{"four", `["a","b","c"]`, `"result":["a","b","c",null]`}, {"four", `["a","b","c",true]`, `"result":["a","b","c",true]`},
		{"four", `["a","b"]`, `missing argument 2 (third) of test_four: want a string"`},
		{"four", `["a","b","c",1]`, `invalid argument 3 (fourth) of test_four: have 1 (number), want true or false"`},
		{"four", `["a","b","c",true,5]`, `too many arguments of test_four: have 5, want at most 4; argument 4 is 5"`},
		{"echo", `["a",1]`, `"result":{"number":1,"point":null,"text":"a"}`},
		{"echo", `["a",1,{"x":2}]`, `"point":{"x":2}`},
		{"echo", `["a"]`, "missing argument 1 (number) of test_echo"},
		{"echo", `["a",1,null,2]`, "too many arguments of test_echo: have 4, want at most 3"},
		{"echo", `["a",1,{"z":2}]`, `member \"z\" is unknown, want x, y, label`},
		{"echo", `["a",1,{"X":2}]`, `member \"X\" is unknown, want \"x\"`},
		{"echo", `["a",1,{"x":2,"x":2}]`, `member \"x\" is given twice`},
		{"echo", `["a",1,{"x":"2"}]`, `(x is string, want a whole number), want {x, y?, label?}`},
		{"echo", `{"text":"a"}`, "params must be an array"},
		{"named", `["a","b"]`, `"result":["a","b"]`},
		{"named", `{"from":"a","to":"b"}`, `"result":["a","b"]`},
		{"named", `{"from":"a"}`, `"result":["a",null]`},
		{"named", `{"to":"b"}`, "missing argument 0 (from)"},
		{"named", `{"form":"a"}`, "unknown argument form of test_named: want from, to"},
		{"named", `{"From":"a"}`, "unknown argument From of test_named: want from, to"},
		{"named", `{"from":"a","z":1,"y":1}`, "unknown argument z of test_named: want from, to"},
		{"named", `{"from":"a","to":"b","\u0066rom":"a"}`, "argument from of test_named is given twice"},
		{"named", `{"from":"a","to":null}`, `"result":["a",null]`},
	} {
		answer := server.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_`+test.method+`","params":`+test.params+`}`))
		require.Contains(t, string(answer), test.want, test.params)
	}
}

// Ensure members of objects are checked wherever the objects are, and only those that would be decoded.
func TestMembers(t *testing.T) {
	t.Parallel()
	type inner struct {
		A *int            `json:"a"`
		B json.RawMessage `json:"b"`
	}
	type outer struct {
		inner
		Own struct {
			D *int `json:"d"`
		}
		One  inner                 `json:"one"`
		List []inner               `json:"list"`
		Map  map[string]inner      `json:"map"`
		Keys map[netip.Addr]string `json:"keys"`
		Any  any                   `json:"any"`
	}
	for _, test := range []struct{ raw, want string }{
		{`{}`, ""}, {`7`, ""}, {`{"a":null,"b":null,"list":null,"map":null}`, ""}, {`[{"a":1},{"a":1}]`, ""},
		{`{"more":1,"more":{"A":1}}`, ""},
		{`{"A":1}`, `member "A" is unknown, want "a"`},
		{`{"D":1,"D":{}}`, ""},
		{`{"ONE":{}}`, `member "ONE" is unknown, want "one"`},
		{`{"one":{"A":1}}`, `one: member "A" is unknown, want "a"`},
		{`{ "a" : 1 , "\u0061" : 2 }`, `member "a" is given twice`},
		{`[[{"LIST":[]}]]`, `[0][0]: member "LIST" is unknown, want "list"`},
		{`{"list":[{"a":1}, {"a":1,"a":2}]}`, `list[1]: member "a" is given twice`},
		{`{"list":[ null ]}`, `list[0]: null, want an object`},
		{`{"map":{"x":{"B":1}}}`, `map.x: member "B" is unknown, want "b"`},
		{`{"map":{"x":{},"x":{}}}`, `map: member "x" is given twice`},
		{`{"map":{"x":{},"X":{}}}`, ""},
		{`{"keys":{"::1":"","0::1":""}}`, `keys: member "0::1" is given twice`},
		{`{"b":{"c":[{"d":1,"d":1}]}}`, `b.c[0]: member "d" is given twice`},
		{`{"any":{"c":{},"C":{},"d":null}}`, ""},
		{`{"any":{"c":{"e":1,"e":2}}}`, `any.c: member "e" is given twice`},
	} {
		err := CheckMembers[outer]([]byte(test.raw), false)
		if test.want == "" {
			require.NoError(t, err, test.raw)
		} else {
			require.EqualError(t, err, test.want, test.raw)
		}
		require.NoError(t, CheckMembers[*outer]([]byte(test.raw), true), "as encoding/json")
	}
}

// heldPoint is a parameter with JSON of its own: a point or a text. heldText is a text alone.
type (
	heldPoint struct{ json.RawMessage }
	heldText  struct{ json.RawMessage }
)

func (heldPoint) Held() any { return point{} }

func (heldText) Held() any { return nil }

// Ensure objects within a parameter with JSON of its own are checked as the type that it holds, wherever they are.
func TestMembersOfHeldObjects(t *testing.T) {
	t.Parallel()
	const unknown = `member "z" is unknown, want x, y, label`
	require.NoError(t, CheckMembers[heldPoint]([]byte(`{"x":1}`), false))
	require.NoError(t, CheckMembers[heldPoint]([]byte(`"x"`), false))
	require.EqualError(t, CheckMembers[heldPoint]([]byte(`{"z":1}`), false), unknown)
	require.EqualError(t, CheckMembers[[]heldPoint]([]byte(`[{"x":1},{"z":1}]`), false), "[1]: "+unknown)
	require.NoError(t, CheckMembers[heldPoint]([]byte(`{"z":1}`), true), "point is strict only where the endpoint is")
	require.NoError(t, CheckMembers[heldText]([]byte(`{"z":1,"z":2}`), false), "it holds no object")
}

// Ensure a method may read its parameters otherwise than they were written, or refuse them.
func TestBefore(t *testing.T) {
	t.Parallel()
	add := Params1(func(_ *Request, n int) (any, error) { return n + 1, nil }, "number").Before(func(_ *Request, params [][]byte) ([][]byte, error) {
		if len(params) == 0 {
			return nil, Errorf(CodeServer, "nothing to add to")
		}
		return append([][]byte{bytes.Trim(params[0], `"`)}, params[1:]...), nil
	})
	s := newToy(t, Config{}, map[string]Method[*Request]{"test_add": add})
	defer s.Close()
	for params, want := range map[string]string{
		`[1]`: `"result":2`, `["1"]`: `"result":2`, `["one"]`: `have one (`, `["1","2"]`: `too many arguments of test_add`, `[]`: `nothing to add to`,
	} {
		answer := string(s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_add","params":`+params+`}`)))
		require.Contains(t, answer, want)
	}
}

// Ensure the API says what an error looks like to a client, also one that a method panics with, and what a method
// that there is not.
func TestErrorsOfTheAPI(t *testing.T) {
	t.Parallel()
	known := errors.New("known")
	log := new(lockedBuffer)
	begun := 0
	table := map[string]Method[*Request]{
		"test_known":   Params0(func(*Request) (any, error) { return nil, known }),
		"test_panics":  Params0(func(*Request) (any, error) { panic(fmt.Errorf("within: %w", known)) }),
		"test_strange": Params0(func(*Request) (any, error) { panic(errors.New("strange")) }),
		"test_late":    Params0(func(*Request) (any, error) { return nil, fmt.Errorf("call: %w", context.DeadlineExceeded) }),
		"test_gone":    Params0(func(*Request) (any, error) { return nil, context.Canceled }),
		"test_chain":   Params0(func(*Request) (any, error) { return toyChain, nil }),
		"test_wrapped": Params0(func(*Request) (any, error) {
			return nil, fmt.Errorf("more: %w", &Error{Code: 5, Message: "inner", Data: 6})
		}),
	}
	s := newToy(t, Config{Log: slog.New(slog.NewTextHandler(log, nil))}, nil)
	defer s.Close()
	own := toyTable(table)
	own.Begin = func(*Request) { begun++ }
	api := toyAPI(nil)
	api.Methods = own
	api.ToWire = func(_ *Request, err error) *Error {
		if errors.Is(err, known) {
			return &Error{Code: 77, Message: "as the API says"}
		}
		return nil
	}
	call := func(e *Endpoint, method string) string {
		return string(e.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_`+method+`"}`)))
	}
	plain := NewEndpoint(s.Server, api)
	api.Unknown = func(method string) *Error { return &Error{Code: 78, Message: "no " + method} }
	unlike := NewEndpoint(s.Server, api)
	api.Unknown, api.Lenient = nil, true
	lenient := NewEndpoint(s.Server, api)
	for method, want := range map[string]string{
		"known": `"code":77,"message":"as the API says"}`, "panics": `"code":77,"message":"as the API says"}`, "strange": `"code":-32603,"message":"internal error"}`,
		"late": `"code":-32002,"message":"request timed out"}`, "gone": `"code":-32000,"message":"request cancelled: the client went away or the node is closing"}`,
		"chian": `"code":-32601,"message":"the method test_chian does not exist/is not available; did you mean test_chain?"}`, "wrapped": `"code":5,"message":"inner","data":6}`,
	} {
		require.Contains(t, call(plain, method), want)
	}
	require.Equal(t, 6, begun, "of each call that ran")
	require.Contains(t, call(unlike, "chian"), `"code":78,"message":"no test_chian"}`)
	require.Contains(t, call(lenient, "chian"), `"message":"the method test_chian does not exist/is not available"}`)
	text := log.String()
	require.Equal(t, 1, strings.Count(text, "method panicked"))
	require.Contains(t, text, "panic=strange")
	require.NotContains(t, text, "internal error", "logged once")
}
