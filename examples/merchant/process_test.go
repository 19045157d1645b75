package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// asProgram makes the test binary be the program: a process of its own, to be killed.
const asProgram = "MERCHANT_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// merchant is the running program, with everything that it ever wrote or answered.
type merchant struct {
	t              *testing.T
	node           *fakenode.Node
	payer, account fakenode.Account
	args           []string
	url            string
	written        *written
	signatures     [][]byte // those that were handed to it
	end            func()   // lets it end, and waits for that
}

// newMerchant is a program that is not running yet. Its log and its answers are searched for signatures when the test
// ends.
func newMerchant(t *testing.T, node *fakenode.Node, args ...string) *merchant {
	t.Helper()
	m := &merchant{t: t, node: node, payer: node.Account(0), account: node.Account(1), written: &written{}}
	m.args = append([]string{
		"-rpc", node.URL(), "-ws", node.WebSocketURL(), "-token", node.Token().Address().Hex(),
		"-db", filepath.Join(t.TempDir(), "merchant.db"), "-listen", "127.0.0.1:0",
		"-poll", "1h", "-timeout", "1m",
	}, args...)
	t.Cleanup(func() {
		if m.end != nil {
			m.end()
		}
		m.checkCredentials()
	})
	return m
}

// startMerchant runs the program within the test, on a node and a database of its own.
func startMerchant(t *testing.T, node *fakenode.Node, args ...string) *merchant {
	t.Helper()
	m := newMerchant(t, node, args...)
	m.start()
	return m
}

// start runs the program within the test.
func (m *merchant) start() {
	m.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stdout, stdoutWriter := io.Pipe()
	code := make(chan int, 1)
	go func() {
		code <- run(ctx, m.args, m.getenv, stdoutWriter, m.written)
		_ = stdoutWriter.Close()
	}()
	m.end = func() {
		m.end = nil
		cancel()
		require.Equal(m.t, exitOK, <-code)
	}
	m.listening(stdout)
}

// spawn runs the program as a process. kill it.
func (m *merchant) spawn() *exec.Cmd {
	m.t.Helper()
	command := exec.Command(os.Args[0], m.args...)
	command.Env = append(os.Environ(), asProgram+"=1", keyVariable+"="+m.getenv(keyVariable))
	command.Stderr = m.written
	stdout, err := command.StdoutPipe()
	require.NoError(m.t, err)
	require.NoError(m.t, command.Start())
	m.end = func() { m.kill(command) }
	m.listening(stdout)
	return command
}

// kill ends a process with SIGKILL: it has no chance to finish anything.
func (m *merchant) kill(command *exec.Cmd) {
	m.t.Helper()
	require.NoError(m.t, command.Process.Kill())
	require.Error(m.t, command.Wait())
	m.end = nil
}

func (m *merchant) getenv(name string) string {
	if name == keyVariable {
		return hexutil.Encode(crypto.FromECDSA(m.account.Key))
	}
	return ""
}

// listening reads the port from the program's first line.
func (m *merchant) listening(stdout io.Reader) {
	m.t.Helper()
	lines := bufio.NewReader(io.TeeReader(stdout, m.written))
	first, err := lines.ReadString('\n')
	require.NoError(m.t, err, "it did not start: %s", m.written)
	address, ok := strings.CutPrefix(strings.TrimSpace(first), "Listening on ")
	require.True(m.t, ok, "first line is %q", first)
	m.url = "http://" + address
	go io.Copy(io.Discard, lines)
}

// database is the path of the SQLite file.
func (m *merchant) database() string {
	for i, argument := range m.args {
		if argument == "-db" {
			return m.args[i+1]
		}
	}
	return ""
}

// checkCredentials fails the test when a signature is in the log or in an answer.
func (m *merchant) checkCredentials() {
	m.t.Helper()
	all := strings.ToLower(m.written.String())
	for _, signature := range m.signatures {
		for _, part := range [][]byte{signature[:32], signature[32:64]} {
			if strings.Contains(all, strings.TrimPrefix(hexutil.Encode(part), "0x")) {
				m.t.Error("a signature was logged or answered")
			}
		}
	}
}

// written is a buffer that is safe for concurrent use.
type written struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buffer.Write(p)
}

func (w *written) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buffer.String()
}
