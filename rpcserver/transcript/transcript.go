// Package transcript replays recorded conversations with a node. A conversation is an .io file of lines:
//
//	// what it shows
//	>> {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}
//	<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
//	!! seal
//	>>ws {"jsonrpc":"2.0","id":2,"method":"eth_subscribe","params":["newHeads"]}
//	<<ws {"jsonrpc":"2.0","id":2,"result":"0x1"}
//
// ">>" posts a request over HTTP, to the path that may follow it (">>/testnet"); "<<" is its answer. A
// request without "<<" must get none, as notifications do. ">>ws" sends over the file's WebSocket
// connection, which the first such line opens; each "<<ws" is the next message to arrive on it. "!!" is a
// step that the caller of Run knows how to take, such as "advance 200ms". Answers are compared as JSON,
// with the messages of errors left out. With the flag -update the answers are written into the files
// instead; "<<ws" lines must be there, if only bare, to say how many messages to wait for.
package transcript

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the answers received into the .io files")

// messageWait is how long a "<<ws" line waits for its message.
const messageWait = 10 * time.Second

// Node is what a conversation is held with.
type Node struct {
	// URL is where requests are posted. A WebSocket opens at the same place.
	URL string
	// Step takes a "!!" step, given without the marks. Nil: no steps are known.
	Step func(step string) error
}

// Run replays every .io file under dir, each in a parallel subtest with a node of its own from start.
func Run(t *testing.T, dir string, start func(t *testing.T) Node) {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".io") {
			files = append(files, path)
		}
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, files, "no .io files under %s", dir)
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		require.NoError(t, err)
		t.Run(strings.TrimSuffix(filepath.ToSlash(name), ".io"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			c := conversation{node: start(t)}
			defer c.close()
			if *update {
				text, err = c.record(text)
				require.NoError(t, err, file)
				require.NoError(t, os.WriteFile(file, text, 0o644))
				return
			}
			require.NoError(t, c.replay(text, func(line int, want, have string) {
				require.Equal(t, want, have, "%s:%d", file, line)
			}), file)
		})
	}
}

// conversation is a file being replayed.
type conversation struct {
	node   Node
	socket *websocket.Conn // nil before the first ">>ws"
}

func (c *conversation) close() {
	if c.socket != nil {
		_ = c.socket.Close()
	}
}

// replay holds the conversation and hands each answer, with its line and the recorded one, to check.
func (c *conversation) replay(text []byte, check func(line int, want, have string)) error {
	var answer []byte // to the last request, until a "<<" line takes it
	asked := 0        // its line, 0 when there is none to take
	settle := func() {
		if asked != 0 {
			check(asked, "", canonical(answer))
		}
		asked = 0
	}
	for i, line := range strings.Split(string(text), "\n") {
		mark, rest := cut(line)
		number := i + 1
		var err error
		switch mark {
		case "<<":
			if asked == 0 {
				return fmt.Errorf("line %d: answer without a request", number)
			}
			check(number, canonical([]byte(rest)), canonical(answer))
			asked = 0
			continue
		case "<<ws":
			var message []byte
			if message, err = c.receive(); err == nil {
				check(number, canonical([]byte(rest)), canonical(message))
			}
		default:
			settle()
			if answer, err = c.do(mark, rest); strings.HasPrefix(mark, ">>") && mark != ">>ws" {
				asked = number
			}
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
	}
	settle()
	return nil
}

// record holds the conversation and returns the text with the answers received.
func (c *conversation) record(text []byte) ([]byte, error) {
	var out []string
	for i, line := range strings.Split(string(text), "\n") {
		mark, rest := cut(line)
		var answer []byte
		var err error
		switch mark {
		case "<<":
			continue // written after its request
		case "<<ws":
			if answer, err = c.receive(); err == nil {
				line = "<<ws " + string(answer)
			}
			answer = nil
		default:
			answer, err = c.do(mark, rest)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", i+1, err)
		}
		out = append(out, line)
		if len(answer) > 0 {
			out = append(out, "<< "+string(answer))
		}
	}
	return []byte(strings.Join(out, "\n")), nil
}

// cut splits a line into its mark and the rest. The mark of blank lines and comments is empty.
func cut(line string) (mark, rest string) {
	line = strings.TrimSpace(line)
	if strings.HasPrefix(line, "//") {
		return "", ""
	}
	mark, rest, _ = strings.Cut(line, " ")
	return mark, strings.TrimSpace(rest)
}

// do carries out a line that is not an answer; it returns the answer to a ">>" line.
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
		return nil, fmt.Errorf("no WebSocket connection: want a >>ws line first")
	}
	if err := c.socket.SetReadDeadline(time.Now().Add(messageWait)); err != nil {
		return nil, err
	}
	_, message, err := c.socket.ReadMessage()
	return bytes.TrimSpace(message), err
}

// canonical turns JSON into a form in which equal values are equal strings, without the messages of
// errors. Text that is not JSON stays as it is.
func canonical(text []byte) string {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return string(text)
	}
	dropMessages(value)
	indented, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return string(text)
	}
	return string(indented)
}

// dropMessages removes the message of every error object in value.
func dropMessages(value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			dropMessages(item)
		}
	case map[string]any:
		if failure, ok := value["error"].(map[string]any); ok {
			delete(failure, "message")
		}
		for _, member := range value {
			dropMessages(member)
		}
	}
}
