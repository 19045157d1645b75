package door_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"math/big"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// relay is the code of a contract that calls the console with its call data, and reverts if it was sent value.
var relay = common.FromHex("365f5f375f5f365f73000000000000000000636F6E736F6C652e6c6f675afa5034602857005b5f5ffd")

// logged returns the call of the console with a text and a number.
func logged(t *testing.T, text string, number int64) []byte {
	t.Helper()
	word, err := abi.NewType("string", "", nil)
	require.NoError(t, err)
	number256, err := abi.NewType("uint256", "", nil)
	require.NoError(t, err)
	packed, err := abi.Arguments{{Type: word}, {Type: number256}}.Pack(text, big.NewInt(number))
	require.NoError(t, err)
	return append(crypto.Keccak256([]byte("log(string,uint256)"))[:4], packed...)
}

// listener is a test whose log is read.
type listener struct {
	*testing.T
	lines []string
	ends  []func()
}

func (l *listener) Log(args ...any)  { l.lines = append(l.lines, fmt.Sprint(args...)) }
func (l *listener) Cleanup(f func()) { l.ends = append(l.ends, f) }

// Ensure console.log of contracts is in the log of the test that owns the node, also of a transaction that failed or is
// only pre-confirmed, and is served by fakenode_console.
func TestConsoleLog(t *testing.T) {
	t.Parallel()
	owner := &listener{T: t}
	node := fakenode.RunConfigT(owner, fakenode.Config{Preset: fakenode.BaseFlashblocks})
	contract := common.HexToAddress("0xc0ffee")
	node.SetCode(contract, relay)
	send := func(tx fakenode.Tx) common.Hash {
		tx.To, tx.Gas = &contract, 100_000
		hash, err := node.Transact(node.Account(0), tx)
		require.NoError(t, err)
		return hash
	}
	first := send(fakenode.Tx{Data: logged(t, "paid %d of", 7)})
	failing := send(fakenode.Tx{Data: logged(t, "fails", 8), Value: uint256.NewInt(1)})
	node.Seal()
	receipt, err := node.Receipt(t.Context(), failing)
	require.NoError(t, err)
	require.Equal(t, types.ReceiptStatusFailed, receipt.Status)
	send(fakenode.Tx{Data: logged(t, "pending", 9)})
	node.Preconfirm()
	silent := send(fakenode.Tx{})
	node.Preconfirm()

	var lines []string
	client := node.Client().Client()
	require.NoError(t, client.Call(&lines, "fakenode_console", first))
	require.Equal(t, []string{"paid 7 of"}, lines)
	require.NoError(t, client.Call(&lines, "fakenode_console", silent))
	require.Equal(t, []string{"0x"}, lines, "no call of console.log: its data")
	require.ErrorContains(t, client.Call(&lines, "fakenode_console", common.Hash{1}), "transaction not found")

	for _, end := range owner.ends {
		end()
	}
	require.Equal(t, []string{"console.log: paid 7 of", "console.log: fails 8", "console.log: pending 9", "console.log: 0x"}, owner.lines)
}

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

// lines collects a log. It is safe for concurrent use.
type lines struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buffer.Write(p)
}

// about returns the lines with a message, without their time and level.
func (l *lines) about(t *testing.T, message string) []map[string]any {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	var found []map[string]any
	for line := range strings.Lines(l.buffer.String()) {
		var entry map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &entry))
		if entry["msg"] == message {
			found = append(found, entry)
		}
	}
	return found
}

// Ensure a fault of flashblocks, of the raw feed and of calls is one line, whether it comes from Go, over the wire or
// from a scenario.
func TestLogOfFaults(t *testing.T) {
	t.Parallel()
	var log lines
	node := fakenode.RunConfigT(t, fakenode.Config{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	client := node.Client().Client()
	_, err := node.FlashblockFault(fakenode.FlashblockFault{Kind: fakenode.StallFlashblocks})
	require.NoError(t, err)
	require.NoError(t, client.Call(nil, "fakenode_flashblockFault", map[string]any{"kind": "lag", "count": 2}))
	require.NoError(t, node.FeedFault(fakenode.FeedFault{Kind: fakenode.FeedGap}))
	require.NoError(t, client.Call(nil, "fakenode_feedFault", map[string]any{"kind": "reorder", "count": 3}))
	_, err = node.Scenario("LostPreconfirmation", fakenode.ScenarioParams{})
	require.NoError(t, err)
	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_chainId", Latency: time.Millisecond}))
	require.NoError(t, client.Call(nil, "eth_chainId"))
	require.NoError(t, node.Close())

	var flashblocks, feed []string
	for _, line := range log.about(t, "flashblock fault") {
		flashblocks = append(flashblocks, fmt.Sprint(line["network"], " ", line["kind"], " ", line["count"], " ", line["armed"]))
	}
	for _, line := range log.about(t, "feed fault") {
		feed = append(feed, fmt.Sprint(line["kind"], " ", line["count"]))
	}
	require.Equal(t, []string{"main stall 1 true", "main lag 2 false", "main drop 1 false"}, flashblocks)
	require.Equal(t, []string{"gap 1", "reorder 3"}, feed)
	require.Equal(t, "1ms late", log.about(t, "fault")[0]["effect"])
}
