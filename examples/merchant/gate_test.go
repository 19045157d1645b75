package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// moment is when a gate stops a call.
type moment int

const (
	beforeNode moment = iota // the node does not see the call
	afterNode                // the node has executed the call, its answer does not come back
)

// gate stands between the program and the node's HTTP endpoint, and can stop a call for good: the caller waits until it
// is killed or gives up.
type gate struct {
	url   string
	looks chan struct{} // is sent to at each look of the shop at the chain, if somebody receives

	mu      sync.Mutex
	armed   bool
	method  string // "" is every method
	left    int    // calls to let pass first
	when    moment
	seen    int // calls since it was armed
	stopped chan struct{}
}

func newGate(t *testing.T, node *fakenode.Node) *gate {
	t.Helper()
	g := &gate{looks: make(chan struct{})}
	target := node.URL()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		var call struct{ Method string }
		_ = json.Unmarshal(body, &call)
		if call.Method == "eth_chainId" { // a look begins with it
			select {
			case g.looks <- struct{}{}:
			default:
			}
		}
		stop, when := g.pass(call.Method)
		if stop && when == beforeNode {
			close(g.stopped)
			<-r.Context().Done()
			return
		}
		response, err := http.Post(target, "application/json", bytes.NewReader(body))
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if stop {
			close(g.stopped)
			<-r.Context().Done()
			return
		}
		if err == nil {
			_, _ = w.Write(answer)
		}
	}))
	t.Cleanup(server.Close)
	g.url = server.URL
	return g
}

// arm makes the gate stop call number nth of a method, counted from 1; "" counts all. The channel closes when it did.
func (g *gate) arm(method string, nth int, when moment) <-chan struct{} {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.armed, g.method, g.left, g.when, g.seen, g.stopped = true, method, nth, when, 0, make(chan struct{})
	return g.stopped
}

func (g *gate) disarm() (seen int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.armed = false
	return g.seen
}

func (g *gate) pass(method string) (stop bool, when moment) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.armed || g.method != "" && g.method != method {
		return false, g.when
	}
	g.seen++
	return g.seen == g.left, g.when
}

// wire is a TCP connection to the node that can be cut.
type wire struct {
	listener net.Listener
	target   string

	mu    sync.Mutex
	down  bool
	conns map[net.Conn]bool
	tried chan struct{} // a connection was refused while down
}

func newWire(t *testing.T, target string) *wire {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	w := &wire{listener: listener, target: target, conns: map[net.Conn]bool{}, tried: make(chan struct{}, 100)}
	t.Cleanup(func() {
		_ = listener.Close()
		w.cut()
	})
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			w.carry(conn)
		}
	}()
	return w
}

func (w *wire) url() string { return "ws://" + w.listener.Addr().String() }

// lead makes new connections end at another node.
func (w *wire) lead(target string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.target = target
}

// carry connects a connection through, or drops it while the wire is cut.
func (w *wire) carry(conn net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.down {
		_ = conn.Close()
		select {
		case w.tried <- struct{}{}:
		default:
		}
		return
	}
	far, err := net.Dial("tcp", w.target)
	if err != nil {
		_ = conn.Close()
		return
	}
	w.conns[conn], w.conns[far] = true, true
	for _, pair := range [][2]net.Conn{{conn, far}, {far, conn}} {
		go func() {
			_, _ = io.Copy(pair[0], pair[1])
			_ = pair[0].Close()
		}()
	}
}

// cut ends all connections, and rejects new ones until mend.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = true
	for conn := range w.conns {
		_ = conn.Close()
	}
	clear(w.conns)
}

func (w *wire) mend() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.down = false
}
