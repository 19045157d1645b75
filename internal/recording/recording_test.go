package recording

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// event returns an event of the network at /.
func event(kind jsonrpc.TapKind, connection, exchange uint64, payload string) Event {
	e := Event{At: time.Unix(1_800_000_000, 7).UTC(), Path: "/"}
	e.Kind, e.Connection, e.Exchange, e.Payload, e.Host = kind, connection, exchange, []byte(payload), "node:1"
	if kind == jsonrpc.TapAnswer && exchange != 0 {
		e.Status = http.StatusOK
	}
	return e
}

// Ensure every event that can be written is read as it was, in one line each, whatever bytes its message has.
func TestFile(t *testing.T) {
	t.Parallel()
	observer := event(jsonrpc.TapOpened, 3, 0, "")
	observer.Observer, observer.Path, observer.Host = true, "/w/a/testnet", "other:2"
	refused := event(jsonrpc.TapAnswer, 0, 9, "injected fault: Service Unavailable\n")
	refused.Status = http.StatusServiceUnavailable
	nothing := event(jsonrpc.TapAnswer, 0, 10, "")
	nothing.Status = http.StatusNoContent
	made := event(world.TapMade, 0, 0, "")
	made.Path, made.At = "/w/a", time.Unix(1_800_000_000, 999_999_999).UTC()
	events := []Event{
		made, observer, refused, nothing,
		event(jsonrpc.TapMessage, 0, 1, "{\n \"a\": 1 }\r\n"),
		event(jsonrpc.TapMessage, 0, 2, " two  spaces "),
		event(jsonrpc.TapMessage, 1, 0, `"quoted"`),
		event(jsonrpc.TapMessage, 1, 0, "1"),
		event(jsonrpc.TapMessage, 1, 0, "\xff\x00 no UTF-8 \n \u2028"),
		event(jsonrpc.TapNotification, 1, 0, `{"jsonrpc":"2.0"}`),
		event(jsonrpc.TapCut, 1, 0, "1013 too slow: \"x\""),
		event(jsonrpc.TapLeft, 2, 0, ""),
		event(jsonrpc.TapCut, 0, 3, ""),
	}
	var file bytes.Buffer
	w := NewWriter(&file, func(err error) { t.Error(err) })
	require.NoError(t, w.Begin(Head{Host: "node:1", Flags: []string{"--seal=manual"}, Withheld: []string{"mnemonic"}}))
	for _, e := range append(events, event(passed, 1, 0, "")) {
		w.Note(e)
	}
	require.Equal(t, len(events)+1, strings.Count(file.String(), "\n"))

	r, err := Read(bytes.NewReader(file.Bytes()))
	require.NoError(t, err)
	require.Equal(t, Head{Host: "node:1", Flags: []string{"--seal=manual"}, Withheld: []string{"mnemonic"}}, r.Head)
	require.Len(t, r.Events, len(events))
	for i, e := range events {
		if len(e.Payload) == 0 {
			e.Payload = nil
		}
		e.Line = i + 2
		require.Equal(t, e, r.Events[i])
	}

	// Cut anywhere, it is the events up to the last whole line.
	for cut := strings.Index(file.String(), "\n") + 1; cut < file.Len(); cut++ {
		r, err := Read(bytes.NewReader(file.Bytes()[:cut]))
		require.NoError(t, err)
		require.Len(t, r.Events, bytes.Count(file.Bytes()[:cut], []byte("\n"))-1)
	}
}

// Ensure errors of a file name its line.
func TestBrokenFile(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"nonsense":                         "want a time, a path, a channel and what happened",
		"1.5 / http:1 >":                   `time "1.5": want Unix seconds with nine decimals`,
		"1.000000000 x http:1 >":           `path "x" does not begin with /`,
		"1.000000000 //host http:1 >":      `"//host" has no path`,
		"1.000000000 / ftp:1 >":            `channel "ftp:1"`,
		"1.000000000 / ws:0 >":             `channel "ws:0"`,
		"1.000000000 / clock >":            `channel "clock"`,
		"1.000000000 / ws:1 *":             `channel "ws:1": want world for *`,
		"1.000000000 / http:1 ?":           `"?" is not one of + - x > < ! *`,
		"1.000000000 / http:1 <many":       `status "many" is no number`,
		"1.000000000 / http:1 > \"broken ": "the quoted message is broken",
	} {
		_, err := Read(strings.NewReader(magic + "{}\n" + line + "\n"))
		require.ErrorContains(t, err, "line 2: ")
		require.ErrorContains(t, err, want)
	}
	_, err := Read(strings.NewReader(magic + "[]\n"))
	require.ErrorContains(t, err, "line 1: ")
	for _, text := range []string{"", "{}\n", "fakenode recording 2 {}\n"} {
		_, err = Read(strings.NewReader(text))
		require.EqualError(t, err, `line 1: a recording begins with "fakenode recording 1"`)
	}
	broken := errors.New("the disk is broken")
	for _, text := range []string{"", magic, magic + "{}\n", magic + "{}\n1.000000000 / ws:1 +\n"} {
		_, err = Read(io.MultiReader(strings.NewReader(text), iotest.ErrReader(broken)))
		if text == magic { // the line is broken as well
			require.ErrorContains(t, err, "line 1: ")
		} else {
			require.Equal(t, broken, err, text)
		}
	}
}

// breaking is a file that takes one write.
type breaking struct{ writes int }

func (b *breaking) Write(p []byte) (int, error) {
	if b.writes++; b.writes > 1 {
		return 0, errors.New("the disk is full")
	}
	return len(p), nil
}

// Ensure the first error of writing is told once, and that nothing is written behind it.
func TestWriterFails(t *testing.T) {
	t.Parallel()
	var failures []error
	var file breaking
	w := NewWriter(&file, func(err error) { failures = append(failures, err) })
	require.NoError(t, w.Begin(Head{}))
	for range 3 {
		w.Note(event(jsonrpc.TapOpened, 1, 0, ""))
	}
	require.Len(t, failures, 1)
	require.ErrorContains(t, w.Err(), "the disk is full")
	require.Equal(t, 2, file.writes)
}

// Ensure the URLs of other nodes lose all that may be a key.
func TestWithoutKeys(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`{"jsonRpcUrl":"https://user:pass@host:1/v3/key?k=1"}`: `{"jsonRpcUrl":"https://host:1"}`,
		`{"jsonrpcurl" : "key"}`:                               `{"jsonrpcurl" : "withheld"}`,
		`{"jsonrpc":"2.0"}`:                                    `{"jsonrpc":"2.0"}`,
	} {
		require.Equal(t, want, string(withoutKeys([]byte(message))))
	}
}
