package jsonrpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Ensure a method that rereads its parameters tries what they may have meant, and otherwise tells what was wrong
// with them as they were written.
func TestRereadParameters(t *testing.T) {
	t.Parallel()
	rereads := 0
	add := Params1(func(r *Request, n int) (any, error) {
		switch {
		case n < 0:
			return nil, Errorf(CodeServer, "negative")
		case n == 0:
			return nil, errors.New("zero")
		}
		return n + 1, nil
	}, "number").Rereading(func(params [][]byte) [][]byte {
		rereads++
		reread := make([][]byte, len(params))
		for i, param := range params {
			reread[i] = []byte(strings.Trim(string(param), `"`))
		}
		return reread
	})
	s := newToy(t, Config{}, map[string]Method[*Request]{"test_add": add})
	defer s.Close()
	for _, test := range []struct {
		params, want string
		rereads      int
	}{
		{`[1]`, `"result":2`, 0}, {`["1"]`, `"result":2`, 1}, {`["-1"]`, `"message":"negative"`, 1}, {`[-1]`, `"message":"negative"`, 0},
		{`["a\""]`, `have \"a\\\"\" (string), want a value`, 1}, {`["1","2"]`, `have \"1\" (string), want a value`, 1}, {`[1,2]`, `too many arguments of test_add: have 2, want at most 1`, 1},
		{`[]`, `missing argument 0 (number) of test_add`, 1}, {`[0]`, `"code":-32603`, 0},
	} {
		rereads = 0
		answer := string(s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_add","params":`+test.params+`}`)))
		require.Contains(t, answer, test.want)
		require.Equal(t, test.rereads, rereads, test.params)
	}
}

// Ensure what a method runs within is begun before it and ended after it, also where it fails, and that it does not
// run if that cannot begin.
func TestMethodsWithin(t *testing.T) {
	t.Parallel()
	var did []string
	var cannot error
	method := Params1(func(_ *Request, fails bool) (any, error) {
		did = append(did, "run")
		if fails {
			return nil, Errorf(1, "failed")
		}
		return true, nil
	}, "fails").Within(func(*Request) (done func(), err error) {
		did = append(did, "begin")
		return func() { did = append(did, "done") }, cannot
	})
	s := newToy(t, Config{}, map[string]Method[*Request]{"test_within": method})
	defer s.Close()
	call := func(params string) string {
		did = nil
		return string(s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_within","params":`+params+`}`)))
	}
	require.Contains(t, call("[false]"), `"result":true`)
	require.Equal(t, []string{"begin", "run", "done"}, did)
	require.Contains(t, call("[true]"), `"message":"failed"`)
	require.Equal(t, []string{"begin", "run", "done"}, did)
	cannot = Errorf(2, "cannot begin")
	require.Contains(t, call("[false]"), `"message":"cannot begin"`)
	require.Equal(t, []string{"begin"}, did)
}

// Ensure each method counts its parameters, and names the one that is wrong.
func TestCountsOfParameters(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{}, newStub().table())
	defer s.Close()
	for _, test := range []struct{ method, params, want string }{
		{"chain", `[]`, `"result":"0x7a69"`}, {"chain", `null`, `"result":"0x7a69"`},
		{"chain", `[1]`, `too many arguments of test_chain: have 1, want at most 0; argument 0 is 1"`},
		{"raw", `[1,2]`, `too many arguments of test_raw: have 2, want at most 1; argument 1 is 2"`},
		{"two", `["a"]`, `"result":"a"`}, {"two", `["a",null]`, `"result":"a"`},
		{"two", `["a",true,3]`, `too many arguments of test_two: have 3, want at most 2; argument 2 is 3"`},
		{"two", `["a",3]`, `invalid argument 1 (flag) of test_two: have 3 (number), want true or false"`},
		{"two", `[null]`, `missing argument 0 (text) of test_two: want a string"`},
		{"two", `[3,3]`, `invalid argument 0 (text) of test_two: have 3 (number), want a string"`},
		{"echo", `["a",1,{"x":1},4]`, `too many arguments of test_echo: have 4, want at most 3; argument 3 is 4"`},
		{"four", `["a","b","c"]`, `"result":["a","b","c",null]`},
		{"four", `["a","b","c",true]`, `"result":["a","b","c",true]`},
		{"four", `["a","b"]`, `missing argument 2 (third) of test_four: want a string"`},
		{"four", `["a","b","c",1]`, `invalid argument 3 (fourth) of test_four: have 1 (number), want true or false"`},
		{"four", `["a","b","c",true,5]`, `too many arguments of test_four: have 5, want at most 4; argument 4 is 5"`},
		{"four", `"a"`, `params must be an array, by position; have \"a\"`},
	} {
		answer := s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_`+test.method+`","params":`+test.params+`}`))
		require.Contains(t, string(answer), test.want, test.params)
	}
}

// Ensure the problem of a parameter, and what is wanted, are told in the words of JSON.
func TestWantedParameters(t *testing.T) {
	t.Parallel()
	names := map[reflect.Type]string{reflect.TypeFor[time.Duration](): "a time"}
	for want, have := range map[string]string{
		"true or false": Wanted[*bool](names), "a string": Wanted[string](names), "an array": Wanted[[]int](names), "an object": Wanted[map[string]int](names),
		"a value": Wanted[int](names), "a time": Wanted[*time.Duration](names), "{x, y?, label?}": Wanted[*point](names),
	} {
		require.Equal(t, want, have)
	}
	require.Equal(t, "an array", Wanted[[2]int](names))
	require.Equal(t, "an object", Wanted[struct{ A int }](names))
	type object struct {
		At   time.Duration `json:"at"`
		List []string      `json:"list"`
		In   point         `json:"in"`
	}
	for raw, want := range map[string]string{
		`{"at":"x"}`: "at is string, want a time", `{"list":7}`: "list is number, want an array", `{"list":[7]}`: "list is number, want a string",
		`[]`: "array", `{"in":7}`: "in is number", `{"in":{"x":"7"}}`: "in.x is string, want a value",
	} {
		var o object
		require.Equal(t, want, Problem(Decode([]byte(raw), &o, false), names))
	}
	require.Equal(t, "as it is", Problem(errors.New("as it is"), names))
}

// Ensure the API says what an error looks like to a client, also one that a method panics with, and what a method
// that there is not.
func TestErrorsOfTheAPI(t *testing.T) {
	t.Parallel()
	known := errors.New("known")
	log := new(lines)
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
	api := API[*Request]{
		Methods: table, New: newToyRequest, Begin: func(*Request) { begun++ },
		ToWire: func(_ *Request, err error) *Error {
			if errors.Is(err, known) {
				return &Error{Code: 77, Message: "as the API says"}
			}
			return nil
		},
	}
	call := func(e *Endpoint, method string) string {
		return string(e.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_`+method+`"}`)))
	}
	plain := NewEndpoint(s.Server, api)
	api.Unknown = func(method string) *Error { return &Error{Code: 78, Message: "no " + method} }
	own := NewEndpoint(s.Server, api)
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
	require.Contains(t, call(own, "chian"), `"code":78,"message":"no test_chian"}`)
	require.Contains(t, call(lenient, "chian"), `"message":"the method test_chian does not exist/is not available"}`)
	text := log.text.String()
	require.Equal(t, 1, strings.Count(text, "method panicked"))
	require.Contains(t, text, "panic=strange")
	require.NotContains(t, text, "internal error", "logged once")

	err := &Error{Code: 3, Message: "text", Data: "data"}
	require.Equal(t, []any{3, "text", "data"}, []any{err.ErrorCode(), err.Error(), err.ErrorData()})
	require.Nil(t, Errorf(1, "x").ErrorData())
	require.Equal(t, []int{-32700, -32600, -32601, -32602, -32603, -32000, -32002},
		[]int{CodeParse, CodeInvalidRequest, CodeMethodNotFound, CodeInvalidParams, CodeInternal, CodeServer, CodeUnavailable})
}

// Ensure a journal lists the calls after a number, may be shared by endpoints, and that nobody waits for more calls
// than it keeps.
func TestJournalOfTwoEndpoints(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{Limits: Limits{JournalSize: 3}}, newStub().table())
	defer s.Close()
	before := time.Now()
	shared := NewEndpoint(s.Server, API[*Request]{Methods: newStub().table(), New: newToyRequest, Journal: s.main})
	require.Zero(t, s.main.LastCall())
	s.main.Call(t.Context(), []byte(chainCall))
	shared.Call(t.Context(), []byte(chainCall))
	s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_version"}`))
	require.EqualValues(t, 3, s.main.LastCall())
	require.EqualValues(t, 3, shared.LastCall())
	numbers := func(calls []Call) []uint64 {
		all := []uint64{}
		for _, call := range calls {
			all = append(all, call.Number)
		}
		return all
	}
	require.Equal(t, []uint64{1, 2, 3}, numbers(shared.Calls("")))
	require.False(t, shared.Calls("")[1].At.Before(before), "the time of the wall where there is no clock")
	require.Equal(t, []uint64{2, 3}, numbers(s.main.CallsSince(1, "")))
	require.Equal(t, []uint64{2}, numbers(s.main.CallsSince(1, "test_chain")))
	require.Equal(t, []uint64{}, numbers(s.main.CallsSince(3, "")))
	found, err := s.main.WaitForCalls(t.Context(), 1, "", 2)
	require.NoError(t, err)
	require.Equal(t, []uint64{2, 3}, numbers(found))
	found, err = s.main.WaitForCalls(t.Context(), 0, "", 3)
	require.NoError(t, err)
	require.Len(t, found, 3)
	_, err = s.main.WaitForCalls(t.Context(), 0, "", 4)
	require.EqualError(t, err, "4 calls are more than the journal keeps: 3")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.main.WaitForCalls(ended, 0, "test_chain", 3)
	require.ErrorIs(t, err, context.Canceled)
	off := newToy(t, Config{Limits: Limits{JournalSize: -1}}, newStub().table())
	defer off.Close()
	off.main.Call(t.Context(), []byte(chainCall))
	require.Zero(t, off.main.LastCall())
	_, err = off.main.WaitForCalls(t.Context(), 0, "", 1)
	require.EqualError(t, err, "1 calls are more than the journal keeps: 0")
	call := Call{Method: "ab", Params: json.RawMessage("cde"), Message: "fghi", View: "jklmn"}
	require.Equal(t, 128+14, call.size())
}

// Ensure the journal keeps parameters of up to 16 KiB, and messages of up to 1 KiB whole.
func TestJournalLimits(t *testing.T) {
	t.Parallel()
	message := ""
	table := newStub().table()
	table["test_shouts"] = Params0(func(*Request) (any, error) { return nil, Errorf(1, "%s", message) })
	s := newToy(t, Config{}, table)
	defer s.Close()
	for _, over := range []int{0, 1} {
		params := `["` + strings.Repeat("x", 16_384-len(`[""]`)+over) + `"]`
		s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_raw","params":`+params+`}`))
		message = strings.Repeat("m", 1024+over)
		s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_shouts"}`))
	}
	calls := s.main.Calls("")
	require.Len(t, calls[0].Params, 16_384)
	require.Len(t, calls[1].Message, 1024)
	require.Nil(t, calls[2].Params)
	require.Equal(t, strings.Repeat("m", 1024)+"… (1025 bytes)", calls[3].Message)
	require.Equal(t, 33_554_432, maxJournalBytes)
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
