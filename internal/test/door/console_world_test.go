package door_test

import (
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure console.log, the traces and the log cover all worlds, whoever made them, and that a world does not repeat
// lines of transactions that were pre-confirmed in its source.
func TestWorldsAreWatched(t *testing.T) {
	t.Parallel()
	contract := common.HexToAddress("0xc0ffee")
	config := fakenode.Config{State: t.TempDir(), Mode: fakenode.Manual}
	for _, name := range []string{"made", "resumed"} {
		var log lines
		var mu sync.Mutex
		var said, traces []string
		config.Logger = slog.New(slog.NewJSONHandler(&log, nil))
		config.Console = func(line string) { said = append(said, line) }
		config.Traces = func(text string) {
			mu.Lock()
			defer mu.Unlock()
			traces = append(traces, strings.SplitAfter(text, "\n")[0])
		}
		node, err := fakenode.New(config)
		require.NoError(t, err)
		send := func(on *fakenode.Network, number int64) string {
			hash, err := on.Transact(node.Account(0), fakenode.Tx{To: &contract, Gas: 100_000, Data: logged(t, name, number)})
			require.NoError(t, err)
			on.Preconfirm()
			return hash.Hex()
		}
		var first string
		if name == "made" {
			node.SetCode(contract, relay)
			node.Testnet().SetCode(contract, relay)
			first = send(node.Network, 0)
			require.NoError(t, node.Client().Client().Call(nil, "fakenode_newWorld", map[string]string{"name": "one"}))
		}
		world := node.World("one")
		second, third := send(world.Network, 1), send(world.Testnet(), 2)
		world.Seal()
		world.Testnet().Seal()
		if name == "resumed" {
			require.NoError(t, world.Close())
		}
		require.NoError(t, node.Close())

		want := []string{name + " 1", name + " 2"}
		titles := []string{"transaction " + second + " in block 1 of /w/one\n", "transaction " + third + " in block 1 of /w/one/testnet\n"}
		if name == "made" {
			want, titles = append(want, "made 0"), append(titles, "transaction "+first+" in block 1\n")
		} else {
			titles[0] = "transaction " + second + " in block 2 of /w/one\n"
			titles[1] = "transaction " + third + " in block 2 of /w/one/testnet\n"
		}
		require.ElementsMatch(t, want, said)
		require.ElementsMatch(t, titles, traces)
		worlds := log.about(t, "transaction")
		worlds = slices.DeleteFunc(worlds, func(line map[string]any) bool { return line["world"] != "one" })
		require.Len(t, worlds, 2)
	}
}

// Ensure console.log of a call is logged like a transaction's, also if the call fails, and that calls do not wait for
// who reads it.
func TestConsoleOfCalls(t *testing.T) {
	t.Parallel()
	var log lines
	var said []string
	read := make(chan struct{})
	node, err := fakenode.New(fakenode.Config{Logger: slog.New(slog.NewJSONHandler(&log, nil)), Console: func(line string) {
		<-read
		said = append(said, line)
	}})
	require.NoError(t, err)
	contract := common.HexToAddress("0xc0ffee")
	node.SetCode(contract, relay)
	client := node.Client().Client()
	require.NoError(t, client.Call(nil, "eth_call", map[string]any{"to": contract, "data": hexutil.Bytes(logged(t, "called", 1))}))
	require.Error(t, client.Call(nil, "eth_call", map[string]any{"from": node.Account(0).Address, "to": contract, "value": "0x1", "data": hexutil.Bytes(logged(t, "failed", 2))}))
	require.NoError(t, client.Call(nil, "eth_call", map[string]any{"to": node.Account(0).Address}))
	close(read)
	require.NoError(t, node.Close())
	require.Equal(t, []string{"called 1", "failed 2"}, said)
	require.Len(t, log.about(t, "console.log"), 2)
}
