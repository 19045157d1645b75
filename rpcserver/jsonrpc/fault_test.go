package jsonrpc

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// Ensure each wrong field of a fault is rejected with the reason, and its last right value is accepted.
func TestRulesOfFaults(t *testing.T) {
	t.Parallel()
	const unknownMethod, exempt = "unknown method test_chian; did you mean test_chain?", "method test_exempt cannot be made to fail"
	const forNotifications = "kind, drop, duplicate, stray and reorder are for notifications"
	const share = "share is %v, want a part of the calls above 0 and at most 1"
	const behind, ago = "behind is %d blocks, want 0 to the 64 that the node remembers", "behind is %s, want 0 to the 5m0s that the node remembers"
	const noEffect = "no effect set: want one or more of latencyMs, latencySpreadMs, error, null, httpStatus, loseAnswer, dropConnection, " +
		"truncate, silent, behind, behindMs and branch"
	for _, test := range []struct {
		fault Fault
		want  string
	}{
		{Fault{Method: "test_chian", Silent: true}, unknownMethod}, {Fault{Method: "test_exempt", Silent: true}, exempt},
		{Fault{}, noEffect}, {Fault{Nth: 2, Times: 2, Share: 1}, noEffect},
		{Fault{Latency: 1}, ""}, {Fault{LatencySpread: 1}, ""}, {Fault{Silent: true}, ""}, {Fault{DropConnection: true}, ""}, {Fault{LoseAnswer: true}, ""},
		{Fault{Latency: -1}, "latency is -1ns, want 0 or more"}, {Fault{LatencySpread: -1, Latency: 1}, "latency spread is -1ns, want 0 or more"},
		{Fault{Error: new(Error)}, "error code is 0, which stands for success: want another"}, {Fault{Error: &Error{Code: -1}}, ""},
		{Fault{HTTPStatus: 399}, "HTTP status is 399, want 400 to 599"}, {Fault{HTTPStatus: 400}, ""},
		{Fault{HTTPStatus: 600}, "HTTP status is 600, want 400 to 599"}, {Fault{HTTPStatus: 599}, ""},
		{Fault{LoseAnswer: true, Error: &Error{Code: 1}}, "with an error the method does not run: lost answers are those of methods that have run"},
		{Fault{Truncate: -1}, "truncate is -1, want 1 or more bytes"}, {Fault{Truncate: 1}, ""},
		{Fault{Silent: true, Nth: -1}, "nth is -1, want 1 or more"}, {Fault{Silent: true, Nth: 1}, ""},
		{Fault{Silent: true, Times: -2}, "times is -2, want 1 or more, or -1 for ever"}, {Fault{Silent: true, Times: -1}, ""},
		{Fault{Silent: true, Share: -0.1}, fmt.Sprintf(share, -0.1)}, {Fault{Silent: true, Share: 1.1}, fmt.Sprintf(share, 1.1)},
		{Fault{Silent: true, Share: math.NaN()}, fmt.Sprintf(share, "NaN")}, {Fault{Silent: true, Share: 1}, ""},
		{Fault{Behind: Behind{Blocks: -1}}, fmt.Sprintf(behind, -1)}, {Fault{Behind: Behind{Blocks: 65}}, fmt.Sprintf(behind, 65)}, {Fault{Behind: Behind{Blocks: 64}}, ""},
		{Fault{Behind: Behind{Time: -1}}, fmt.Sprintf(ago, "-1ns")}, {Fault{Behind: Behind{Time: 5*time.Minute + 1}}, fmt.Sprintf(ago, "5m0.000000001s")},
		{Fault{Behind: Behind{Time: 5 * time.Minute}}, ""}, {Fault{Behind: Behind{Orphaned: true}}, ""},
		{Fault{Method: "test_chain", Silent: true, Kind: "numbers"}, forNotifications}, {Fault{Method: "test_chain", Drop: true}, forNotifications},
		{Fault{Silent: true, Duplicate: true}, forNotifications}, {Fault{Silent: true, Stray: true}, forNotifications}, {Fault{Silent: true, Reorder: true}, forNotifications},
	} {
		s := newToy(t, Config{}, newStub().table())
		err := s.main.Fail(test.fault)
		if test.want == "" {
			require.NoError(t, err)
			require.Len(t, s.main.Faults(), 1)
		} else {
			require.EqualError(t, err, test.want)
			require.Empty(t, s.main.Faults())
		}
		require.NoError(t, s.Close())
	}
}

// Ensure the same of faults of notifications.
func TestRulesOfNotificationFaults(t *testing.T) {
	t.Parallel()
	const named = "want one of drop, latencyMs, latencySpreadMs, duplicate, stray, reorder, truncate and silent"
	const one = "%d effects set: " + named
	const forCalls = "where, error, null, httpStatus, loseAnswer, dropConnection, behind, behindMs and branch are for calls: " + named
	for _, test := range []struct {
		fault Fault
		want  string
	}{
		{Fault{}, fmt.Sprintf(one, 0)}, {Fault{Stray: true, Duplicate: true}, fmt.Sprintf(one, 2)},
		{Fault{Silent: true, Reorder: true, Latency: 1}, fmt.Sprintf(one, 3)}, {Fault{Latency: 1, LatencySpread: 1}, ""},
		{Fault{LatencySpread: 1}, ""}, {Fault{Latency: 1}, ""}, {Fault{Silent: true}, ""}, {Fault{Reorder: true}, ""},
		{Fault{Latency: -1}, "latency is -1ns, want 0 or more"}, {Fault{LatencySpread: -1}, "latency spread is -1ns, want 0 or more"},
		{Fault{Drop: true, Kind: "colours"}, `unknown kind of subscription "colours": want one of letters, numbers`}, {Fault{Drop: true, Kind: "letters"}, ""},
		{Fault{Drop: true, Error: &Error{Code: 1}}, forCalls}, {Fault{Drop: true, HTTPStatus: 500}, forCalls}, {Fault{Drop: true, LoseAnswer: true}, forCalls},
		{Fault{Drop: true, DropConnection: true}, forCalls}, {Fault{Truncate: -1}, "truncate is -1, want 1 or more bytes"}, {Fault{Truncate: 1}, ""}, {Fault{Drop: true, Behind: Behind{Orphaned: true}}, forCalls},
		{Fault{Drop: true, Nth: -1}, "nth is -1, want 1 or more"}, {Fault{Drop: true, Times: -2}, "times is -2, want 1 or more, or -1 for ever"},
		{Fault{Drop: true, Share: 2}, "share is 2, want a part of the calls above 0 and at most 1"},
	} {
		s := newToy(t, Config{}, newStub().table())
		test.fault.Method = "test_subscription"
		err := s.main.Fail(test.fault)
		if test.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, test.want)
		}
		require.NoError(t, s.Close())
	}
}

// Ensure each fault that strikes is in the log, with its effect.
func TestFaultsAreLogged(t *testing.T) {
	t.Parallel()
	for want, fault := range map[string]Fault{
		"lost":                                  {Drop: true},
		"sent twice":                            {Duplicate: true},
		"sent behind one of no subscription":    {Stray: true},
		"sent behind the next one":              {Reorder: true},
		"1.5s late":                             {Latency: 1500 * time.Millisecond},
		"no answer":                             {Silent: true},
		"error -7 nope, connection dropped":     {Error: &Error{Code: -7, Message: "nope"}, DropConnection: true},
		"run, the answer lost: HTTP status 504": {LoseAnswer: true},
		"run, the answer lost: HTTP status 502": {LoseAnswer: true, HTTPStatus: 502},
		"not run: HTTP status 429":              {HTTPStatus: 429},
		"cut after 3 bytes":                     {Truncate: 3},
		"answered from 2 blocks behind":         {Behind: Behind{Blocks: 2}},
		"answered from 3s ago":                  {Behind: Behind{Blocks: 2, Time: 3 * time.Second}},
		"answered from the orphaned branch":     {Behind: Behind{Time: 3 * time.Second, Orphaned: true}},
	} {
		require.Equal(t, want, strings.Join(fault.effects(), ", "))
	}
	log := new(lockedBuffer)
	s := newToy(t, Config{Log: slog.New(slog.NewTextHandler(log, nil))}, newStub().table())
	defer s.Close()
	s.main.Events().Info("mine")
	require.NoError(t, s.main.Fail(Fault{Method: "test_chain", Error: &Error{Code: 1, Message: "no"}}))
	s.main.Call(t.Context(), []byte(chainCall))
	s.main.Call(t.Context(), []byte(chainCall))
	require.Equal(t, 1, strings.Count(log.String(), `msg=fault method=test_chain effect="error 1 no"`))
	require.Contains(t, log.String(), "msg=mine")
}

// Ensure the faults that are set are listed as far as they have not struck yet, those of calls first.
func TestFaultsAreListed(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{}, newStub().table())
	defer s.Close()
	require.Empty(t, s.main.Faults())
	drop := Fault{Method: "test_subscription", Drop: true, Nth: 3}
	first := Fault{Method: "test_chain", Nth: 2, Times: 2, Error: &Error{Code: 1, Message: "first"}}
	any := Fault{Times: Forever, Error: &Error{Code: 2, Message: "any"}}
	for _, fault := range []Fault{drop, first, any} {
		require.NoError(t, s.main.Fail(fault))
	}
	drop.Times = 1
	for _, left := range []struct{ nth, times int }{{2, 2}, {1, 2}, {1, 1}, {0, 0}, {0, 0}} {
		want := []Fault{first, any, drop}
		want[0].Nth, want[0].Times, want[1].Nth = left.nth, left.times, 1
		if left.times == 0 {
			want = want[1:]
		}
		require.Equal(t, want, s.main.Faults())
		s.main.Call(t.Context(), []byte(chainCall))
	}
	s.main.ClearFaults()
	require.Empty(t, s.main.Faults())
	require.Contains(t, string(s.main.Call(t.Context(), []byte(chainCall))), toyChain)
}

// Ensure a fault with a share strikes about that part of the calls, the same ones for the same seed.
func TestShareOfFaults(t *testing.T) {
	t.Parallel()
	struck := func(fault Fault) string {
		s := newToy(t, Config{}, newStub().table())
		defer s.Close()
		fault.Method, fault.Error = "test_chain", &Error{Code: 1, Message: "struck"}
		require.NoError(t, s.main.Fail(fault))
		var pattern strings.Builder
		for range 1000 {
			if strings.Contains(string(s.main.Call(t.Context(), []byte(chainCall))), "struck") {
				pattern.WriteByte('x')
			} else {
				pattern.WriteByte('.')
			}
		}
		return pattern.String()
	}
	third := struck(Fault{Share: 0.3, Times: Forever, Seed: 1})
	require.InDelta(t, 300, strings.Count(third, "x"), 60)
	require.Equal(t, third, struck(Fault{Share: 0.3, Times: Forever, Seed: 1}))
	require.NotEqual(t, third, struck(Fault{Share: 0.3, Times: Forever, Seed: 2}))
	five := struck(Fault{Share: 0.3, Times: 5, Nth: 101, Seed: 1})
	require.Equal(t, 5, strings.Count(five, "x"))
	require.Equal(t, third[:10], five[100:110], "the share is of those that would be struck")
	require.Equal(t, 1000, strings.Count(struck(Fault{Share: 1, Times: Forever}), "x"))
}

// Ensure an injected status keeps the method from running, and a lost answer does not, and that faults of a batch
// add up.
func TestFaultsOfAnswers(t *testing.T) {
	t.Parallel()
	ran := 0
	table := newStub().table()
	table["test_run"] = Params0(func(*Request) (any, error) { ran++; return ran, nil })
	server := listen(t, Config{}, table)
	const run = `{"jsonrpc":"2.0","id":1,"method":"test_run"}`
	post := func(body string) (int, string) { return postJSON(t, server.URL("http"), body) }
	for _, test := range []struct {
		fault  Fault
		status int
		text   string
		runs   int
	}{
		{Fault{HTTPStatus: 503}, 503, "injected fault: Service Unavailable\n", 0},
		{Fault{LoseAnswer: true}, 504, "injected fault: Gateway Timeout\n", 1},
		{Fault{LoseAnswer: true, HTTPStatus: 502}, 502, "injected fault: Bad Gateway\n", 1},
		{Fault{Error: &Error{Code: 5, Message: "m", Data: "d"}}, 200, `{"jsonrpc":"2.0","id":1,"error":{"code":5,"message":"m","data":"d"}}`, 0},
		{Fault{Truncate: 1000}, 200, `{"jsonrpc":"2.0","id":1,"result":%d}`, 1},
		{Fault{Truncate: 1}, 200, "{", 1},
	} {
		before := ran
		require.NoError(t, server.main.Fail(test.fault))
		status, text := post(run)
		require.Equal(t, test.status, status)
		require.Equal(t, before+test.runs, ran)
		require.Equal(t, strings.ReplaceAll(test.text, "%d", fmt.Sprint(ran)), text)
		status, _ = post(run)
		require.Equal(t, 200, status, "once")
	}
	last := server.main.CallsSince(0, "")
	require.Equal(t, "injected fault: HTTP status 503", last[0].Message)
	require.Equal(t, CodeServer, last[0].Code)

	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", HTTPStatus: 503}))
	require.NoError(t, server.main.Fail(Fault{Method: "test_run", LoseAnswer: true}))
	status, _ := post("[" + chainCall + "," + run + "]")
	require.Equal(t, 504, status, "the last one's")
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Truncate: 5}))
	require.NoError(t, server.main.Fail(Fault{Method: "test_run", Truncate: 7}))
	_, text := post("[" + chainCall + "," + run + "," + chainCall + "]")
	require.Equal(t, `[{"json`, text)
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Truncate: 12}))
	require.Equal(t, `{"jsonrpc":"`, ask(t, dial(t, server), chainCall))
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", DropConnection: true}))
	_, err := http.Post(server.URL("http"), "application/json", strings.NewReader("["+chainCall+","+run+"]"))
	require.Error(t, err)
}

// Ensure a fault takes as many bytes as its texts and 256 more, and the faults of an endpoint only so many together,
// until they are cleared.
func TestBytesOfFaults(t *testing.T) {
	t.Parallel()
	for _, over := range []int{0, 1} {
		s := newToy(t, Config{}, newStub().table())
		fault := Fault{Method: "test_chain", Error: &Error{Code: 1, Data: "b"}}
		fault.Error.Message = strings.Repeat("a", maxFaults-256-len("test_chain")-len(`"b"`)+over)
		require.Equal(t, over == 0, s.main.Fail(fault) == nil)
		require.NoError(t, s.Close())
	}
	s := newToy(t, Config{}, newStub().table())
	defer s.Close()
	half := Fault{Method: "test_raw", Error: &Error{Code: 1, Message: strings.Repeat("a", maxFaults/2)}}
	require.NoError(t, s.main.Fail(half))
	require.ErrorContains(t, s.main.Fail(half), "the faults would take more than 16777216 bytes")
	s.main.ClearFaults()
	require.NoError(t, s.main.Fail(half))
}

func TestFaultLatency(t *testing.T) {
	t.Parallel()
	server := listen(t, Config{}, newStub().table())
	const latency = 50 * time.Millisecond
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Latency: latency}))
	start := time.Now()
	_, text := postJSON(t, server.URL("http"), chainCall)
	require.GreaterOrEqual(t, time.Since(start), latency)
	require.Contains(t, text, "0x7a69", "late, but answered")

	// Over WebSocket only the delayed call waits, and a client that gives up ends the wait.
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Latency: time.Hour}))
	ws := dial(t, server)
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainCall)))
	require.Contains(t, ask(t, ws, `{"jsonrpc":"2.0","id":2,"method":"test_version"}`), `"id":2`)
}

func TestFaultsAddUp(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Nth: 3, Error: &Error{Code: 3}}))
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", Nth: 2, Times: 2, Error: &Error{Code: 2}}))
	require.NoError(t, server.main.Fail(Fault{Method: "*", Error: &Error{Code: 1}}))
	require.NoError(t, server.other.Fail(Fault{Error: &Error{Code: 9}}))
	for i, want := range []string{`"code":1`, `"code":2`, `"code":3`, `"code":2`, "0x7a69"} {
		require.Contains(t, string(server.main.Call(t.Context(), []byte(chainCall))), want, "call %d", i+1)
	}
	require.Contains(t, string(server.other.Call(t.Context(), []byte(chainCall))), `"code":9`)
	require.False(t, server.main.faults.set.Load(), "spent faults cost nothing")
}

// Ensure a silent fault of a call leaves its client without an answer: over HTTP until it gives up, and on a
// WebSocket also without those to later messages, while both connections stay open and the method has run.
func TestSilentCalls(t *testing.T) {
	t.Parallel()
	ran := make(chan struct{}, 10)
	table := newStub().table()
	table["test_run"] = Params0(func(*Request) (any, error) { ran <- struct{}{}; return true, nil })
	seen := new(notes)
	api := toyAPI(table)
	api.Tap = seen
	server := listenAs(t, api)
	const run = `{"jsonrpc":"2.0","id":1,"method":"test_run"}`
	silence := Fault{Method: "test_run", Silent: true}

	require.NoError(t, server.main.Fail(silence))
	ctx, giveUp := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL("http"), strings.NewReader(run))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	failed := make(chan error, 1)
	go func() {
		response, err := http.DefaultClient.Do(req)
		if err == nil {
			_ = response.Body.Close()
		}
		failed <- err
	}()
	<-ran
	_, text := postJSON(t, server.URL("http"), run)
	require.Contains(t, text, "true", "the silent one has given the turn away")
	<-ran
	require.Empty(t, failed)
	giveUp()
	require.ErrorIs(t, <-failed, context.Canceled)
	lines := strings.Join(seen.take(), "\n")
	require.Contains(t, lines, "> connection 0 exchange 1 ")
	require.NotContains(t, lines, "< connection 0 exchange 1 ")
	require.NotContains(t, lines, "x connection")

	require.NoError(t, server.main.Fail(silence))
	require.Empty(t, server.main.Call(t.Context(), []byte(run)), "in the process the call ends")
	<-ran
	require.NoError(t, server.main.Fail(silence))
	ws := dial(t, server)
	for _, message := range []string{run, run, chainCall} {
		require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(message)))
	}
	<-ran
	<-ran
	require.NoError(t, ws.WriteControl(websocket.PingMessage, nil, time.Now().Add(time.Minute)))
	ponged := errors.New("ponged")
	ws.SetPongHandler(func(string) error { return ponged })
	_, _, err = ws.ReadMessage()
	require.ErrorIs(t, err, ponged)
	require.Equal(t, 1, server.main.Connections())

	require.NoError(t, server.main.Fail(silence))
	go func() {
		_, err := http.Post(server.URL("http"), "application/json", strings.NewReader(run))
		failed <- err
	}()
	<-ran
	defer func() {
		require.NoError(t, server.Close())
		require.Error(t, <-failed, "no answer when the node ends, either")
	}()
}

// Ensure a fault of a socket's call with a status closes it with the reason, and that one which drops it leaves
// none.
func TestFaultsThatEndSockets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fault Fault
		code  int
		text  string
	}{
		{Fault{HTTPStatus: 429}, websocket.CloseInternalServerErr, "injected fault: HTTP status 429"},
		{Fault{LoseAnswer: true}, websocket.CloseInternalServerErr, "injected fault: HTTP status 504"},
		{Fault{DropConnection: true}, websocket.CloseAbnormalClosure, "unexpected EOF"},
		{Fault{DropConnection: true, HTTPStatus: 500}, websocket.CloseAbnormalClosure, "unexpected EOF"},
	} {
		server := listen(t, Config{}, newStub().table())
		test.fault.Method, test.fault.Nth = "test_chain", 2
		require.NoError(t, server.main.Fail(test.fault))
		ws := dial(t, server)
		require.Contains(t, ask(t, ws, chainCall), toyChain)
		require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte(chainCall)))
		closedWith(t, ws, test.code, test.text)
	}
}
