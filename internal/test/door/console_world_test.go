package door_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// Ensure console.log, the traces and the log cover all worlds, made and resumed, and that a world does not repeat lines
// of transactions that were pre-confirmed in its source.
func TestWorldsAreWatched(t *testing.T) {
	t.Parallel()
	contract := common.HexToAddress("0xc0ffee")
	config := fakenode.Config{State: t.TempDir(), Mode: fakenode.Manual}
	for round, want := range []string{"made", "resumed"} {
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
			hash, err := on.Transact(node.Account(0), fakenode.Tx{To: &contract, Gas: 100_000, Data: logged(t, want, number)})
			require.NoError(t, err)
			on.Preconfirm()
			return hash.Hex()
		}
		lines, titles := []string{want + " 1"}, []string(nil)
		if round == 0 {
			node.SetCode(contract, relay)
			lines, titles = append(lines, "made 0"), append(titles, "transaction "+send(node.Network, 0)+" in block 1\n")
			require.NoError(t, node.Client().Client().Call(nil, "fakenode_newWorld", map[string]string{"name": "one"}))
		}
		world := node.World("one")
		titles = append(titles, fmt.Sprintf("transaction %s in block %d of /w/one\n", send(world.Network, 1), round+1))
		world.Seal()
		require.NoError(t, node.Close())
		require.ElementsMatch(t, lines, said)
		require.ElementsMatch(t, titles, traces)
		logged := slices.DeleteFunc(log.about(t, "transaction"), func(line map[string]any) bool { return line["world"] != "one" })
		require.Len(t, logged, 1)
	}
}

// Ensure console.log and the trace of calls are told like a transaction's, also if the call fails, that no answer waits
// for who reads them, and that all of them are there when the node is closed.
func TestCallsAreTold(t *testing.T) {
	t.Parallel()
	var log lines
	var said, traces []string
	read := make(chan struct{})
	node, err := fakenode.New(fakenode.Config{
		Logger: slog.New(slog.NewJSONHandler(&log, nil)),
		Console: func(line string) {
			<-read
			said = append(said, line)
		},
		Traces: func(text string) {
			<-read
			traces = append(traces, text)
		},
	})
	require.NoError(t, err)
	contract := common.HexToAddress("0xc0ffee")
	node.SetCode(contract, relay)
	client := node.Client().Client()
	require.NoError(t, client.Call(nil, "eth_call", map[string]any{"to": contract, "data": hexutil.Bytes(logged(t, "called", 1))}))
	failing := map[string]any{"from": node.Account(0).Address, "to": contract, "value": "0x1", "data": hexutil.Bytes(logged(t, "failed", 2))}
	require.Error(t, client.Call(nil, "eth_call", failing))
	failing["value"] = hexutil.EncodeBig(fixtures.Ether("20000").ToBig())
	require.ErrorContains(t, client.Call(nil, "eth_estimateGas", failing), "insufficient funds", "so there is no trace")
	_, err = node.Transact(node.Account(0), fakenode.Tx{To: &contract, Gas: 100_000, Value: fixtures.Ether("1"), Data: logged(t, "sent", 3)})
	require.NoError(t, err)
	node.Seal()
	close(read)
	require.NoError(t, node.Close())
	require.ElementsMatch(t, []string{"called 1", "failed 2", "sent 3"}, said)
	require.Len(t, log.about(t, "console.log"), 3)
	require.Len(t, traces, 2)
	require.Equal(t, 1, strings.Count(strings.Join(traces, ""), "failed eth_call\n"))
}
