package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// messageWait is the time that a "<<ws" entry waits for its message.
const messageWait = 10 * time.Second

// conversation is a file that is being replayed or recorded.
type conversation struct {
	node   Node
	socket *websocket.Conn // nil before the first ">>ws"
}

func (c *conversation) close() {
	if c.socket != nil {
		_ = c.socket.Close()
	}
}

// replay holds the conversation and calls check with each recorded answer, its line and the answer received.
func (c *conversation) replay(text string, check func(line int, want, have string)) error {
	entries, err := parse(text)
	if err != nil {
		return err
	}
	var answer []byte // answer to the last request, until a "<<" entry takes it
	asked := 0        // line of that request, or 0 if no answer is left to take
	settle := func() {
		if asked != 0 {
			check(asked, "", canonical(answer))
		}
		asked = 0
	}
	for _, e := range entries {
		var err error
		switch e.mark {
		case "<<":
			if asked == 0 {
				return fmt.Errorf("line %d: answer without a request", e.line)
			}
			check(e.line, canonical([]byte(e.rest)), canonical(answer))
			asked = 0
			continue
		case "<<ws":
			var message []byte
			if message, err = c.receive(); err == nil {
				check(e.line, canonical([]byte(e.rest)), canonical(message))
			}
		default:
			settle()
			if answer, err = c.do(e.mark, e.rest); strings.HasPrefix(e.mark, ">>") && e.mark != ">>ws" {
				asked = e.line
			}
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", e.line, err)
		}
	}
	settle()
	return nil
}

// record holds the conversation and returns its text with the answers received.
func (c *conversation) record(text string) ([]byte, error) {
	entries, err := parse(text)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		var answer []byte
		var err error
		switch e.mark {
		case "<<":
			continue // it was written after its request
		case "<<ws":
			var message []byte
			if message, err = c.receive(); err == nil {
				e.text = "<<ws " + layOut(message, len("<<ws "))
			}
		default:
			answer, err = c.do(e.mark, e.rest)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", e.line, err)
		}
		out = append(out, e.text)
		if len(answer) > 0 {
			out = append(out, "<< "+layOut(answer, len("<< ")))
		}
	}
	return []byte(strings.Join(out, "\n")), nil
}

// do carries out an entry that is not an answer. It returns the answer to a ">>" entry, and nil for all others.
func (c *conversation) do(mark, rest string) ([]byte, error) {
	switch {
	case mark == "":
		return nil, nil
	case mark == "!!" && c.node.Step == nil:
		return nil, fmt.Errorf("step %q: this node knows no steps", rest)
	case mark == "!!":
		if err := c.node.Step(rest); err != nil {
			return nil, fmt.Errorf("step %q: %w", rest, err)
		}
		return nil, nil
	case mark == ">>ws":
		return nil, c.send(rest)
	case mark == ">>" || strings.HasPrefix(mark, ">>/"):
		return post(c.node.URL+strings.TrimPrefix(mark, ">>"), rest)
	}
	return nil, fmt.Errorf("want a line to start with //, >>, <<, >>ws, <<ws or !!, have %q", mark)
}

func post(url, body string) ([]byte, error) {
	answer, err := http.Post(url, "application/json", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode >= 300 {
		err = fmt.Errorf("%s: %s", answer.Status, text)
	}
	return bytes.TrimSpace(text), err
}

func (c *conversation) send(message string) error {
	if c.socket == nil {
		socket, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(c.node.URL, "http"), nil)
		if err != nil {
			return err
		}
		c.socket = socket
	}
	return c.socket.WriteMessage(websocket.TextMessage, []byte(message))
}

func (c *conversation) receive() ([]byte, error) {
	if c.socket == nil {
		return nil, errors.New("no WebSocket connection: want a >>ws line first")
	}
	if err := c.socket.SetReadDeadline(time.Now().Add(messageWait)); err != nil {
		return nil, err
	}
	_, message, err := c.socket.ReadMessage()
	return bytes.TrimSpace(message), err
}
