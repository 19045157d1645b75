package fakenode

import (
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/gorilla/websocket"

	"github.com/fakenode/fakenode/rpcserver"
)

// Client returns a client of the network with a WebSocket connection inside this process: no port is opened. All
// subscriptions work, those of its rpc.Client (Client().EthSubscribe) included. Its calls meet the faults of Fail and
// are in the journal, like those of any client, and Disconnect cuts it, too. The errors of its calls that revert have
// the reason under every Profile; clients that dial WebSocketURL see it with Geth. Each call makes another client: keep
// one rather than ask for it in a loop. It is closed with its node at the latest; a closed node's client is closed.
func (n *Network) Client() *ethclient.Client {
	return ethclient.NewClient(n.node.host.inside.dial("ws://127.0.0.1" + n.path()))
}

// inside makes clients in the process and serves them. It has no goroutine before the first client. Safe for concurrent
// use.
type inside struct {
	handler http.Handler
	pipes   chan net.Conn
	done    chan struct{} // closed by leave
	ends    sync.Map      // each *clientEnd that is open

	mu      sync.Mutex
	server  *http.Server // nil before the first client
	clients []*rpc.Client
	closed  bool
}

// dial returns a client of a WebSocket URL of the node, whose host may be any. If there is nothing to connect to it
// returns a closed client.
func (i *inside) dial(url string) *rpc.Client {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.server == nil && !i.closed {
		i.server = &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			req.Host = "" // URLs in answers are then those of the port, if it is open
			i.handler.ServeHTTP(w, req.WithContext(rpcserver.InProcess(req.Context())))
		})}
		go func() { _ = i.server.Serve(i) }()
	}
	dialer := websocket.Dialer{NetDialContext: i.pipe}
	client, err := rpc.DialOptions(context.Background(), url, rpc.WithWebsocketDialer(dialer), rpc.WithWebsocketMessageSizeLimit(0))
	if err != nil {
		client = rpc.DialInProc(rpc.NewServer())
		client.Close()
		return client
	}
	i.clients = append(i.clients, client)
	return client
}

// pipe connects a client, at first or again.
func (i *inside) pipe(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case i.pipes <- server:
		end := &clientEnd{Conn: client, inside: i, server: server, closed: make(chan struct{})}
		i.ends.Store(end, nil)
		return end, nil
	case <-i.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// leave makes no more connections. Calling it again does nothing.
func (i *inside) leave() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.closed {
		i.closed = true
		close(i.done)
	}
}

// close closes all clients, once their subscriptions know why. The caller has called leave.
func (i *inside) close() {
	i.ends.Range(func(end, _ any) bool {
		_ = end.(*clientEnd).server.Close()
		<-end.(*clientEnd).closed
		return true
	})
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, client := range i.clients {
		client.Close()
	}
	i.clients = nil
	if i.server != nil {
		_ = i.server.Close()
	}
}

// cutDelay is how long after its last write a client learns that its connection is cut. A go-ethereum client that
// learns it between writing a request and noting that it was written waits for that answer for ever.
const cutDelay = 50 * time.Millisecond

// clientEnd is the client's end of a connection.
type clientEnd struct {
	net.Conn
	inside *inside
	server net.Conn      // the other end
	closed chan struct{} // by Close
	once   sync.Once

	wrote atomic.Int64 // when the last write began, in Unix nanoseconds
	cut   atomic.Bool  // nothing is written any more
}

// Read implements net.Conn. A client that reads a close frame writes nothing after it.
func (c *clientEnd) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil || isFarewell(p[:n]) {
		c.cut.Store(true)
		select {
		case <-time.After(time.Until(time.Unix(0, c.wrote.Load()).Add(cutDelay))):
		case <-c.closed:
		}
	}
	return n, err
}

// isFarewell reports whether a write of the server is a close frame (RFC 6455 section 5.5.1).
func isFarewell(p []byte) bool {
	const header, leastCode, codes = 2, 1000, 4000
	return len(p) >= header+2 && p[0] == 0x80|websocket.CloseMessage && int(p[1]) == len(p)-header &&
		binary.BigEndian.Uint16(p[header:])-leastCode < codes
}

func (c *clientEnd) Write(p []byte) (int, error) {
	c.wrote.Store(time.Now().UnixNano())
	if c.cut.Load() {
		return 0, net.ErrClosed
	}
	return c.Conn.Write(p)
}

func (c *clientEnd) Close() error {
	c.once.Do(func() {
		c.inside.ends.Delete(c)
		close(c.closed)
	})
	return c.Conn.Close()
}

// Accept implements net.Listener, as Close and Addr do.
func (i *inside) Accept() (net.Conn, error) {
	select {
	case server := <-i.pipes:
		return server, nil
	case <-i.done:
		return nil, net.ErrClosed
	}
}

func (i *inside) Close() error   { return nil }
func (i *inside) Addr() net.Addr { return &net.UnixAddr{Name: "inside", Net: "pipe"} }

// Calls returns the calls that clients made of a method, oldest first; "" means all methods. It includes calls whose
// answer a fault kept back. MarkCalls counts from a point on.
func (n *Network) Calls(method string) []Call { return CallMark{network: n}.Calls(method) }

// WaitForCall waits until clients have made count calls of a method ("" means any) since the network began, and returns
// all calls of it so far, oldest first. The error is ctx.Err(), or reports that count is more than Limits.JournalSize.
func (n *Network) WaitForCall(ctx context.Context, method string, count int) ([]Call, error) {
	return CallMark{network: n}.WaitForCall(ctx, method, count)
}

// CallMark is a point in time between the calls of a network's clients. It stays valid when the network reverts to a
// snapshot: calls are not undone. Safe for concurrent use.
type CallMark struct {
	network *Network
	last    uint64 // number of the newest call before it
}

// MarkCalls returns the point from which later calls are counted: take it before the code under test acts.
func (n *Network) MarkCalls() CallMark {
	return CallMark{network: n, last: n.served().Endpoint.LastCall()}
}

// Calls returns the calls of a method ("" means all) that clients made since the mark, oldest first.
func (m CallMark) Calls(method string) []Call {
	return m.network.served().Endpoint.CallsSince(m.last, method)
}

// WaitForCall waits until clients have made count calls of a method ("" means any) since the mark, and returns all of
// these so far, oldest first. The error is ctx.Err(), or reports that count is more than Limits.JournalSize.
func (m CallMark) WaitForCall(ctx context.Context, method string, count int) ([]Call, error) {
	return m.network.served().Endpoint.WaitForCalls(ctx, m.last, method, count)
}
