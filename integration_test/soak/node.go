package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/gorilla/websocket"
)

// startLimit is how long the node may take to answer.
const startLimit = 30 * time.Second

// node is a running node.
type node struct {
	process *exec.Cmd
	address string // host and port
	http    *http.Client
}

// start runs the binary on a free port and waits until it answers.
func start(program string) (*node, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		return nil, err
	}
	_, port, _ := net.SplitHostPort(address)
	n := &node{
		process: exec.Command(program, "--port", port, "--seal", "manual", "--pprof", "--quiet", "--max-answer", "67108864"),
		address: address,
		http:    &http.Client{Timeout: answerLimit},
	}
	n.process.Stderr = os.Stderr
	if err := n.process.Start(); err != nil {
		return nil, err
	}
	for began := time.Now(); time.Since(began) < startLimit; time.Sleep(time.Millisecond) {
		if answer, err := n.http.Get("http://" + address + "/health"); err == nil {
			return n, answer.Body.Close()
		}
	}
	n.stop()
	return nil, fmt.Errorf("%s does not answer within %s", program, startLimit)
}

func (n *node) stop() {
	_ = n.process.Process.Signal(syscall.SIGTERM)
	_ = n.process.Wait()
}

// post sends a body and returns the answer.
func (n *node) post(path string, body []byte) ([]byte, error) {
	answer, err := n.http.Post("http://"+n.address+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	return io.ReadAll(answer.Body)
}

// request returns the bytes of a call.
func request(method string, params ...any) []byte {
	if params == nil {
		params = []any{}
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		panic(err) // only what this program wrote
	}
	return body
}

// call makes one call to the network at the path and returns its result.
func (n *node) call(path, method string, params ...any) (json.RawMessage, error) {
	text, err := n.post(path, request(method, params...))
	if err != nil {
		return nil, err
	}
	var answer struct{ Result, Error json.RawMessage }
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, fmt.Errorf("%s: %w in %.200s", method, err, text)
	}
	if answer.Error != nil {
		return nil, fmt.Errorf("%s: %.300s", method, answer.Error)
	}
	return answer.Result, nil
}

// text is call for a result that is a string.
func (n *node) text(method string, params ...any) (text string, err error) {
	result, err := n.call("/", method, params...)
	if err != nil {
		return "", err
	}
	return text, json.Unmarshal(result, &text)
}

// dial opens a WebSocket and sends the messages.
func (n *node) dial(messages ...[]byte) (*websocket.Conn, error) {
	ws, _, err := websocket.DefaultDialer.Dial("ws://"+n.address, nil)
	if err != nil {
		return nil, err
	}
	for _, message := range messages {
		if err := ws.WriteMessage(websocket.TextMessage, message); err != nil {
			return nil, err
		}
	}
	return ws, nil
}

// raw opens a connection and sends text on it.
func (n *node) raw(text string) (net.Conn, error) {
	conn, err := net.Dial("tcp", n.address)
	if err != nil {
		return nil, err
	}
	_, err = io.Copy(conn, strings.NewReader(text))
	return conn, err
}
