package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// wire is a client that notes every byte that it gets.
type wire struct {
	t     *testing.T
	url   string
	calls int
	got   []string
}

// post sends a message over HTTP to a path.
func (w *wire) post(path, message string) string {
	w.t.Helper()
	request, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, w.url+path, strings.NewReader(message))
	require.NoError(w.t, err)
	request.Host = "node.localhost" // answers that name the node are the same on every port
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	require.NoError(w.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(w.t, err)
	w.calls++
	w.got = append(w.got, fmt.Sprintf("%d %s", response.StatusCode, body))
	return string(body)
}

// call calls a method over HTTP. params is JSON without the brackets.
func (w *wire) call(path, method, params string) string {
	w.t.Helper()
	return w.post(path, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":[%s]}`, w.calls, method, params))
}

// dial opens a WebSocket connection to a path.
func (w *wire) dial(path string) *websocket.Conn {
	w.t.Helper()
	socket, response, err := websocket.DefaultDialer.DialContext(w.t.Context(), "ws"+strings.TrimPrefix(w.url, "http")+path, nil)
	require.NoError(w.t, err)
	_ = response.Body.Close()
	w.t.Cleanup(func() { _ = socket.Close() })
	return socket
}

// read reads messages until one contains text, and returns it.
func (w *wire) read(socket *websocket.Conn, text string) string {
	w.t.Helper()
	for {
		_, message, err := socket.ReadMessage()
		require.NoError(w.t, err, "no message with %s", text)
		w.got = append(w.got, string(message))
		if strings.Contains(string(message), text) {
			return string(message)
		}
	}
}

// ask calls a method over WebSocket and returns the answer; the notifications before it are noted.
func (w *wire) ask(socket *websocket.Conn, method, params string) string {
	w.t.Helper()
	w.calls++
	require.NoError(w.t, socket.WriteMessage(websocket.TextMessage, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":"w%d","method":"%s","params":[%s]}`, w.calls, method, params)))
	return w.read(socket, fmt.Sprintf(`"id":"w%d"`, w.calls))
}

const (
	sender   = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266"
	receiver = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8"
)

// transfer returns a transaction object.
func transfer(value int) string {
	return fmt.Sprintf(`{"from":"%s","to":"%s","value":"0x%x","gas":"0x5208"}`, sender, receiver, value)
}

// payments makes some rounds of calls with subscriptions, a reorg, faults, a world and both networks, and returns every
// byte that came back.
func payments(t *testing.T, url string, rounds int) (got []string) {
	w := &wire{t: t, url: url}
	subscriber, watcher := w.dial("/"), w.dial("/testnet")
	for _, kind := range []string{`"newHeads"`, `"logs",{}`, `"pendingLogs",{}`, `"newPendingTransactions"`, `"newFlashblocks"`} {
		w.ask(subscriber, "eth_subscribe", kind)
	}
	w.ask(watcher, "eth_subscribe", `"newHeads"`)
	w.post("/", `[{"jsonrpc":"2.0","id":1,"method":"eth_chainId"},{"jsonrpc":"2.0","method":"eth_blockNumber"},`+"\n"+`{"jsonrpc":"2.0","id":"two","method":"eth_gasPrice"}]`)
	w.post("/", `{"jsonrpc":"2.0","method":"eth_chainId"}`)
	w.post("/", `{ this is no JSON`)
	w.call("/", "fakenode_newWorld", `{"name":"other"}`)
	for i := range rounds {
		w.call("/", "eth_sendTransaction", transfer(i))
		w.call("/", "fakenode_advance", "200")
		w.call("/", "eth_getBalance", `"`+receiver+`","pending"`)
		w.ask(subscriber, "eth_getTransactionCount", `"`+sender+`","pending"`)
		w.ask(watcher, "fakenode_seal", "")
		w.call("/w/other", "eth_sendTransaction", transfer(i))
		w.call("/w/other/testnet", "eth_blockNumber", "")
		switch i {
		case rounds / 3:
			w.call("/", "fakenode_reorg", `{"depth":2}`)
		case rounds / 2:
			w.call("/", "fakenode_setFault", `{"method":"eth_chainId","httpStatus":503}`)
			w.call("/", "eth_chainId", "")
			w.call("/", "fakenode_setFault", `{"method":"eth_chainId","latencyMs":20,"error":{"code":-32005,"message":"limit exceeded"}}`)
			w.call("/", "eth_chainId", "")
			w.call("/", "fakenode_setFault", `{"method":"eth_chainId","truncate":10}`)
			w.call("/", "eth_chainId", "")
		}
	}
	snapshot := w.call("/", "evm_snapshot", "")
	require.Contains(t, snapshot, "0x")
	for range 20 {
		w.call("/", "eth_blockNumber", "")
	}
	w.call("/", "fakenode_calls", `"eth_chainId"`)
	w.call("/", "evm_revert", `"0x1"`)
	w.ask(subscriber, "eth_blockNumber", "")
	w.ask(watcher, "eth_blockNumber", "")
	return w.got
}

// Ensure a recording of many calls with subscriptions is served again byte by byte, and that a fresh node answers the
// same, which needs no flags.
func TestRecordReplayCheck(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.rec")
	p := start(t, "--record", file, "--seal", "manual", "--chain-id", "4242", "--start-time", "1800000000")
	rounds := laboratory.Budget(t, 12, 120)
	recorded := payments(t, p.url, rounds)
	p.end(t)
	require.Empty(t, p.stderr.String())

	again := start(t, "replay", file)
	require.Equal(t, recorded, payments(t, again.url, rounds))
	require.Contains(t, again.end(t), "without a chain")

	code, stdout, stderr := runFor(t, "check", file)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "no difference")

	code, _, stderr = runFor(t, "check", file, "--chain-id", "7")
	require.Equal(t, exitError, code)
	require.Contains(t, stderr, `"id":1,"result":"0x1092"}`)
	require.Contains(t, stderr, `"id":1,"result":"0x7"}`)
	require.Regexp(t, `line \d+, / http:1:`, stderr)
}

// Ensure a recording of calls to replicas is checked against a fresh node, each at the replica that answered it.
func TestRecordingsHaveReplicas(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.rec")
	p := start(t, "--record", file, "--seal", "manual", "--start-time", "1800000000", "--replicas", "3", "--replica-seed", "4")
	w := &wire{t: t, url: p.url}
	subscriber := w.dial("/replica/2")
	w.ask(subscriber, "eth_subscribe", `"newHeads"`)
	for i := range 20 {
		w.call("/", "eth_sendTransaction", transfer(i))
		w.call("/", "fakenode_advance", "900")
		w.call("/replica/any", "eth_getBlockByNumber", `"latest",false`)
		w.ask(subscriber, "eth_blockNumber", "")
		if i == 10 {
			w.call("/", "fakenode_reorg", `{"depth":3}`)
			w.call("/replica/any", "fakenode_replica", `2,{"behind":3}`)
		}
	}
	p.end(t)
	recorded, err := os.ReadFile(file)
	require.NoError(t, err)
	for number := range 3 {
		require.Contains(t, string(recorded), fmt.Sprintf(" /replica/%d ", number+1))
	}
	code, stdout, stderr := runFor(t, "check", file)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "no difference")
}

// runFor runs the program to its end.
func runFor(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), args, nil, &out, &errs)
	return code, out.String(), errs.String()
}

// Ensure a world whose client waits is at the same block in a check, where the wait ends earlier than it was recorded.
func TestRecordLateAnswer(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.rec")
	p := start(t, "--record", file, "--start-time", "1800000000", "--block-time", "1s", "--auto-worlds", "--auto-impersonate", "--quiet")
	w := &wire{t: t, url: p.url}
	w.call("/w/a", "eth_sendTransactionSync", transfer(1))
	for range 9 {
		w.call("/", "eth_chainId", "")
	}
	w.call("/", "fakenode_worlds", "")
	p.end(t)
	recorded, err := os.ReadFile(file)
	require.NoError(t, err)
	var lines []string
	var answer string // comes last, as where the computer has much to do
	for line := range strings.Lines(string(recorded)) {
		_, event, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(event, "/w/a http:1 <"):
			answer = "1800000003.500000000 " + event
		case strings.Contains(event, "eth_chainId"):
			lines = append(lines, "1800000000.500000000 "+event)
		case strings.Contains(event, "fakenode_worlds"):
			lines = append(lines, "1800000003.500000000 "+event)
		default:
			lines = append(lines, strings.Replace(line, `"blockNumber":0,"clients":0`, `"blockNumber":3,"clients":0`, 1))
		}
	}
	require.NoError(t, os.WriteFile(file, []byte(strings.Join(append(lines, answer), "")), 0o600))
	requireSameAgain(t, file)
}

// Ensure random calls of many clients to networks and worlds, with clocks that are also set forward, are recorded so
// that a fresh node says the same.
func TestRecordRandomCalls(t *testing.T) {
	t.Parallel()
	own := map[string]string{"megaeth": `"miniBlocks"`, "rise": `"shreds",true`} // subscriptions of a preset
	all := [][]string{
		{"--preset", "base-flashblocks", "--block-time", "1s"}, {"--preset", "anvil"}, {"--preset", "base", "--l1"}, {"--preset", "megaeth"}, {"--preset", "rise"},
	}
	for _, flags := range all[:laboratory.Budget(t, 1, len(all))] {
		t.Run(flags[1], func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "run.rec")
			p := start(t, append(flags, "--record", file, "--auto-worlds", "--quiet")...)
			paths := []string{"/", "/testnet", "/w/a", "/7/testnet", "/w/a/testnet", "/7"}
			var clients sync.WaitGroup
			for i := range len(paths) {
				w := &wire{t: t, url: p.url}
				socket := w.dial(paths[i])
				w.ask(socket, "eth_subscribe", cmp.Or(own[flags[1]], `"newHeads"`))
				drawn := rand.New(rand.NewPCG(uint64(i), 0))
				clients.Go(func() {
					for range laboratory.Budget(t, 12, 30) {
						path := paths[drawn.IntN(len(paths))]
						switch drawn.IntN(9) {
						case 0, 1:
							w.call(path, "eth_sendTransaction", transfer(drawn.IntN(1000)))
						case 2:
							w.ask(socket, "eth_sendTransaction", transfer(drawn.IntN(1000)))
						case 3:
							w.call(path, "eth_sendTransactionSync", transfer(i))
						case 4:
							w.call(path, "eth_getBlockByNumber", `"pending",true`)
						case 5:
							w.call(path, "evm_increaseTime", `"0x1"`)
						case 6:
							w.call(path, "fakenode_worlds", "")
						case 7:
							w.call(path, "evm_snapshot", "")
						case 8:
							w.call(path, "fakenode_newWorld", `{"snapshot":"0x1"}`)
						}
					}
					require.NoError(t, socket.Close())
				})
			}
			clients.Wait()
			p.end(t)
			requireSameAgain(t, file)
		})
	}
}

// requireSameAgain checks a recording with a fresh node.
func requireSameAgain(t *testing.T, file string) {
	t.Helper()
	code, stdout, stderr := runFor(t, "check", file)
	require.Equal(t, exitOK, code, stderr)
	require.Contains(t, stdout, "no difference")
}

// Ensure a recording has no secret, and that a check asks for the missing ones.
func TestRecordingHasNoSecrets(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "run.rec")
	const mnemonic = "legal winner thank year wave sausage worth useful legal winner thank yellow"
	p := start(t, "--record", file, "--seal", "manual", "--mnemonic", mnemonic)
	w := &wire{t: t, url: p.url}
	w.call("/", "eth_accounts", "")
	w.call("/", "anvil_reset", `{"forking":{"jsonRpcUrl":"ftp://user:pass@127.0.0.1/v3/my-key"}}`)
	p.end(t)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	for _, secret := range []string{"legal", "my-key", "pass"} {
		require.NotContains(t, string(text), secret)
	}
	code, _, stderr := runFor(t, "check", file)
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "the recording was made with --mnemonic, which it does not hold: give it again")
	code, _, stderr = runFor(t, "check", file, "--mnemonic", mnemonic)
	require.Equal(t, exitOK, code, stderr)
}

// Ensure no file is overwritten, and that a fault in a recording yields one clear line.
func TestRecordingFiles(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	precious := filepath.Join(directory, "precious")
	require.NoError(t, os.WriteFile(precious, []byte("precious"), 0o600))
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"--record", precious}, "file exists"},
		{[]string{"--record", directory}, "file exists"},
		{[]string{"--record", filepath.Join(directory, "gone", "x")}, "no such file"},
		{[]string{"--record", filepath.Join(directory, "x"), "--state", directory}, "--record does not go with --state"},
		{[]string{"check", precious}, "line 1: a recording begins with"},
		{[]string{"replay", precious}, "line 1: a recording begins with"},
		{[]string{"check", filepath.Join(directory, "absent")}, "no such file"},
	} {
		code, stdout, stderr := runFor(t, test.args...)
		require.Equal(t, exitUsage, code, "%v", test.args)
		require.Contains(t, stderr, test.want)
		require.Equal(t, 1, strings.Count(stderr, "\n"), "%q", stderr)
		require.Empty(t, stdout)
	}
	text, err := os.ReadFile(precious)
	require.NoError(t, err)
	require.Equal(t, "precious", string(text))
}

// Ensure a node that cannot begin its recording does not start.
func TestRecordingOnFullDisk(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("/dev/full, which is always full, is not here: ", err)
	}
	code, _, stderr := runFor(t, "--port", "0", "--record", "/dev/full")
	require.Equal(t, exitUsage, code)
	require.Contains(t, stderr, "no space left on device")
}

// Ensure a node whose recording fails reports that once, goes on serving, and exits with 1 at its end.
func TestRecordingBreaksOff(t *testing.T) {
	t.Parallel()
	pipe := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	gone := make(chan error, 1)
	go func() {
		reader, err := os.Open(pipe)
		if err == nil {
			_, err = bufio.NewReader(reader).ReadString('\n')
			err = errors.Join(err, reader.Close())
		}
		gone <- err
	}()
	p := start(t, "--quiet", "--record", pipe)
	require.NoError(t, <-gone)
	w := &wire{t: t, url: p.url}
	for range 3 {
		require.Contains(t, w.call("/", "eth_chainId", ""), "0x7a69")
	}
	p.stop()
	require.Equal(t, exitError, <-p.exited)
	require.Equal(t, 1, strings.Count(p.stderr.String(), "the recording ends here: "), &p.stderr)
	require.Contains(t, p.stderr.String(), "record "+pipe)
}

// Ensure a world is checked as what it copied when the first request to it made it, though the node went on before the
// request had brought its message.
func TestRecordingOfWorldMadeBeforeItsMessage(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls.rec")
	p := start(t, "--seal", "manual", "--record", file)
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	answers := bufio.NewReader(conn)
	const body = `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}`
	_, err = fmt.Fprintf(conn, "POST /7 HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n", len(body))
	require.NoError(t, err)
	waits, err := http.ReadResponse(answers, nil)
	require.NoError(t, err)
	require.Equal(t, http.StatusContinue, waits.StatusCode)

	w := &wire{t: t, url: p.url}
	w.call("/", "fakenode_seal", "2")
	_, err = io.WriteString(conn, body)
	require.NoError(t, err)
	answer, err := http.ReadResponse(answers, nil)
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Contains(t, string(text), `"result":"0x0"`)
	p.end(t)
	code, _, stderr := runFor(t, "check", file)
	require.Equal(t, exitOK, code, stderr)
}

// Ensure a call over HTTP that waits in a world is answered while a recording is made: the clocks go on for it.
func TestRecordedWorldAnswersWaitingCall(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "calls.rec")
	p := start(t, "--record", file, "--auto-worlds", "--block-time", "100ms", "--flashblock-time", "20ms", "--quiet")
	w := &wire{t: t, url: p.url}
	require.Contains(t, w.call("/w/shop", "eth_sendTransactionSync", transfer(1)), `"status":"0x1"`)
	p.end(t)
	code, _, stderr := runFor(t, "check", file)
	require.Equal(t, exitOK, code, stderr)
}
