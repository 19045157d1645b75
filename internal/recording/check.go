package recording

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// DifferenceError is the first difference between a recording and a node.
type DifferenceError struct {
	// Event is the recorded event, which the node should have sent.
	Event Event
	// Have is the message that the node sent.
	Have string
}

// shown is the number of bytes of an answer that an error shows before and after the first difference.
const shown = 200

// Error shows both sides, long ones around the first byte that differs.
func (e *DifferenceError) Error() string {
	want := described(&e.Event)
	at := 0
	for at < len(want) && at < len(e.Have) && want[at] == e.Have[at] {
		at++
	}
	return fmt.Sprintf("line %d, %s:\n  recorded: %s\n  now:      %s", e.Event.Line, e.Event.Channel(), around(want, at), around(e.Have, at))
}

func around(text string, at int) string {
	from, to := max(at-shown, 0), min(at+shown, len(text))
	before, behind := "", ""
	if from > 0 {
		before = "…"
	}
	if to < len(text) {
		behind = "…"
	}
	return before + text[from:to] + behind
}

// cut describes the end of a connection.
const cut = "the connection is cut"

// described returns the text of an event as a client receives it.
func described(e *Event) string {
	switch {
	case e.Kind == jsonrpc.TapCut && (e.Exchange != 0 || bytes.HasPrefix(e.Payload, []byte("1006 "))): // without a reason
		return cut
	case e.Kind == jsonrpc.TapCut:
		return cut + " " + string(e.Payload)
	case e.Kind == jsonrpc.TapAnswer && e.Exchange != 0:
		return status(e.Status, e.Payload)
	}
	return string(e.Payload)
}

func status(code int, body []byte) string { return fmt.Sprintf("%d %s", code, body) }

// answerWait is the time that a node may take for an answer or a notification.
const answerWait = 10 * time.Second

// nothing describes an event that does not come.
const nothing = "nothing within 10s"

type Checker struct {
	// Before is called before each message, and at the end for each network, with an event that has its path alone; an
	// error ends the check. It must be set.
	Before func(*Event) error

	tap      *Tap                   // its wall clock is moved by the times of the recording
	noted    chan struct{}          // gets a value when the message is answered or waits, or a connection that the client ended is gone
	address  string                 // of the node
	sockets  map[string]*socket     // by channel
	requests map[string]chan string // by channel
	networks map[string]*tapped     // by path
}

// NewChecker returns a Checker of one node, whose Config.Tap must be its Network. The log gets clocks that stand still.
func NewChecker(log *slog.Logger) *Checker {
	c := &Checker{
		noted: make(chan struct{}, 1), sockets: make(map[string]*socket), requests: make(map[string]chan string), networks: make(map[string]*tapped),
	}
	c.tap = NewTap(c.note, log)
	c.tap.led = true
	return c
}

func (c *Checker) Network(n *world.Network) jsonrpc.Tap {
	on := c.tap.tapped(n)
	c.networks[on.path] = on
	return on
}

func (c *Checker) note(e Event) {
	if e.Kind != passed && e.Kind != jsonrpc.TapLeft {
		return
	}
	select {
	case c.noted <- struct{}{}:
	default: // no caller waits for it
	}
}

// Check sends the messages of a recording to a fresh node at an address, each at its time, and compares answers and
// notifications byte by byte, except for how long calls took, when worlds were made and the instance. The error is a
// *DifferenceError, or the reason why it could not compare.
func (c *Checker) Check(ctx context.Context, address string, recording *Recording) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // ends the requests without an answer
	c.address = address
	c.tap.Start()
	defer func() {
		for _, s := range c.sockets {
			_ = s.ws.Close()
		}
	}()
	for i := range recording.Events {
		e := &recording.Events[i]
		if e.Kind == jsonrpc.TapCut && bytes.HasSuffix(e.Payload, []byte("the node is closing")) {
			break // the end of the recorded node
		}
		if err := c.event(ctx, e); err != nil {
			if difference := new(DifferenceError); errors.As(err, &difference) {
				return err
			}
			return fmt.Errorf("line %d, %s: %w", e.Line, e.Channel(), err)
		}
		if n := c.networks[e.Path]; n != nil {
			c.tap.count(n, e.TapEvent)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(c.networks)) {
		if err := c.Before(&Event{Path: path}); err != nil {
			return err
		}
	}
	return nil
}

func (c *Checker) event(ctx context.Context, e *Event) error {
	path := e.Path
	if e.Kind == world.TapMade {
		path = "/" // the world that it is copied from
	}
	if n := c.networks[path]; n != nil {
		c.tap.moveTo(ctx, n.Timeline, e.At)
	}
	channel := e.Channel()
	switch e.Kind {
	case world.TapMade:
		return c.tap.makeWorld(strings.TrimPrefix(e.Path, "/w/"))
	case jsonrpc.TapOpened:
		opened, err := dial(ctx, c.address, e)
		if err == nil {
			c.sockets[channel] = opened
		}
		return err
	case jsonrpc.TapLeft:
		s, ok := c.sockets[channel]
		if !ok {
			return nil
		}
		delete(c.sockets, channel)
		return c.await(ctx, "the node does not notice that the client has left", s.ws.Close)
	case jsonrpc.TapMessage:
		if err := c.Before(e); err != nil {
			return err
		}
		return c.await(ctx, "the node does not take the message", func() error { return c.send(ctx, channel, e) })
	case jsonrpc.TapAnswer, jsonrpc.TapNotification, jsonrpc.TapCut:
		have, err := c.receive(channel, e)
		if err != nil {
			return err
		}
		if e.Kind == jsonrpc.TapCut {
			delete(c.sockets, channel)
		}
		if want := described(e); have != want && ofAnyRun(have) != ofAnyRun(want) {
			return &DifferenceError{*e, have}
		}
	}
	return nil
}

func (c *Checker) send(ctx context.Context, channel string, e *Event) error {
	if e.Exchange != 0 {
		c.requests[channel] = post(ctx, c.address, e)
		return nil
	}
	s, ok := c.sockets[channel]
	if !ok {
		return errors.New("the connection was not opened")
	}
	return s.ws.WriteMessage(websocket.TextMessage, e.Payload)
}

// receive returns the node's next message on the channel of the event.
func (c *Checker) receive(channel string, e *Event) (string, error) {
	if e.Exchange != 0 {
		r, ok := c.requests[channel]
		if !ok {
			return "", errors.New("nothing was asked")
		}
		delete(c.requests, channel)
		select {
		case answer := <-r:
			return answer, nil
		case <-time.After(answerWait):
			return nothing, nil
		}
	}
	s, ok := c.sockets[channel]
	if !ok {
		return "", errors.New("the connection was not opened")
	}
	return s.receive(e), nil
}

// await calls do and waits until the tap notes its event. The problem says that the event does not come.
func (c *Checker) await(ctx context.Context, problem string, do func() error) error {
	select {
	case <-c.noted: // of an earlier event
	default:
	}
	if err := do(); err != nil {
		return err
	}
	select {
	case <-c.noted:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(answerWait):
		return fmt.Errorf("%s within %s", problem, answerWait)
	}
}

// ofRun matches the members of fakenode_calls, fakenode_worlds and hardhat_metadata that no two runs share.
var ofRun = regexp.MustCompile(`"(durationUs|createdMs|instanceId)":(\d+|"0x\w+")`)

func ofAnyRun(text string) string { return ofRun.ReplaceAllString(text, `"$1":0`) }

// post sends the event's message and describes the answer. Its Host header is the recorded client's.
func post(ctx context.Context, address string, e *Event) chan string {
	answer := make(chan string, 1)
	go func() {
		code, body, err := exchange(ctx, address, e)
		if err != nil {
			answer <- cut
			return
		}
		answer <- status(code, body)
	}()
	return answer
}

func exchange(ctx context.Context, address string, e *Event) (code int, answer []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+e.target(), bytes.NewReader(e.Payload))
	if err != nil {
		return 0, nil, err
	}
	request.Host = e.Host
	request.GetBody = nil // not sent again if the node cuts the connection
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	answer, err = io.ReadAll(response.Body)
	return response.StatusCode, answer, err
}

type socket struct {
	ws *websocket.Conn
	// early are answers that came earlier than in the recording: a waiting call is answered as soon as its event is there,
	// in the recording perhaps after later messages.
	early []string
}

func dial(ctx context.Context, address string, e *Event) (*socket, error) {
	dialer := websocket.Dialer{NetDialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}}
	ws, response, err := dialer.DialContext(ctx, "ws://"+e.Host+e.target(), nil)
	if err != nil {
		return nil, err
	}
	_ = response.Body.Close()
	return &socket{ws: ws}, nil
}

// receive returns the message in the event's place: the answer to the same call, else the next message that is no
// answer. If the connection ends first, it describes the end.
func (s *socket) receive(e *Event) string {
	var wanted []string
	if e.Kind == jsonrpc.TapAnswer {
		wanted = answeredIDs(e.Payload)
	}
	if i := slices.IndexFunc(s.early, func(message string) bool { return slices.Equal(answeredIDs([]byte(message)), wanted) }); i >= 0 {
		message := s.early[i]
		s.early = slices.Delete(s.early, i, i+1)
		return message
	}
	for {
		message := s.next()
		if ids := answeredIDs([]byte(message)); len(ids) == 0 || slices.Equal(ids, wanted) {
			return message
		}
		s.early = append(s.early, message)
	}
}

// next waits for the next message and describes it, or the end of the connection.
func (s *socket) next() string {
	if err := s.ws.SetReadDeadline(time.Now().Add(answerWait)); err != nil {
		return err.Error()
	}
	_, message, err := s.ws.ReadMessage()
	var closed *websocket.CloseError
	var timeout net.Error
	switch {
	case err == nil:
		return string(message)
	case errors.As(err, &timeout) && timeout.Timeout():
		return nothing
	case errors.As(err, &closed) && closed.Code != websocket.CloseAbnormalClosure:
		return fmt.Sprintf("%s %d %s", cut, closed.Code, closed.Text)
	}
	return cut
}
