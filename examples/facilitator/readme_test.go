package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/internal/readme"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the session of the README works as it stands, but for the ports and the answer of a new chain.
func TestSessionOfREADME(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell, "bash", "curl", "jq", "base64")
	text := readme.Read(t)
	session, command := readme.Find(t, text, "(?s)```sh\n(.*?)```")[0], readme.Arguments(t, text, "facilitator")
	key := readme.Find(t, text, `export FACILITATOR_KEY=(\S+)`)[0]
	require.Equal(t, hexutil.Encode(crypto.FromECDSA(fixtures.Dev(1).Key)), key)

	for _, hardfork := range []string{"osaka", "amsterdam"} {
		t.Run(hardfork, func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant, Hardfork: hardfork})
			runSession(t, node, command, session, key)
		})
	}
}

// runSession runs the program with a command line on a node, and the session against it.
func runSession(t *testing.T, node *fakenode.Node, command, session, key string) {
	t.Helper()
	shop := start(t, strings.NewReplacer("http://127.0.0.1:8545", node.URL(), "127.0.0.1:8402", "127.0.0.1:0", "facilitator.db", filepath.Join(t.TempDir(), "facilitator.db")).Replace(command), key)
	require.Equal(t, `{"scheme":"exact","network":"eip155:31337","amount":"10000","asset":"0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"}
{"report": "sunny"}
{"success":true,"amount":"10000"}
FiatTokenV2: authorization is used or canceled
`, readme.Session(t, session, "http://127.0.0.1:8402", shop, "http://127.0.0.1:8545", node.URL()))
	node.CheckBalance(t, node.Account(1).Address, fixtures.USD("1000000.01"))
}

// start runs the program with a command line until the test ends, and returns its URL.
func start(t *testing.T, arguments, key string) string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	stdout, writer := io.Pipe()
	code := make(chan int, 1)
	var complaints bytes.Buffer
	go func() {
		code <- run(ctx, strings.Fields(arguments), func(string) string { return key }, writer, &complaints)
		_ = writer.Close()
	}()
	t.Cleanup(func() {
		cancel()
		require.Equal(t, exitOK, <-code, "%s", &complaints)
	})
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSpace(strings.TrimPrefix(line, "selling on "))
}
