package jsonrpc

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// Ensure the answers to a batch are not copied as they become many: no run of memory is much longer than a piece, and
// together they are little more than the answer. Every client gets the one answer.
func TestLongBatchIsKeptInPieces(t *testing.T) {
	t.Parallel()
	const calls, size = 60, 200_000
	word := strings.Repeat("a", size)
	table := map[string]Method[*Request]{"test_long": Params0(func(*Request) (any, error) { return word, nil })}
	server := listen(t, Config{}, table)
	var body, want strings.Builder
	for i := range calls {
		fmt.Fprintf(&body, `,{"jsonrpc":"2.0","id":%d,"method":"test_long"}`, i)
		fmt.Fprintf(&want, `,{"jsonrpc":"2.0","id":%d,"result":"%s"}`, i, word)
	}
	batch, answer := "["+body.String()[1:]+"]", "["+want.String()[1:]+"]"

	var out buffer
	server.main.answer(server.main.newRequest(t.Context()), []byte(batch), &out)
	require.Len(t, out.full, calls*size/pieceSize-1)
	held := cap(out.bytes)
	for _, piece := range out.full {
		require.Less(t, cap(piece), 2*pieceSize)
		held += cap(piece)
	}
	require.Less(t, held, 2*len(answer))

	equal := func(got string) { require.True(t, answer == got, "%d bytes, want %d", len(got), len(answer)) }
	equal(string(out.joined()))
	equal(string(server.main.Call(t.Context(), []byte(batch))))
	status, text := postJSON(t, server.URL("http"), batch)
	require.Equal(t, 200, status)
	equal(text)
	ws := dial(t, server)
	equal(ask(t, ws, batch))
	require.Contains(t, ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"test_long"}`), word)

	require.NoError(t, server.main.Fail(Fault{Method: "test_long", Truncate: 3 * pieceSize, Nth: calls}))
	_, text = postJSON(t, server.URL("http"), batch)
	require.True(t, answer[:3*pieceSize] == text)
}

// Ensure an answer that is sent in several frames is one message, with notifications before it and never within it.
func TestNotificationsComeBesideLongBatch(t *testing.T) {
	t.Parallel()
	stub := newStub()
	table := stub.table()
	table["test_long"] = Params0(func(*Request) (any, error) {
		stub.feed.publish(json.RawMessage("1"))
		return strings.Repeat("a", pieceSize), nil
	})
	ws := dial(t, listen(t, Config{}, table))
	ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[0]}`)
	call := `{"jsonrpc":"2.0","id":1,"method":"test_long"}`
	require.NoError(t, ws.WriteMessage(websocket.TextMessage, []byte("["+call+","+call+","+call+"]")))
	for range 3 {
		require.Contains(t, receive(t, ws), `"test_subscription"`)
	}
	var answers []struct{ Result string }
	require.NoError(t, json.Unmarshal([]byte(receive(t, ws)), &answers))
	require.Len(t, answers, 3)
	require.Len(t, answers[2].Result, pieceSize)
}
