package integration_test

import (
	"encoding/json"
	"os/exec"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure fakenode_console shows what Hardhat's own decoder shows, in all 375 overloads of its library.
func TestConsoleAgainstHardhat(t *testing.T) {
	t.Parallel()
	requireNode(t)
	require.NoError(t, installPackages(hardhatProject))
	command := exec.CommandContext(t.Context(), "node", "console.cjs")
	command.Dir = hardhatProject
	output, err := command.Output()
	require.NoError(t, err)
	var calls []struct {
		Data hexutil.Bytes
		Line string
	}
	require.NoError(t, json.Unmarshal(output, &calls))
	require.Greater(t, len(calls), 1400)

	node := fakenode.RunConfigT(quiet{t}, fakenode.Config{Mode: fakenode.Instant})
	// The contract sends its call data on to the console.
	contract := common.HexToAddress("0xc0ffee")
	node.SetCode(contract, common.FromHex("365f5f375f5f365f73000000000000000000636F6E736F6C652e6c6f675afa00"))
	for _, call := range calls {
		hash, err := node.Transact(node.Account(0), fakenode.Tx{To: &contract, Gas: 200_000, Data: call.Data})
		require.NoError(t, err)
		var lines []string
		require.NoError(t, node.Client().Client().CallContext(t.Context(), &lines, "fakenode_console", hash))
		require.Equal(t, []string{call.Line}, lines, "%s", call.Data)
	}
}

// Ensure a line of console.log is in go-ethereum's call tracer where all nodes have it and clients look for it: a call
// of the console's address with the line as its input.
func TestConsoleInCallTracer(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(quiet{t})
	contract := common.HexToAddress("0xc0ffee")
	node.SetCode(contract, common.FromHex("365f5f375f5f365f73000000000000000000636F6E736F6C652e6c6f675afa00"))
	data := common.FromHex("f82c50f1000000000000000000000000000000000000000000000000000000000000002a") // log(uint256)
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: &contract, Gas: 100_000, Data: data})
	require.NoError(t, err)
	node.Seal()
	var frame struct {
		Calls []struct {
			Type  string
			To    common.Address
			Input hexutil.Bytes
			Error string
		}
	}
	require.NoError(t, node.Client().Client().Call(&frame, "debug_traceTransaction", hash, map[string]any{"tracer": "callTracer"}))
	require.Len(t, frame.Calls, 1)
	require.Equal(t, "STATICCALL", frame.Calls[0].Type)
	require.Equal(t, common.HexToAddress("0x000000000000000000636F6e736F6c652e6c6f67"), frame.Calls[0].To)
	require.Equal(t, hexutil.Bytes(data), frame.Calls[0].Input)
	require.Empty(t, frame.Calls[0].Error)
}

// quiet is a test whose log the node does not write to.
type quiet struct{ t *testing.T }

func (q quiet) Helper()                           { q.t.Helper() }
func (q quiet) Cleanup(f func())                  { q.t.Cleanup(f) }
func (q quiet) Errorf(format string, args ...any) { q.t.Helper(); q.t.Errorf(format, args...) }
func (q quiet) Fatalf(format string, args ...any) { q.t.Helper(); q.t.Fatalf(format, args...) }
