package recording

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/gorilla/websocket"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// upgrader accepts any origin: the server in front has checked it.
var upgrader = websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}

// serveSocket plays the next recorded connection of the network, or one without any messages if there is none.
func (n *replayed) serveSocket(w http.ResponseWriter, req *http.Request) {
	socket, err := upgrader.Upgrade(w, req, nil)
	if err != nil {
		return // answered by Upgrade
	}
	defer context.AfterFunc(req.Context(), func() { _ = socket.Close() })() // the server closes
	socket.SetReadLimit(maxMessage)
	p := n.player
	p.mu.Lock()
	c := newChannel()
	if n.opened < len(n.sockets) {
		c = n.sockets[n.opened]
		n.opened++
	}
	c.queue = newQueue(socket)
	c.letOut(p.played)
	p.mu.Unlock()
	defer c.queue.close()
	for {
		_, body, err := socket.ReadMessage()
		if err != nil {
			return
		}
		key, ids := split(body)
		p.mu.Lock()
		m, again := c.find(key)
		switch {
		case m == nil:
			c.queue.add(jsonrpc.TapAnswer, unrecorded(ids))
		case !again:
			m.came, m.now = true, ids
			p.reached(m)
		case m.answer != nil:
			c.queue.add(jsonrpc.TapAnswer, withIDs(m.answer.Payload, m.ids, ids))
		}
		p.mu.Unlock()
	}
}

// queue holds the frames on their way to a WebSocket client. It is safe for concurrent use.
type queue struct {
	socket *websocket.Conn

	mu      sync.Mutex
	changed *sync.Cond // on mu
	waiting []frame
	closed  bool
}

// frame is a message, or the code and the reason with which the connection is cut.
type frame struct {
	kind    jsonrpc.TapKind
	payload []byte
}

// newQueue returns a queue that is written until it is closed.
func newQueue(socket *websocket.Conn) *queue {
	q := &queue{socket: socket}
	q.changed = sync.NewCond(&q.mu)
	go q.write()
	return q
}

func (q *queue) add(kind jsonrpc.TapKind, payload []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waiting = append(q.waiting, frame{kind, payload})
	q.changed.Signal()
}

func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.changed.Signal()
}

func (q *queue) write() {
	defer q.socket.Close()
	for {
		q.mu.Lock()
		for len(q.waiting) == 0 && !q.closed {
			q.changed.Wait()
		}
		if q.closed {
			q.mu.Unlock()
			return
		}
		next := q.waiting[0]
		q.waiting = q.waiting[1:]
		q.mu.Unlock()
		if next.kind == jsonrpc.TapCut {
			q.cut(string(next.payload))
			return
		}
		if q.socket.WriteMessage(websocket.TextMessage, next.payload) != nil {
			return
		}
	}
}

// cut ends the connection as the node did: with a code and a reason, or without a word.
func (q *queue) cut(farewell string) {
	text, reason, _ := strings.Cut(farewell, " ")
	code, err := strconv.Atoi(text)
	if err == nil && code != websocket.CloseAbnormalClosure {
		_ = q.socket.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason))
	}
}
