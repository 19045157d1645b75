package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
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
	text := log.String()
	require.Equal(t, 1, strings.Count(text, "method panicked"))
	require.Contains(t, text, "panic=strange")
	require.NotContains(t, text, "internal error", "logged once")
}
