package rpcserver_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
)

// echo starts a node that answers each request with the request itself, over HTTP and WebSocket. It does not answer a
// request that contains "quiet", and answers one that contains "steps" with the steps taken.
func echo(t *testing.T) scriptedNode {
	var steps []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if websocket.IsWebSocketUpgrade(r) {
			var upgrader websocket.Upgrader
			ws, err := upgrader.Upgrade(w, r, nil)
			if err != nil {
				return
			}
			defer ws.Close()
			for {
				kind, message, err := ws.ReadMessage()
				if err != nil || ws.WriteMessage(kind, message) != nil {
					return
				}
			}
		}
		body, _ := io.ReadAll(r.Body)
		switch {
		case strings.Contains(string(body), "quiet"):
			w.WriteHeader(http.StatusNoContent)
		case strings.Contains(string(body), "steps"):
			_, _ = io.WriteString(w, `{"steps":"`+strings.Join(steps, ",")+`","path":"`+r.URL.Path+`"}`)
		default:
			_, _ = w.Write(body)
		}
	}))
	t.Cleanup(server.Close)
	return scriptedNode{URL: server.URL, Step: func(step string) error {
		if step == "fail" {
			return errors.New("refused")
		}
		steps = append(steps, step)
		return nil
	}}
}

func TestConversationReplay(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, wrong, err string }{
		{name: "same", text: `>> {"a":1,"b":[2]}` + "\n" + `<< {"b": [2], "a": 1}`},
		{name: "other value", text: `>> {"a":1}` + "\n" + `<< {"a":2}`, wrong: "2"},
		{name: "key missing", text: `>> {"a":1}` + "\n" + `<< {"a":1,"b":null}`, wrong: "2"},
		{name: "numbers exactly", text: `>> 9007199254740993` + "\n" + `<< 9007199254740992`, wrong: "2"},
		{name: "error message differs", text: `>> {"error":{"code":1,"message":"x"}}` + "\n" + `<< {"error":{"code":1,"message":"y"}}`},
		{name: "error code differs", text: `>> [{"error":{"code":1,"message":"x"}}]` + "\n" + `<< [{"error":{"code":2,"message":"x"}}]`, wrong: "2"},
		{name: "answer not expected", text: "// nothing\n>> 1\n", wrong: "2"},
		{name: "answer not expected before a step", text: ">> 1\n!! a\n", wrong: "1"},
		{name: "no answer", text: `>> "quiet"`},
		{name: "no answer where one is expected", text: `>> "quiet"` + "\n<< 1", wrong: "2"},
		{name: "steps in order, path", text: "!! a\n!! b 1\n" + `>>/x "steps"` + "\n" + `<< {"steps":"a,b 1","path":"/x"}`},
		{name: "WebSocket", text: ">>ws 1\n>>ws 2\n<<ws 1\n<<ws 2"},
		{name: "WebSocket order", text: ">>ws 1\n>>ws 2\n<<ws 2\n<<ws 1", wrong: "3"},
		{name: "step fails", text: "\n!! fail", err: `line 2: step "fail": refused`},
		{name: "answer first", text: "<< 1", err: "line 1: answer without a request"},
		{name: "second answer", text: ">> 1\n<< 1\n<< 1", err: "line 3: answer without a request"},
		{name: "no socket", text: "<<ws 1", err: "line 1: no WebSocket connection: want a >>ws line first"},
		{name: "answer over lines", text: `>> {"a":1,"b":[2]}` + "\n<< {\n     \"b\": [2],\n     \"a\": 1\n   }\n"},
		{name: "other value over lines", text: ">> [1,2]\n<< [\n     1,\n     3\n   ]\n>> 4\n<< 4", wrong: "2"},
		{name: "request over lines", text: ">> [1,\n   2]\n<< [1,2]\n>>ws [3,\n\t4]\n<<ws [3,4]"},
		{name: "text after an answer", text: ">> 1\n<< 1 2", wrong: "2"},
		{name: "continues nothing", text: "// shows\n  1", err: "line 2: an indented line continues an entry, but there is none before it"},
		{name: "unknown mark", text: "> 1", err: `line 1: want a line to start with //, >>, <<, >>ws, <<ws or !!, have ">"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := conversation{node: echo(t)}
			defer c.close()
			wrong := ""
			err := c.replay(test.text, func(line int, want, have string) {
				if want != have && wrong == "" {
					wrong = string(rune('0' + line))
				}
			})
			require.Equal(t, test.wrong, wrong)
			if test.err == "" {
				require.NoError(t, err)
			} else {
				require.EqualError(t, err, test.err)
			}
		})
	}
}

func TestConversationRecord(t *testing.T) {
	t.Parallel()
	c := conversation{node: echo(t)}
	defer c.close()
	recorded, err := c.record("// shows\n>> 1\n<< 2\n>> \"quiet\"\n<< 3\n\n!! a\n>>ws 4\n<<ws\n>> \"steps\"\n")
	require.NoError(t, err)
	require.Equal(t, "// shows\n>> 1\n<< 1\n>> \"quiet\"\n\n!! a\n>>ws 4\n<<ws 4\n>> \"steps\"\n<< {\"steps\":\"a\",\"path\":\"/\"}\n", string(recorded))
}

// TestConversationLaysOutLongAnswers checks that short answers stay on a line, that long ones are laid out with their
// short values on a line, that a second recording gives the same, and that a replay accepts the result.
func TestConversationLaysOutLongAnswers(t *testing.T) {
	t.Parallel()
	c := conversation{node: echo(t)}
	defer c.close()
	short, long := strings.Repeat("s", 115), strings.Repeat("l", 116)
	text := `>> "` + short + `"` + "\n" +
		`>> {"jsonrpc":"2.0","result":[],"list":[{"<b>":1.50},"` + long + `",{"in":["` + long + `"]}],"none":{}}` + "\n" +
		`>>ws ["` + short + `"]` + "\n<<ws 0\n     0\n"
	want := `>> "` + short + `"` + "\n" + `<< "` + short + `"` + "\n" +
		`>> {"jsonrpc":"2.0","result":[],"list":[{"<b>":1.50},"` + long + `",{"in":["` + long + `"]}],"none":{}}` + `
<< {
     "jsonrpc": "2.0",
     "result": [],
     "list": [
       {"<b>":1.50},
       "` + long + `",
       {
         "in": [
           "` + long + `"
         ]
       }
     ],
     "none": {}
   }
>>ws ["` + short + `"]
<<ws [
       "` + short + `"
     ]
`
	for range 2 {
		recorded, err := c.record(text)
		require.NoError(t, err)
		require.Equal(t, want, string(recorded))
		text = string(recorded)
	}
	require.NoError(t, c.replay(text, func(line int, want, have string) {
		require.Equal(t, want, have, "line %d", line)
	}))
}

// TestConversationUpdate checks that an update corrects a wrong answer in a file.
func TestConversationUpdate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "wrong.io")
	require.NoError(t, os.WriteFile(file, []byte(">> 1\n<< 2\n"), 0o600))
	t.Run("update", func(t *testing.T) { replayTranscripts(t, dir, true, echo) })
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, ">> 1\n<< 1\n", string(text))
}
