package recording

import (
	"context"
	"net/http"
	"strconv"
	"strings"

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
	defer context.AfterFunc(req.Context(), func() { _ = socket.Close() })() // at the server's end
	socket.SetReadLimit(maxMessage)
	p := n.player
	p.mu.Lock()
	c := newChannel()
	if n.opened < len(n.sockets) {
		c = n.sockets[n.opened]
		n.opened++
	}
	c.queue = make(queue, 1)
	go c.queue.write(socket)
	c.letOut(p.played)
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		close(c.queue)
		c.queue = nil
	}()
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

// frame is a message, or the code and the reason with which the connection is cut.
type frame struct {
	kind    jsonrpc.TapKind
	payload []byte
}

// queue holds the frames on their way to a WebSocket client, all of them as one element. To add one, hold the mutex of
// the Player.
type queue chan []frame

func (q queue) add(kind jsonrpc.TapKind, payload []byte) {
	var waiting []frame
	select {
	case waiting = <-q:
	default:
	}
	q <- append(waiting, frame{kind, payload})
}

// write writes the queue until it is closed.
func (q queue) write(socket *websocket.Conn) {
	defer socket.Close()
	for frames := range q {
		for _, next := range frames {
			if next.kind == jsonrpc.TapCut {
				sayFarewell(socket, string(next.payload))
				return
			}
			if socket.WriteMessage(websocket.TextMessage, next.payload) != nil {
				return
			}
		}
	}
}

// sayFarewell ends the connection as the node did: with a code and a reason, or without a close frame.
func sayFarewell(socket *websocket.Conn, farewell string) {
	text, reason, _ := strings.Cut(farewell, " ")
	code, err := strconv.Atoi(text)
	if err == nil && code != websocket.CloseAbnormalClosure {
		_ = socket.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(code, reason))
	}
}
