package jsonrpc

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
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
	off.main.Call(t.Context(), []byte(chainIDRequest))
	require.Empty(t, off.main.Calls(""))
}

// However long a method name is, the journal keeps only its beginning.
func TestJournalOfLongMethodNames(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	server.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_`+strings.Repeat("x", 8<<20)+`"}`))
	calls := server.main.Calls("")
	require.Len(t, calls, 1)
	require.True(t, strings.HasPrefix(calls[0].Method, "eth_xxx"))
	require.Contains(t, calls[0].Method, "8388612 bytes")
	require.Less(t, len(calls[0].Method)+len(calls[0].Message), 300)
}

// A call whose answer a fault keeps from the client is in the journal with its result.
func TestJournalOfLostAnswers(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{}, newStub().table())
	defer server.Close()
	require.NoError(t, server.main.Fail(Fault{Method: "test_chain", DropConnection: true}))
	require.Empty(t, server.main.Call(t.Context(), []byte(chainIDRequest)))
	calls := server.main.Calls("")
	require.Len(t, calls, 1)
	require.Zero(t, calls[0].Code)
}

func TestJournalUnderConcurrentCalls(t *testing.T) {
	t.Parallel()
	server := newToy(t, Config{Limits: Limits{JournalSize: 100}}, newStub().table())
	defer server.Close()
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for range 100 {
				server.main.Call(t.Context(), []byte(chainIDRequest))
				require.LessOrEqual(t, len(server.main.Calls("")), 100)
			}
		})
	}
	callers.Wait()
	require.Len(t, server.main.Calls("test_chain"), 100)
}

// Ensure neither a long error message nor many large calls fill the memory: messages are cut, and the oldest calls make
// room.
func TestJournalBytes(t *testing.T) {
	t.Parallel()
	s := newToy(t, Config{}, map[string]Method[*Request]{
		"test_shouts": Params0(func(*Request) (any, error) { return nil, Errorf(CodeServer, "%s", strings.Repeat("a", 1<<20)) }),
		"test_raw":    newStub().table()["test_raw"],
	})
	s.main.Call(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"test_shouts"}`))
	shouted := s.main.Calls("")
	require.Len(t, shouted, 1)
	require.Equal(t, strings.Repeat("a", 1<<10)+"… (1048576 bytes)", shouted[0].Message)

	large := []byte(`{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["` + strings.Repeat("b", 15<<10) + `"]}`)
	for range 2500 {
		s.main.Call(t.Context(), large)
	}
	kept := s.main.Calls("")
	require.Less(t, len(kept), 2500)
	require.Greater(t, len(kept), 2000)
	require.Equal(t, "test_raw", kept[0].Method)
	for i := range 3 {
		s.main.Call(t.Context(), []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"test_raw","params":[%d]}`, i)))
	}
	last := s.main.Calls("")
	require.Equal(t, "[2]", string(last[len(last)-1].Params))
	require.Equal(t, "[1]", string(last[len(last)-2].Params))
}
