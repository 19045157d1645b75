package jsonrpc

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// testAPI has the toy's test_chain and test_two in the form that go-ethereum's server needs.
type testAPI struct{}

func (testAPI) Chain() string { return toyChain }

func (testAPI) Two(text string, _ *bool) string { return text }

// BenchmarkServer measures requests a second on methods that do nothing, also of go-ethereum's server, over 8
// keep-alive connections.
func BenchmarkServer(b *testing.B) {
	ours := listen(b, Config{}, newStub().table())

	geth := rpc.NewServer()
	defer geth.Stop()
	require.NoError(b, geth.RegisterName("test", testAPI{}))
	theirs := serveGoEthereum(b, geth)

	requests := []struct{ name, body string }{
		{"chain", `{"jsonrpc":"2.0","id":1,"method":"test_chain","params":[]}`},
		{"two", `{"jsonrpc":"2.0","id":1,"method":"test_two","params":["0x00000000000000000000000000000000000000aa",true]}`},
	}
	for _, request := range requests {
		for _, transport := range []struct {
			name string
			dial func(b *testing.B, url, body string) (exchange func() error, close func())
		}{{"http", dialHTTP}, {"ws", dialWebSocket}} {
			for _, server := range []struct{ name, url string }{{"fakenode", ours.URL("http")}, {"go-ethereum", theirs}} {
				b.Run(request.name+"/"+transport.name+"/"+server.name, func(b *testing.B) {
					benchmarkExchanges(b, func() (func() error, func()) {
						return transport.dial(b, server.url, request.body)
					})
				})
			}
		}
	}
}

// serveGoEthereum serves HTTP and WebSocket on one port.
func serveGoEthereum(b *testing.B, server *rpc.Server) string {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(b, err)
	ws := server.WebsocketHandler([]string{"*"})
	httpServer := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if websocket.IsWebSocketUpgrade(r) {
			ws.ServeHTTP(w, r)
			return
		}
		server.ServeHTTP(w, r)
	})}
	go func() { _ = httpServer.Serve(listener) }()
	b.Cleanup(func() { _ = httpServer.Close() })
	return "http://" + listener.Addr().String()
}

func benchmarkExchanges(b *testing.B, dial func() (func() error, func())) {
	const connections = 8
	var workers sync.WaitGroup
	b.ReportAllocs()
	b.ResetTimer()
	for i := range connections {
		exchange, hangUp := dial()
		workers.Go(func() {
			defer hangUp()
			for n := i; n < b.N; n += connections {
				if err := exchange(); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	workers.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "req/s")
}

// dialHTTP returns an exchange that costs the client next to nothing: it sends ready-made bytes and counts
// as many bytes back as the first answer had.
func dialHTTP(b *testing.B, url, body string) (func() error, func()) {
	host := strings.TrimPrefix(url, "http://")
	conn, err := net.Dial("tcp", host)
	require.NoError(b, err)
	request := []byte(fmt.Sprintf("POST / HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", host, len(body), body))
	_, err = conn.Write(request)
	require.NoError(b, err)
	counter := &countingReader{in: conn}
	first, err := http.ReadResponse(bufio.NewReaderSize(counter, 1), nil)
	require.NoError(b, err)
	text, err := io.ReadAll(first.Body)
	require.NoError(b, err)
	require.Contains(b, string(text), `"result"`)
	answer := make([]byte, counter.read)
	return func() error {
		if _, err := conn.Write(request); err != nil {
			return err
		}
		_, err := io.ReadFull(conn, answer)
		return err
	}, func() { _ = conn.Close() }
}

type countingReader struct {
	in   io.Reader
	read int
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	c.read += n
	return n, err
}

func dialWebSocket(b *testing.B, url, body string) (func() error, func()) {
	ws, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(url, "http"), nil)
	require.NoError(b, err)
	message, err := websocket.NewPreparedMessage(websocket.TextMessage, []byte(body))
	require.NoError(b, err)
	return func() error {
		if err := ws.WritePreparedMessage(message); err != nil {
			return err
		}
		_, answer, err := ws.NextReader()
		if err == nil {
			_, err = io.Copy(io.Discard, answer)
		}
		return err
	}, func() { _ = ws.Close() }
}

// BenchmarkCall is a call without a socket.
func BenchmarkCall(b *testing.B) {
	server := newToy(b, Config{}, newStub().table())
	defer func() { _ = server.Close() }()
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"test_two","params":["0x00000000000000000000000000000000000000aa",true]}`)
	b.ReportAllocs()
	for b.Loop() {
		server.main.Call(b.Context(), body)
	}
}

// BenchmarkNotify delivers 200 logs to each of 1,000 subscribers, as in one flashblock: the time until the
// last client has read the last, without and with one more subscriber that never reads.
func BenchmarkNotify(b *testing.B) {
	b.Run("all read", func(b *testing.B) { benchmarkNotify(b, false) })
	b.Run("one does not read", func(b *testing.B) { benchmarkNotify(b, true) })
}

func benchmarkNotify(b *testing.B, withSlow bool) {
	const clients, logs = 1000, 200
	const subscribe = `{"jsonrpc":"2.0","id":1,"method":"test_subscribe","params":[0]}`
	stub := newStub()
	server := listen(b, Config{}, stub.table())
	if withSlow {
		ask(b, dial(b, server), subscribe)
	}
	var reading sync.WaitGroup
	for range clients {
		ws := dial(b, server)
		ask(b, ws, subscribe)
		go func() {
			for n := 1; ; n++ {
				_, message, err := ws.NextReader()
				if err != nil {
					return
				}
				_, _ = io.Copy(io.Discard, message)
				if n%logs == 0 {
					reading.Done()
				}
			}
		}()
	}
	results := make([]json.RawMessage, logs)
	for i := range results {
		results[i] = json.RawMessage(`{"data":"` + strings.Repeat("0", 600) + `"}`)
	}
	times := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for range b.N {
		start := time.Now()
		reading.Add(clients)
		stub.feed.publish(results...)
		reading.Wait()
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	b.ReportMetric(float64(b.N*clients*logs)/b.Elapsed().Seconds(), "logs/s")
	b.ReportMetric(float64(times[len(times)*99/100].Milliseconds()), "p99-ms")
}
