package recording

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pace"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Tap sees the traffic of a node, and is its wall clock: messages are answered one after another, and the wall clock
// stands still during a message. So the same messages at the same times have the same answers.
type Tap struct {
	note func(Event)
	log  *slog.Logger
	led  bool // a Checker counts the clients: waiting calls are perhaps answered earlier than in its recording

	turn  sync.Mutex // held by the goroutine that has the turn
	wall  time.Time  // the time of the wall clock
	runs  bool       // Run is active
	first []*tapped  // the networks at /

	mu    sync.Mutex
	open  map[*tapped]int // networks with connections and HTTP requests, with their number
	asked bool            // a message was noted in this turn
}

// tapped is a network with a tap. It implements jsonrpc.Tap.
type tapped struct {
	*world.Network
	tap  *Tap
	path string
}

// NewTap returns the tap of a node, whose Config.Tap must be its Network. note is called with each event, under locks,
// and must not keep a Payload. No message is answered before Start. The log gets clocks that stand still.
func NewTap(note func(Event), log *slog.Logger) *Tap {
	t := &Tap{note: note, log: log, wall: time.Now(), open: make(map[*tapped]int)}
	t.turn.Lock()
	return t
}

// Start lets messages be answered.
func (t *Tap) Start() { t.turn.Unlock() }

// Network returns the tap of a new network. The network's clock follows the wall clock from now on.
func (t *Tap) Network(n *world.Network) jsonrpc.Tap { return t.tapped(n) }

func (t *Tap) tapped(n *world.Network) *tapped {
	on := &tapped{n, t, cmp.Or(n.Path(), "/")}
	if n.World.Name == "" {
		t.first = append(t.first, on)
	}
	if t.led && len(t.first) == 1 { // the wall clock was so far when the recording began
		t.wall = n.Timeline.Moment().Now()
	}
	t.reach(context.Background(), n.Timeline)
	return on
}

// Run lets the wall clock go on until ctx ends: between messages, and while there are none.
func (t *Tap) Run(ctx context.Context) error {
	t.setRuns(true)
	defer t.setRuns(false)
	for wait := time.Duration(0); ; {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
		}
		t.turn.Lock()
		wait = t.pass(ctx, t.first[0].Timeline)
		t.turn.Unlock()
	}
}

func (t *Tap) setRuns(runs bool) {
	t.turn.Lock()
	defer t.turn.Unlock()
	t.runs = runs
}

// moveTo moves the wall clock to the point where a clock reads the given time. It does nothing if the clock is there
// already, or is manual.
func (t *Tap) moveTo(ctx context.Context, clock *preconf.Timeline, at time.Time) {
	t.turn.Lock()
	defer t.turn.Unlock()
	if !clock.Moment().Now().Before(at) {
		return
	}
	t.reach(ctx, clock)
	t.wall = t.wall.Add(max(at.Sub(clock.Moment().Now()), 0))
	t.pass(ctx, clock)
}

// makeWorld makes a world as the first request to it does.
func (t *Tap) makeWorld(name string) error {
	t.turn.Lock()
	defer t.turn.Unlock()
	_, err := t.first[0].NewWorld(&name, nil, "", 0)
	return err
}

// pass moves the clocks to the wall clock's time, and sends the notifications of all events on the way. It returns the
// time until the next event is due. The caller has the turn. In worlds without a client it moves only the requested
// clock.
func (t *Tap) pass(ctx context.Context, asked *preconf.Timeline) (wait time.Duration) {
	if t.runs {
		t.wall = time.Now().Round(0) // without the monotonic clock: a computer that slept must catch up
	}
	wait = t.reach(ctx, asked)
	for _, on := range append(t.opened(), t.first...) {
		wait = min(wait, t.reach(ctx, on.Timeline))
	}
	t.announce()
	return wait
}

// reach moves a clock to the wall clock's time, and returns the time until its next event is due. The caller has the
// turn.
func (t *Tap) reach(ctx context.Context, clock *preconf.Timeline) (wait time.Duration) {
	wait, err := clock.Reach(ctx, t.wall)
	if err == nil {
		return wait
	}
	if !errors.Is(err, preconf.ErrManualClock) && ctx.Err() == nil {
		t.log.Error("a clock stands still", "chain", clock.Moment().Chain().Config().ChainID, "err", err)
	}
	return pace.Longest
}

// announce sends the notifications of all events so far. The caller has the turn.
func (t *Tap) announce() {
	for _, on := range t.opened() {
		on.Streams.CatchUp(jsonrpc.AllConnections)
	}
}

func (t *Tap) opened() []*tapped {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Collect(maps.Keys(t.open))
}

// Begin waits for the turn and lets the wall clock go on.
func (n *tapped) Begin() {
	n.tap.turn.Lock()
	n.tap.pass(context.Background(), n.Timeline)
}

// End sends the notifications of all events, and gives the turn away.
func (n *tapped) End() {
	t := n.tap
	t.announce()
	t.mu.Lock()
	if t.asked {
		t.asked = false
		t.note(Event{TapEvent: jsonrpc.TapEvent{Kind: passed}})
	}
	t.mu.Unlock()
	t.turn.Unlock()
}

// Note handles an event, at the time of the network's clock.
func (n *tapped) Note(e jsonrpc.TapEvent) {
	t := n.tap
	if !t.led {
		t.count(n, e)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asked = t.asked || e.Kind == jsonrpc.TapMessage
	t.note(Event{TapEvent: e, At: n.Timeline.Moment().Now(), Path: n.path})
}

// count counts the connections and requests of a network, of which e is one more or one less.
func (t *Tap) count(n *tapped, e jsonrpc.TapEvent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch overHTTP := e.Exchange != 0; {
	case e.Kind == jsonrpc.TapMessage && overHTTP, e.Kind == jsonrpc.TapOpened:
		t.open[n]++
	case e.Kind == jsonrpc.TapAnswer && overHTTP, e.Kind == jsonrpc.TapCut, e.Kind == jsonrpc.TapLeft:
		if t.open[n]--; t.open[n] <= 0 {
			delete(t.open, n)
		}
	}
}

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
			m.now = ids
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
