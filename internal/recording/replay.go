package recording

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/gorilla/websocket"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Player serves a recording again, without a chain. It recognizes messages by their text without ids, in any order.
// Each gets its recorded answer at once, and the node's messages up to the next recorded message: time does not pass. A
// message that comes more often than recorded gets its last answer again. The n-th WebSocket connection to a path is
// the n-th recorded one. It is safe for concurrent use.
type Player struct {
	mu     sync.Mutex
	paths  map[string]*network
	played int // the latest recorded message that has come, by its place in the recording
}

// network holds the traffic that was recorded at a path.
type network struct {
	http    *channel
	sockets []*channel // in the order in which they were opened
	opened  int        // the number of sockets opened so far
}

func NewPlayer(recording *Recording) *Player {
	p := &Player{paths: make(map[string]*network), played: -1}
	sockets := make(map[string]*channel)
	cause := -1
	for i := range recording.Events {
		e := &recording.Events[i]
		at := p.paths[e.Path]
		if at == nil {
			at = &network{http: newChannel()}
			p.paths[e.Path] = at
		}
		c := at.http
		if e.Connection != 0 {
			c = sockets[e.Channel()]
		}
		switch {
		case e.Kind == jsonrpc.TapOpened:
			c = newChannel()
			sockets[e.Channel()], at.sockets = c, append(at.sockets, c)
		case c == nil: // the beginning of the connection is missing
		case e.Kind == jsonrpc.TapMessage:
			cause = i
			c.expect(i, e)
		case e.Kind == jsonrpc.TapAnswer, e.Kind == jsonrpc.TapNotification, e.Kind == jsonrpc.TapCut:
			c.sent(e, cause)
		}
	}
	return p
}

// Route returns the handler of a request, for jsonrpc.Config.Route.
func (p *Player) Route(req *http.Request) http.Handler {
	path := req.URL.Path
	if path == "/health" {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"status":"ok"}`+"\n")
		})
	}
	if path != "/" {
		path = strings.TrimSuffix(path, "/")
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if at := cmp.Or(p.paths[path], p.paths["/w"+path]); at != nil { // /7 is /w/7
		return &replayed{p, at}
	}
	return nil
}

type replayed struct {
	player *Player
	*network
}

// ServeHTTP serves the network by POST and as WebSocket.
func (n *replayed) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	switch {
	case websocket.IsWebSocketUpgrade(req):
		n.serveSocket(w, req)
	case req.Method == http.MethodPost:
		n.servePost(w, req)
	default:
		http.Error(w, "this is the recording of a node: POST JSON-RPC, or open a WebSocket", http.StatusMethodNotAllowed)
	}
}

// maxMessage is the size of a message, in bytes.
const maxMessage = 32 << 20

func (n *replayed) servePost(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, req.Body, maxMessage))
	if err != nil {
		http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
		return
	}
	key, ids := split(body)
	n.player.mu.Lock()
	m, again := n.http.find(key)
	if m != nil && !again {
		n.player.reached(m)
	}
	n.player.mu.Unlock()
	header := w.Header()
	switch {
	case m == nil:
		header.Set("Content-Type", "application/json")
		_, _ = w.Write(unrecorded(ids))
		return
	case m.answer == nil: // by a fault, or the recording ends here
		<-req.Context().Done()
		return
	case m.answer.Kind == jsonrpc.TapCut:
		panic(http.ErrAbortHandler) // net/http cuts the connection
	}
	if m.answer.Status != http.StatusNoContent && json.Valid(m.answer.Payload) {
		header.Set("Content-Type", "application/json")
	}
	w.WriteHeader(m.answer.Status)
	_, _ = w.Write(withIDs(m.answer.Payload, m.ids, ids))
}

// reached sends the node's messages that followed a message that has come; the caller holds mu.
func (p *Player) reached(m *message) {
	p.played = max(p.played, m.at)
	for _, at := range p.paths {
		for _, c := range at.sockets[:at.opened] {
			c.letOut(p.played)
		}
	}
}

// unrecorded answers a message that the recording does not have.
func unrecorded(ids []string) []byte {
	id := "null"
	if len(ids) > 0 && ids[0] != "" {
		id = ids[0]
	}
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"this was not recorded"}}`, id, jsonrpc.CodeServer)
}

// split returns the text of a message or batch without the ids of its calls, and the ids, "" for a notification.
func split(message []byte) (key string, ids []string) {
	list := bytes.TrimSpace(message)
	isBatch := bytes.HasPrefix(list, []byte("["))
	if !isBatch {
		list = slices.Concat([]byte("["), list, []byte("]"))
	}
	var calls []map[string]json.RawMessage
	if json.Unmarshal(list, &calls) != nil || !isBatch && len(calls) != 1 {
		return string(message), nil
	}
	for _, call := range calls {
		id := call["id"]
		ids = append(ids, string(id))
		if id != nil {
			call["id"] = json.RawMessage("0")
		}
	}
	text, _ := json.Marshal(calls) // they came from JSON
	if !isBatch {
		text = text[1 : len(text)-1]
	}
	return string(text), ids
}

// beforeID is the beginning of every answer of a node.
const beforeID = `{"jsonrpc":"2.0","id":`

func answeredIDs(answer []byte) []string {
	var ids []string
	eachAnswer(answer, func(id string) string {
		ids = append(ids, id)
		return id
	})
	return ids
}

// withIDs returns a recorded answer with the ids of the message that it now answers in place of the recorded ids.
func withIDs(answer []byte, recorded, now []string) []byte {
	recorded = slices.Clone(recorded)
	return eachAnswer(answer, func(id string) string {
		at := slices.Index(recorded, id)
		if id == "" || at < 0 || at >= len(now) || now[at] == "" {
			return id
		}
		recorded[at] = "" // the next one with this id is another call's
		return now[at]
	})
}

// eachAnswer returns an answer, or the answers of a batch, with each id replaced by the function's result for it. Text
// that a fault cut short is returned unchanged.
func eachAnswer(answer []byte, id func(string) string) []byte {
	var answers []json.RawMessage
	if !bytes.HasPrefix(answer, []byte("[")) || json.Unmarshal(answer, &answers) != nil {
		return oneAnswer(answer, id)
	}
	parts := make([][]byte, len(answers))
	for i, one := range answers {
		parts[i] = oneAnswer(one, id)
	}
	return append(append([]byte("["), bytes.Join(parts, []byte(","))...), ']')
}

func oneAnswer(answer []byte, id func(string) string) []byte {
	rest, isAnswer := strings.CutPrefix(string(answer), beforeID)
	if !isAnswer {
		return answer
	}
	var found json.RawMessage
	if json.NewDecoder(strings.NewReader(rest)).Decode(&found) != nil {
		return answer
	}
	return []byte(beforeID + id(string(found)) + rest[len(found):])
}

// channel holds the messages over HTTP to a path, or over one WebSocket connection, and the node's messages on it.
type channel struct {
	next  map[string][]*message // future messages, by key; without any the latest
	out   []outgoing            // messages still to be sent over WebSocket, in order
	queue queue                 // of the WebSocket while it is open, else nil

	open []*message // while the recording is read: messages without an answer so far
}

type message struct {
	event  *Event
	at     int      // in the recording
	ids    []string // of its calls, "" for a notification
	answer *Event   // nil if there is none
	came   bool
	now    []string // the ids of the message that has come in its place
}

type outgoing struct {
	event *Event
	cause int      // the message recorded before it, by its place in the recording; -1: none
	to    *message // the message that this answers; nil if it is no answer
}

func newChannel() *channel {
	return &channel{next: make(map[string][]*message)}
}

func (c *channel) expect(at int, e *Event) {
	key, ids := split(e.Payload)
	m := &message{event: e, at: at, ids: ids}
	c.next[key] = append(c.next[key], m)
	c.open = append(c.open, m)
}

// sent adds the node's messages after the message at cause.
func (c *channel) sent(e *Event, cause int) {
	var to *message
	if e.Kind == jsonrpc.TapAnswer || e.Exchange != 0 {
		if i := c.asked(e); i >= 0 {
			to = c.open[i]
			to.answer = e
			c.open = slices.Delete(c.open, i, i+1)
		}
	}
	if e.Connection != 0 {
		c.out = append(c.out, outgoing{e, cause, to})
	}
}

// asked returns the index of the open message that an answer belongs to: over WebSocket the first with its ids, else
// the latest.
func (c *channel) asked(answer *Event) int {
	if answer.Exchange != 0 {
		return slices.IndexFunc(c.open, func(m *message) bool { return m.event.Exchange == answer.Exchange })
	}
	ids := answeredIDs(answer.Payload)
	if i := slices.IndexFunc(c.open, func(m *message) bool { return slices.Equal(m.called(), ids) }); i >= 0 {
		return i
	}
	return len(c.open) - 1
}

// called returns the ids of the message's calls that are answered.
func (m *message) called() []string {
	return slices.DeleteFunc(slices.Clone(m.ids), func(id string) bool { return id == "" })
}

// find returns and uses up the next recorded message with a key, or returns the last one again, or nil if there is
// none.
func (c *channel) find(key string) (m *message, again bool) {
	next := c.next[key]
	if len(next) == 0 {
		return nil, false
	}
	if next[0].came && len(next) > 1 {
		next = next[1:]
	}
	c.next[key], m, again = next, next[0], next[0].came
	m.came = true
	return m, again
}

// letOut queues the node's messages whose cause is at played or earlier. An answer waits for its own message.
func (c *channel) letOut(played int) {
	if c.queue == nil {
		return
	}
	c.out = slices.DeleteFunc(c.out, func(o outgoing) bool {
		if o.cause > played || o.to != nil && !o.to.came {
			return false
		}
		payload := o.event.Payload
		if o.to != nil {
			payload = withIDs(payload, o.to.ids, o.to.now)
		}
		c.queue.add(o.event.Kind, payload)
		return true
	})
}
