package integration_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// The folder with the scripts, and the time one of them may take.
const (
	scripts       = "npm"
	scriptTimeout = 15 * time.Minute
)

// runScript runs a script of the npm folder against a node and returns what it prints. It is one of the
// laboratory's.
func runScript[T any](t *testing.T, node *fakenode.Node, script string, options ...string) T {
	t.Helper()
	requireNode(t)
	require.NoError(t, installPackages(scripts))

	ctx, cancel := context.WithTimeout(t.Context(), scriptTimeout)
	defer cancel()
	owner := hexutil.Encode(crypto.FromECDSA(fakenode.TokenOwner.Key))
	arguments := append([]string{script, node.URL(), node.WebSocketURL(), node.Token().Address().Hex(), owner}, options...)
	command := exec.CommandContext(ctx, "node", arguments...)
	command.Dir = scripts
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	require.NoError(t, command.Run(), "node %s\n%s%s", script, &stderr, &stdout)

	var result T
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &result), "%s printed %s", script, &stdout)
	return result
}

// requireNode skips the test unless clients in JavaScript run, and where there is no Node.js.
func requireNode(t *testing.T) {
	t.Helper()
	laboratory.Needs(t, laboratory.NPM, "node", "npm")
}
