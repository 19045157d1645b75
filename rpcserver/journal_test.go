package rpcserver

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
	server := bareServer(t, Config{Testnet: bareNetwork(t, 1)}, newStub().table())
	require.NoError(t, server.main.network.Timeline.IncreaseTime(200*time.Millisecond))
	now := time.UnixMilli(networkStart*1000 + 200)
	defer server.Close()
	call := func(network NetworkName, body string) string {
		return string(server.Call(t.Context(), network, []byte(body)))
	}
	call(Main, `[{"jsonrpc":"2.0","id":1,"method":"test_code","params":[`+address20+`, "latest"]},{"jsonrpc":"2.0","method":"test_reverts"}]`)
	call(Main, `{"jsonrpc":"2.0","id":1,"method":"test_unknown","params":[]}`)
	call(Main, `{"jsonrpc":"2.0","id":1,"method":"test_badType"}`)
	call(Main, `{"jsonrpc":"2.0","id":1,"method":"test_raw","params":["`+strings.Repeat("x", maxJournalParams)+`"]}`)
	call(Main, `{"jsonrpc":"2.0","id":1}`)
	call(Testnet, `{"jsonrpc":"2.0","id":1,"method":"test_reverts"}`)

	calls := server.Calls(Main, "")
	require.Len(t, calls, 5)
	want := []Call{
		{Method: "test_code", Params: json.RawMessage(`[` + address20 + `, "latest"]`)},
		{Method: "test_reverts", Code: -32000, Message: "execution reverted"},
		{Method: "test_unknown", Params: json.RawMessage(`[]`), Code: -32601, Message: "the method test_unknown does not exist/is not available"},
		{Method: "test_badType", Code: -32603, Message: "internal error"},
		{Method: "test_raw"}, // too large to be kept
	}
	for i := range want {
		require.GreaterOrEqual(t, calls[i].Duration, time.Duration(0))
		require.Equal(t, now.UnixNano(), calls[i].At.UnixNano())
		calls[i].Duration, calls[i].At = 0, time.Time{}
		require.Equal(t, want[i], calls[i])
	}
	require.Len(t, server.Calls(Main, "test_reverts"), 1)
	require.Len(t, server.Calls(Testnet, ""), 1)
	require.Empty(t, server.Calls("othernet", ""))

	// The same over the wire, which is not recorded itself.
	var reply struct {
		Result []struct {
			Method      string
			Params      json.RawMessage
			TimestampMs int64
			DurationUs  int64
			Error       *Error
		}
	}
	require.NoError(t, json.Unmarshal([]byte(call(Main, `{"jsonrpc":"2.0","id":1,"method":"fakenode_calls"}`)), &reply))
	require.Len(t, reply.Result, 5)
	require.Equal(t, "test_code", reply.Result[0].Method)
	require.JSONEq(t, `[`+address20+`,"latest"]`, string(reply.Result[0].Params))
	require.Equal(t, now.UnixMilli(), reply.Result[0].TimestampMs)
	require.Nil(t, reply.Result[0].Error)
	require.Equal(t, -32000, reply.Result[1].Error.Code)
	narrowed := call(Main, `{"jsonrpc":"2.0","id":1,"method":"fakenode_calls","params":[{"method":"test_code"}]}`)
	require.Equal(t, 1, strings.Count(narrowed, `"timestampMs"`))
	require.Len(t, server.Calls(Main, ""), 5)
}

func TestJournalKeepsTheLastCalls(t *testing.T) {
	t.Parallel()
	server := bareServer(t, Config{Limits: Limits{JournalSize: 3}}, methods)
	defer server.Close()
	for i := range 8 {
		server.Call(t.Context(), Main, []byte(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"web3_sha3","params":["0x0%d"]}`, i)))
		calls := server.Calls(Main, "")
		require.Len(t, calls, min(i+1, 3))
		for j, call := range calls {
			require.Equal(t, fmt.Sprintf(`["0x0%d"]`, i+1-len(calls)+j), string(call.Params))
		}
	}
	off := bareServer(t, Config{Limits: Limits{JournalSize: -1}}, methods)
	defer off.Close()
	off.Call(t.Context(), Main, []byte(chainIDRequest))
	require.Empty(t, off.Calls(Main, ""))
}

// However long a method name is, the journal keeps no more of it than tells what it was.
func TestJournalOfLongMethodNames(t *testing.T) {
	t.Parallel()
	server := bareServer(t, Config{}, methods)
	defer server.Close()
	server.Call(t.Context(), Main, []byte(`{"jsonrpc":"2.0","id":1,"method":"eth_`+strings.Repeat("x", 8<<20)+`"}`))
	calls := server.Calls(Main, "")
	require.Len(t, calls, 1)
	require.True(t, strings.HasPrefix(calls[0].Method, "eth_xxx"))
	require.Contains(t, calls[0].Method, "8388612 bytes")
	require.Less(t, len(calls[0].Method)+len(calls[0].Message), 300)
}

// A call whose answer a fault keeps from the client is told as what it came to.
func TestJournalOfLostAnswers(t *testing.T) {
	t.Parallel()
	server := bareServer(t, Config{}, methods)
	defer server.Close()
	require.NoError(t, server.Fail(Main, Fault{Method: "eth_chainId", DropConnection: true}))
	require.Empty(t, server.Call(t.Context(), Main, []byte(chainIDRequest)))
	calls := server.Calls(Main, "")
	require.Len(t, calls, 1)
	require.Zero(t, calls[0].Code)
}

func TestJournalUnderConcurrentCalls(t *testing.T) {
	t.Parallel()
	server := bareServer(t, Config{Limits: Limits{JournalSize: 100}}, methods)
	defer server.Close()
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			for range 100 {
				server.Call(t.Context(), Main, []byte(chainIDRequest))
				require.LessOrEqual(t, len(server.Calls(Main, "")), 100)
			}
		})
	}
	callers.Wait()
	require.Len(t, server.Calls(Main, "eth_chainId"), 100)
}
