package recording_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/recording"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// lines gets each line of a log, as long as there is room.
type lines chan string

func (l lines) Write(line []byte) (int, error) {
	select {
	case l <- string(line):
	default:
	}
	return len(line), nil
}

// recorded is a node that is being recorded.
type recorded struct {
	node    *fakenode.Node
	tap     *recording.Tap
	address string
	left    chan struct{} // gets a value when a client that has left is noted
	log     lines         // of the tap

	mu     sync.Mutex
	events []recording.Event
	file   bytes.Buffer
}

// record starts a node that is recorded; its clock begins at begin.
func record(t *testing.T, config fakenode.Config) *recorded {
	t.Helper()
	r := &recorded{left: make(chan struct{}, 8), log: make(lines, 8)}
	writer := recording.NewWriter(&r.file, func(err error) { t.Error(err) })
	r.tap = recording.NewTap(func(e recording.Event) {
		r.mu.Lock()
		defer r.mu.Unlock()
		writer.Note(e)
		e.Payload = bytes.Clone(e.Payload)
		r.events = append(r.events, e)
		if e.Kind == jsonrpc.TapLeft {
			r.left <- struct{}{}
		}
	}, slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}})))
	if config.Tap = r.tap.Network; config.Fork == nil {
		config.StartTime = time.Unix(begin, 0)
	}
	var err error
	r.node, err = fakenode.New(config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, r.node.Close()) })
	r.address = strings.TrimPrefix(r.node.URL(), "http://")
	require.NoError(t, writer.Begin(recording.Head{Host: r.address, Flags: []string{"--seal=manual"}}))
	r.tap.Start()
	return r
}

// Ensure a recording has all that goes over the wire, in the order in which the clients get it, at the time of the
// network's clock.
func TestTap(t *testing.T) {
	t.Parallel()
	r := record(t, fakenode.Config{Worlds: fakenode.Worlds{Auto: true}})
	const chainID = `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`
	post := func(path, message string) { ask(t, http.MethodPost, r.address, path, message) }
	post("/", chainID)
	post("/", `{"jsonrpc":"2.0","method":"eth_chainId"}`)
	post("/testnet", "[\n"+chainID+"]")
	post("/1", chainID)
	post("/w/a/testnet", chainID)
	first := connect(t, r.address, "/?observer")
	second := connect(t, "localhost"+strings.TrimPrefix(r.address, "127.0.0.1"), "/")
	say(t, first, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`, `{"jsonrpc":"2.0","id":1,"result":"0x1"}`)
	post("/", `{"jsonrpc":"2.0","id":1,"method":"fakenode_advance","params":[1500]}`)
	post("/", `{"jsonrpc":"2.0","id":1,"method":"fakenode_seal"}`)
	_, head, err := first.ReadMessage()
	require.NoError(t, err)
	require.Contains(t, string(head), `"number":"0x1"`)
	post("/", `{"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"eth_chainId","dropConnection":true}]}`)
	_, err = http.Post("http://"+r.address, "application/json", strings.NewReader(chainID))
	require.Error(t, err)
	post("/", `{"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"eth_chainId","httpStatus":503}]}`)
	post("/", chainID)
	require.NoError(t, first.Close())
	<-r.left
	say(t, second, `{"jsonrpc":"2.0","id":2,"method":"net_version"}`, `{"jsonrpc":"2.0","id":2,"result":"31337"}`)
	require.NoError(t, r.node.Close())
	_, _, err = second.ReadMessage()
	require.EqualError(t, err, "websocket: close 1001 (going away): the node is closing")

	const answer = `{"jsonrpc":"2.0","id":1,"result":"0x7a69"}`
	port := strings.TrimPrefix(r.address, "127.0.0.1")
	sealed := ""
	for _, e := range r.events {
		if strings.Contains(string(e.Payload), `"result":["0x`) {
			sealed = string(e.Payload)
		}
	}
	require.Equal(t, strings.Join([]string{
		`fakenode recording 1 {"host":"` + r.address + `","flags":["--seal=manual"]}`,
		"1800000000.000000000 / http:1 > " + chainID,
		"1800000000.000000000 / http:1 < " + answer,
		`1800000000.000000000 / http:2 > {"jsonrpc":"2.0","method":"eth_chainId"}`,
		"1800000000.000000000 / http:2 <204",
		`1800000000.000000000 /testnet http:1 > "[\n` + strings.ReplaceAll(chainID, `"`, `\"`) + `]"`,
		`1800000000.000000000 /testnet http:1 < [{"jsonrpc":"2.0","id":1,"result":"0x7a6a"}]`,
		"1800000000.000000000 /w/1 world *",
		"1800000000.000000000 /w/1 http:1 > " + chainID,
		"1800000000.000000000 /w/1 http:1 < " + answer,
		"1800000000.000000000 /w/a world *",
		"1800000000.000000000 /w/a/testnet http:1 > " + chainID,
		`1800000000.000000000 /w/a/testnet http:1 < {"jsonrpc":"2.0","id":1,"result":"0x7a6a"}`,
		"1800000000.000000000 /?observer ws:1 +",
		"1800000000.000000000 //localhost" + port + "/ ws:2 +",
		`1800000000.000000000 /?observer ws:1 > {"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`,
		`1800000000.000000000 /?observer ws:1 < {"jsonrpc":"2.0","id":1,"result":"0x1"}`,
		`1800000000.000000000 / http:3 > {"jsonrpc":"2.0","id":1,"method":"fakenode_advance","params":[1500]}`,
		`1800000001.500000000 / http:3 < {"jsonrpc":"2.0","id":1,"result":{"timestamp":1800000001,"timestampMs":1800000001500,"blockNumber":0,"flashblockIndex":6}}`,
		`1800000001.500000000 / http:4 > {"jsonrpc":"2.0","id":1,"method":"fakenode_seal"}`,
		"1800000002.000000000 /?observer ws:1 ! " + string(head),
		"1800000002.000000000 / http:4 < " + sealed,
		`1800000002.000000000 / http:5 > {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"eth_chainId","dropConnection":true}]}`,
		`1800000002.000000000 / http:5 < {"jsonrpc":"2.0","id":1,"result":null}`,
		"1800000002.000000000 / http:6 > " + chainID,
		"1800000002.000000000 / http:6 x",
		`1800000002.000000000 / http:7 > {"jsonrpc":"2.0","id":1,"method":"fakenode_setFault","params":[{"method":"eth_chainId","httpStatus":503}]}`,
		`1800000002.000000000 / http:7 < {"jsonrpc":"2.0","id":1,"result":null}`,
		"1800000002.000000000 / http:8 > " + chainID,
		`1800000002.000000000 / http:8 <503 "injected fault: Service Unavailable\n"`,
		"1800000002.000000000 /?observer ws:1 -",
		`1800000002.000000000 / ws:2 > {"jsonrpc":"2.0","id":2,"method":"net_version"}`,
		`1800000002.000000000 / ws:2 < {"jsonrpc":"2.0","id":2,"result":"31337"}`,
		"1800000002.000000000 / ws:2 x 1001 the node is closing", "",
	}, "\n"), r.file.String())
	require.Empty(t, r.log)
}

// Ensure Run lets the clocks go on, of worlds only while they have a client, and tells what they bring, and that all
// clocks stand still after it.
func TestTapRun(t *testing.T) {
	t.Parallel()
	r := record(t, fakenode.Config{RealClock: true, Mode: fakenode.Interval, BlockTime: 100 * time.Millisecond, FlashblockTime: fakenode.NoFlashblocks, Worlds: fakenode.Worlds{Auto: true}})
	const heads, number = `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newHeads"]}`, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`
	sockets := []*websocket.Conn{connect(t, r.address, "/"), connect(t, r.address, "/testnet"), connect(t, r.address, "/w/a")}
	ask(t, http.MethodPost, r.address, "/w/b", number)
	for _, socket := range sockets {
		say(t, socket, heads, `{"jsonrpc":"2.0","id":1,"result":"0x1"}`)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- r.tap.Run(ctx) }()
	for _, socket := range sockets {
		for _, want := range []string{`"number":"0x1"`, `"number":"0x2"`} {
			_, head, err := socket.ReadMessage()
			require.NoError(t, err)
			require.Contains(t, string(head), want)
		}
	}
	worlds := ask(t, http.MethodPost, r.address, "/", `{"jsonrpc":"2.0","id":1,"method":"fakenode_worlds"}`)
	require.Contains(t, worlds, `{"name":"b","blockNumber":0,"clients":0,`)
	cancel()
	require.NoError(t, <-ended)

	before := len(r.events)
	for range 3 {
		ask(t, http.MethodPost, r.address, "/", number)
	}
	for _, e := range r.events[before:] {
		if e.Path != "" { // else it is no event of the file
			require.Equal(t, r.events[before].At, e.At)
		}
	}
}
