package rpcserver_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// messageWait is the time that a "<<ws" entry waits for its message.
const messageWait = 10 * time.Second

// conversation is an .io file that is being replayed or recorded:
//
//	// what it shows
//	>> {"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}
//	<< {"jsonrpc":"2.0","id":1,"result":"0x0"}
//	!! seal
//	>>ws {"jsonrpc":"2.0","id":2,"method":"eth_subscribe","params":["newHeads"]}
//	<<ws {"jsonrpc":"2.0","id":2,"result":"0x1"}
//	>>/testnet {"jsonrpc":"2.0","id":3,"method":"eth_getBlockByNumber","params":["latest",false]}
//	<< {
//	     "jsonrpc": "2.0",
//	     "id": 3,
//	     "result": {
//	       "number": "0x0",
//	       "uncles": []
//	     }
//	   }
//
// Each entry begins with a mark. Indented lines continue the entry before them.
//
//   - "//" is a comment.
//   - ">>" posts a request over HTTP, to the path that may follow the mark without a space. "<<" is its answer. A
//     request without "<<" must get no answer, as notifications do.
//   - ">>ws" sends a message over the WebSocket connection of the file, which the first such entry opens. Each "<<ws"
//     is the next message that arrives on it.
//   - "!!" is a step that the caller knows how to take, such as "advance 200ms".
//
// Answers are compared as JSON, so neither their layout nor the order of keys matters, and without the messages of
// errors.
//
// Recording rewrites the answers in the file: an answer of up to 120 columns stays on its line, a longer one is laid
// out over lines, and so is each value in it. A file to be rewritten must hold its "<<ws" marks, if only bare, because
// they say how many messages to wait for; "<<" entries may be missing. Everything else is kept.
type conversation struct {
	node   scriptedNode
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
	return bytes.TrimSpace(instance.ReplaceAll(text, []byte(`"instanceId":"of the run"`))), err
}

// instance matches the member of an answer that no two runs share.
var instance = regexp.MustCompile(`"instanceId":"0x[0-9a-f]*"`)

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

// entry is a part of a conversation that begins with a mark.
type entry struct {
	line int    // number of its first line
	mark string // "" if it is a comment or blank
	rest string // text after the mark, with the lines that continue it
	text string // the entry as it stands in the file, without its last line break
}

func parse(text string) ([]entry, error) {
	var entries []entry
	for i, line := range strings.Split(text, "\n") {
		if trimmed := strings.TrimSpace(line); trimmed != "" && strings.ContainsAny(line[:1], " \t") {
			if len(entries) == 0 || entries[len(entries)-1].mark == "" {
				return nil, fmt.Errorf("line %d: an indented line continues an entry, but there is none before it", i+1)
			}
			last := &entries[len(entries)-1]
			last.rest += "\n" + trimmed
			last.text += "\n" + line
			continue
		}
		e := entry{line: i + 1, text: line}
		if !strings.HasPrefix(line, "//") {
			e.mark, e.rest, _ = strings.Cut(strings.TrimSpace(line), " ")
			e.rest = strings.TrimSpace(e.rest)
		}
		entries = append(entries, e)
	}
	return entries, nil
}

// maxColumns is the width up to which a JSON value stays on one line.
const maxColumns = 120

// layOut returns text over lines for a file in which it begins at the given column. A value that fits into maxColumns
// stays on one line; the members of a longer one stand on lines of their own, indented further than column. Text that
// is not JSON is returned unchanged.
func layOut(text []byte, column int) string {
	if !json.Valid(text) {
		return string(text)
	}
	var out strings.Builder
	writeValue(&out, text, column, column)
	return out.String()
}

// writeValue writes a JSON value whose first line begins at column and whose other lines are indented by indent.
func writeValue(out *strings.Builder, value json.RawMessage, column, indent int) {
	var compact bytes.Buffer
	_ = json.Compact(&compact, value) // value is valid JSON
	opening, closing := compact.Bytes()[0], compact.Bytes()[compact.Len()-1]
	if column+compact.Len() <= maxColumns || opening != '{' && opening != '[' {
		out.Write(compact.Bytes())
		return
	}
	decoder := json.NewDecoder(&compact)
	_, _ = decoder.Token() // the opening bracket
	out.WriteByte(opening)
	for separator := ""; decoder.More(); separator = "," {
		out.WriteString(separator + "\n" + strings.Repeat(" ", indent+2))
		start := indent + 2
		if opening == '{' {
			name, _ := decoder.Token()
			key, _ := json.Marshal(name)
			out.WriteString(string(key) + ": ")
			start += len(key) + len(": ")
		}
		var member json.RawMessage
		_ = decoder.Decode(&member)
		writeValue(out, member, start, indent+2)
	}
	out.WriteString("\n" + strings.Repeat(" ", indent) + string(closing))
}

// canonical returns JSON in a form in which equal values are equal strings, without the messages of errors. Text that
// is not JSON is returned unchanged.
func canonical(text []byte) string {
	if !json.Valid(text) {
		return string(text)
	}
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

// scriptedNode is the other side of a conversation.
type scriptedNode struct {
	// URL is where requests are posted. A WebSocket opens at the same place.
	URL string
	// Step takes a "!!" step, given without the mark. If it is nil, every step is an error.
	Step func(step string) error
}

// replayTranscripts replays every .io file under dir, each in a parallel subtest with a node of its own from start. If
// update is true, it writes the answers into the files instead of comparing them.
func replayTranscripts(t *testing.T, dir string, update bool, start func(t *testing.T) scriptedNode) {
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
			if update {
				text, err = c.record(string(text))
				require.NoError(t, err, file)
				require.NoError(t, os.WriteFile(file, text, 0o644))
				return
			}
			require.NoError(t, c.replay(string(text), func(line int, want, have string) {
				require.Equal(t, want, have, "%s:%d", file, line)
			}), file)
		})
	}
}
