package jsonrpc

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestJournal(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	call := func(e *Endpoint, body string) { e.Call(t.Context(), []byte(body)) }
	call(server.main, `[{"jsonrpc":"2.0","id":1,"method":"test_two","params":["a", true]},{"jsonrpc":"2.0","method":"test_reverts"}]`)
	call(server.main, `{"jsonrpc":"2.0","id":1,"method":"test_unknown","params":[]}`)
	call(server.main, `{"jsonrpc":"2.0","id":1,"method":"test_badType"}`)
	call(server.main, `{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["`+strings.Repeat("x", maxJournalParams)+`"]}`)
	call(server.main, `{"jsonrpc":"2.0","id":1}`)
	call(server.other, `{"jsonrpc":"2.0","id":1,"method":"test_reverts"}`)

	calls := server.main.Calls("")
	require.Len(t, calls, 5)
	want := []Call{
		{Method: "test_two", Params: json.RawMessage(`["a", true]`)},
		{Method: "test_reverts", Code: -32000, Message: "execution reverted"},
		{Method: "test_unknown", Params: json.RawMessage(`[]`), Code: -32601, Message: "the method test_unknown does not exist/is not available"},
		{Method: "test_badType", Code: -32603, Message: "internal error"},
		{Method: "test_raw"}, // too large to be kept
	}
	for i := range want {
		require.GreaterOrEqual(t, calls[i].Duration, time.Duration(0))
		require.Equal(t, toyNow.UnixNano(), calls[i].At.UnixNano())
		calls[i].Duration, calls[i].At, want[i].Number = 0, time.Time{}, uint64(i)+1
		require.Equal(t, want[i], calls[i])
	}
	require.Len(t, server.main.Calls("test_reverts"), 1)
	require.Len(t, server.other.Calls(""), 1)
	call(server.main, `{"jsonrpc":"2.0","id":1,"method":"test_exempt"}`)
	require.Len(t, server.main.Calls(""), 5, "an exempt method is not recorded")

	text, err := json.Marshal(server.main.Calls("test_reverts"))
	require.NoError(t, err)
	require.JSONEq(t, fmt.Sprintf(`[{"number":2,"method":"test_reverts","params":null,"timestampMs":%d,"durationUs":%d,"error":{"code":-32000,"message":"execution reverted"}}]`,
		toyNow.UnixMilli(), server.main.Calls("test_reverts")[0].Duration.Microseconds()), string(text))
}

func TestJournalKeepsTheLastCalls(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{Limits: Limits{JournalSize: 3}}, newStub().table())
	defer server.Close()
	for i := range 8 {
		server.main.Call(t.Context(), []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["0x0%d"]}`, i)))
		calls := server.main.Calls("")
		require.Len(t, calls, min(i+1, 3))
		for j, call := range calls {
			require.Equal(t, fmt.Sprintf(`["0x0%d"]`, i+1-len(calls)+j), string(call.Params))
		}
	}
	off := newToy(t, Config{Limits: Limits{JournalSize: -1}}, newStub().table())
	defer off.Close()
	off.main.Call(t.Context(), []byte(chainCall))
	require.Empty(t, off.main.Calls(""))
}

// Ensure the journal keeps parameters of up to 16 KiB and messages of up to 1 KiB whole, the beginning of a method's
// name alone, and that the oldest calls make room for large ones.
func TestJournalLimits(t *testing.T) {
	t.Parallel()
	message := ""
	table := newStub().table()
	table["test_shouts"] = Params0(func(*Request) (any, error) { return nil, Errorf(1, "%s", message) })
	s := newToy(t, Config{}, table)
	defer s.Close()
	call := func(method string, params any) {
		s.main.Call(t.Context(), fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"method":"%s","params":%v}`, method, params))
	}
	large := func(size int) string { return `["` + strings.Repeat("x", size-len(`[""]`)) + `"]` }
	for _, over := range []int{0, 1} {
		call("test_raw", large(16_384+over))
		message = strings.Repeat("m", 1024+over)
		call("test_shouts", "[]")
	}
	call("test_"+strings.Repeat("x", 1<<20), "[]")
	calls := s.main.Calls("")
	require.Len(t, calls[0].Params, 16_384)
	require.Len(t, calls[1].Message, 1024)
	require.Nil(t, calls[2].Params)
	require.Equal(t, strings.Repeat("m", 1024)+"… (1025 bytes)", calls[3].Message)
	require.True(t, strings.HasPrefix(calls[4].Method, "test_xxx"))
	require.Contains(t, calls[4].Method, "1048581 bytes")
	require.Less(t, len(calls[4].Method)+len(calls[4].Message), 300)

	const most = 33_554_432 // bytes of all calls
	for range most/16_000 + 100 {
		call("test_raw", large(16_000))
	}
	kept := s.main.Calls("")
	require.InDelta(t, most/16_000, len(kept), 50)
	require.Equal(t, "test_raw", kept[0].Method)
	for i := range 200 {
		call("test_raw", fmt.Sprintf("[%d]", i))
	}
	kept = s.main.Calls("")
	for i := range 200 {
		require.Equal(t, fmt.Sprintf("[%d]", i), string(kept[len(kept)-200+i].Params))
	}
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
}
