package recording_test

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/recording"
	"github.com/fakenode/fakenode/internal/test/servertest"
)

// begin is the time of the first event, in Unix seconds.
const begin = 1_800_000_000

// checkedWith checks the recording of some events with a fresh node, whose clock begins at begin. A nil before
// allows all.
func checkedWith(t *testing.T, config fakenode.Config, before func(*recording.Event) error, events ...string) error {
	t.Helper()
	return checkRead(t, config, before, read(t, events...))
}

// checkRead is checkedWith for a recording that is read.
func checkRead(t *testing.T, config fakenode.Config, before func(*recording.Event) error, r *recording.Recording) error {
	t.Helper()
	checker := recording.NewChecker(slog.New(slog.DiscardHandler))
	if checker.Before = before; before == nil {
		checker.Before = func(*recording.Event) error { return nil }
	}
	config.StartTime, config.Tap = time.Unix(begin, 0), checker.Network
	node, err := fakenode.New(config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, node.Close()) })
	return checker.Check(t.Context(), strings.TrimPrefix(node.URL(), "http://"), r)
}

// checked is checkedWith for a node on the manual clock that makes worlds.
func checked(t *testing.T, events ...string) error {
	t.Helper()
	return checkedWith(t, fakenode.Config{Worlds: fakenode.Worlds{Auto: true}}, nil, events...)
}

// Ensure a check ends at the first event that the node does not have, with its line and why, and that it takes what
// the node has as well.
func TestChecker(t *testing.T) {
	t.Parallel()
	const (
		at      = "1800000000.000000000 "
		asks    = at + `/ http:1 > {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`
		says    = at + `/ http:1 < {"jsonrpc":"2.0","id":1,"result":"0x7a69"}`
		opens   = at + "/ ws:1 +"
		asksBy  = at + `/ ws:1 > {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`
		saysBy  = at + `/ ws:1 < {"jsonrpc":"2.0","id":1,"result":"0x7a69"}`
		closes  = at + "/ ws:1 x 1001 the node is closing"
		drops   = at + `/ http:2 > {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"eth_chainId","dropConnection":true}]}`
		dropped = at + `/ http:2 < {"jsonrpc":"2.0","id":1,"result":null}`
		worlds  = at + `/ http:3 > {"jsonrpc":"2.0","id":1,"method":"fakenode_worlds"}`
	)
	world := func(clients int) string {
		return at + fmt.Sprintf(`/ http:3 < {"jsonrpc":"2.0","id":1,"result":[{"name":"a","blockNumber":0,"clients":%d,"createdMs":7}]}`, clients)
	}
	for _, c := range []struct {
		name   string
		events []string
		want   string // empty: no difference
	}{
		{"the same", []string{asks, says, opens, asksBy, saysBy, at + "/ ws:1 -", at + "/ ws:1 -"}, ""},
		{"no events of a connection that was not opened", []string{at + "/ ws:1 -", asks, says}, ""},
		{"another answer", []string{asks, at + `/ http:1 < {"jsonrpc":"2.0","id":1,"result":"0x1"}`},
			"line 3, / http:1:\n  recorded: " + `200 {"jsonrpc":"2.0","id":1,"result":"0x1"}` + "\n  now:      " + `200 {"jsonrpc":"2.0","id":1,"result":"0x7a69"}`},
		{"another status", []string{asks, at + `/ http:1 <429 {"jsonrpc":"2.0","id":1,"result":"0x7a69"}`},
			"line 3, / http:1:\n  recorded: " + `429 {"jsonrpc":"2.0","id":1,"result":"0x7a69"}` + "\n  now:      " + `200 {"jsonrpc":"2.0","id":1,"result":"0x7a69"}`},
		{"another answer by WebSocket", []string{opens, asksBy, at + `/ ws:1 < {"jsonrpc":"2.0","id":1,"result":"0x1"}`},
			"line 4, / ws:1:\n  recorded: " + `{"jsonrpc":"2.0","id":1,"result":"0x1"}` + "\n  now:      " + `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`},
		{"not after the end of the recorded node", []string{opens, closes, asks, at + "/ http:1 < never"}, ""},
		{"an answer without a question", []string{says}, "line 2, / http:1: nothing was asked"},
		{"a second answer", []string{asks, says, says}, "line 4, / http:1: nothing was asked"},
		{"a message to nobody", []string{asksBy}, "line 2, / ws:1: the connection was not opened"},
		{"an answer of nobody", []string{saysBy}, "line 2, / ws:1: the connection was not opened"},
		{"an answer to a client that left", []string{opens, at + "/ ws:1 -", saysBy}, "line 4, / ws:1: the connection was not opened"},
		{"a cut request", []string{drops, dropped, asks, at + "/ http:1 x"}, ""},
		{"a cut connection", []string{drops, dropped, opens, asksBy, at + "/ ws:1 x 1006 "}, ""},
		{"nothing after a cut", []string{drops, dropped, opens, asksBy, at + "/ ws:1 x 1006 ", saysBy}, "line 7, / ws:1: the connection was not opened"},
		{"a request that is cut now", []string{drops, dropped, asks, says},
			"line 5, / http:1:\n  recorded: " + `200 {"jsonrpc":"2.0","id":1,"result":"0x7a69"}` + "\n  now:      the connection is cut"},
		{"a connection that is cut now", []string{drops, dropped, opens, asksBy, at + "/ ws:1 ! {}"}, "line 6, / ws:1:\n  recorded: {}\n  now:      the connection is cut"},
		{"a connection that ends with a reason", []string{
			at + "/w/a world *", at + "/w/a ws:1 +", at + `/ http:1 > {"jsonrpc":"2.0","id":1,"method":"fakenode_closeWorld","params":["a"]}`,
			at + `/ http:1 < {"jsonrpc":"2.0","id":1,"result":null}`, at + "/w/a ws:1 x 1000 ",
		}, "line 6, /w/a ws:1:\n  recorded: the connection is cut 1000 \n  now:      the connection is cut 1001 world a was closed"},
		{"a world that is there", []string{at + "/w/a world *", at + "/w/a world *"}, "line 3, /w/a world: world a exists already: close it, or choose another name"},
		{"a path that is not there", []string{at + "/w/a/b/c ws:1 +"}, "line 2, /w/a/b/c ws:1: websocket: bad handshake"},
		{"clients that come and go", []string{
			at + "/w/a world *", at + "/w/a ws:1 +", at + "/w/a?observer ws:2 +", at + "/w/a/testnet ws:1 +", worlds, world(3),
			at + "/w/a ws:1 -", worlds, world(2), at + "/w/a?observer ws:2 -", at + "/w/a/testnet ws:1 -", worlds, world(0),
		}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if err := checked(t, c.events...); c.want != "" {
				require.EqualError(t, err, c.want)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

// Ensure the clock reads the recorded time at each event, to the nanosecond, and never goes back, and that a world
// has its share of the time only while it has a client.
func TestCheckerMovesClocks(t *testing.T) {
	t.Parallel()
	var events []string
	add := func(second, event string, parts ...any) {
		events = append(events, "180000000"+second+" "+fmt.Sprintf(event, parts...))
	}
	calls := 0
	heads := func(second, path string, head int) {
		calls++
		add(second, `%s http:%d > {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`, path, calls)
		add(second, `%s http:%d < {"jsonrpc":"2.0","id":1,"result":"%#x"}`, path, calls, head)
	}
	worlds := func(second string, a, b, clients int) {
		calls++
		add(second, `/ http:%d > {"jsonrpc":"2.0","id":1,"method":"fakenode_worlds"}`, calls)
		add(second, `/ http:%d < {"jsonrpc":"2.0","id":1,"result":[{"name":"a","blockNumber":%d,"clients":0,"createdMs":1},{"name":"b","blockNumber":%d,"clients":%d,"createdMs":1}]}`, calls, a, b, clients)
	}
	heads("1.999999999", "/", 0)
	heads("2.000000000", "/", 1)
	heads("1.000000000", "/", 1)
	heads("3.999999999", "/", 1)
	add("3.000000000", "/w/a world *")
	add("3.000000000", "/w/b world *")
	add("3.000000000", "/w/b ws:1 +")
	worlds("4.000000000", 1, 2, 1)
	add("4.000000000", "/w/b ws:1 -")
	worlds("8.000000000", 1, 2, 0)
	heads("7.999999999", "/testnet", 4) // its clock goes with the one at /
	heads("8.000000000", "/w/a", 4)
	worlds("8.000000000", 4, 2, 0)
	heads("9.999999999", "/", 4)
	heads("9.999999999", "/w/a", 4)
	require.NoError(t, checkedWith(t, fakenode.Config{RealClock: true, Mode: fakenode.Interval}, nil, events...))
}

// Ensure answers that come earlier than they were recorded are those to their own messages, also of calls that
// waited.
func TestCheckerTakesEarlyAnswers(t *testing.T) {
	t.Parallel()
	const waiting = `/ ws:1 > {"jsonrpc":"2.0","id":%[1]d,"method":"eth_sendTransactionSync","params":[{"from":"%[2]s","to":"%[2]s","value":"%#[1]x"}]}`
	r := read(t,
		"1800000000.000000000 / ws:1 +",
		"1800000000.000000000 "+fmt.Sprintf(waiting, 1, servertest.Alice.Address.Hex()),
		"1800000000.000000000 "+fmt.Sprintf(waiting, 2, servertest.Alice.Address.Hex()),
		`1800000004.000000000 / http:1 > {"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`,
		`1800000004.000000000 / http:1 < {"jsonrpc":"2.0","id":1,"result":"0x7a69"}`,
		`1800000004.000000000 / ws:1 > [{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","id":3,"method":"eth_blockNumber"}]`,
		`1800000004.000000000 / ws:1 < [{"jsonrpc":"2.0","id":1,"result":"0x7a69"},{"jsonrpc":"2.0","id":3,"result":"0x2"}]`,
		`1800000004.000000000 / ws:1 < {"jsonrpc":"2.0","id":2,"result":"unknown"}`,
		`1800000004.000000000 / ws:1 < {"jsonrpc":"2.0","id":1,"result":"unknown"}`,
	)
	for i, id := range []int{2, 1} {
		var difference *recording.DifferenceError
		require.ErrorAs(t, checkRead(t, fakenode.Config{RealClock: true, Mode: fakenode.Interval}, nil, r), &difference)
		require.Equal(t, 9+i, difference.Event.Line)
		require.Contains(t, difference.Have, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"`, id))
		r.Events[difference.Event.Line-2].Payload = []byte(difference.Have) // as it would have been recorded
	}
	require.NoError(t, checkRead(t, fakenode.Config{RealClock: true, Mode: fakenode.Interval}, nil, r))
}
