package door_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

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

// Ensure the log has one line for each event, with the decoded reason of a failure.
func TestLog(t *testing.T) {
	t.Parallel()
	var log lines
	node := fakenode.RunConfigT(t, fakenode.Config{Logger: slog.New(slog.NewJSONHandler(&log, nil))})
	expiring := capture(node)
	node.Advance(16 * time.Minute) // past its end
	to := node.Token().Address()
	var hash string
	require.NoError(t, node.Client().Client().Call(&hash, "eth_sendTransaction", map[string]any{"from": node.Account(1).Address, "to": to, "data": hexutil.Bytes(expiring), "gas": "0x30d40"}))
	node.Preconfirm()
	node.Seal()
	_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1})
	require.NoError(t, err)
	require.NoError(t, node.Fail(fakenode.Fault{Method: "eth_chainId", Latency: time.Millisecond}))
	require.NoError(t, node.Client().Client().Call(&hash, "eth_chainId"))
	require.NoError(t, node.Close())

	transactions := log.about(t, "transaction")
	require.NotEmpty(t, transactions)
	require.Equal(t, "main", transactions[0]["network"])
	require.Equal(t, "execution reverted: FiatTokenV2: authorization is expired", transactions[0]["err"])
	require.Contains(t, transactions[0], "flashblock")
	require.Len(t, log.about(t, "flashblock"), 1, "empty ones are for debug")
	require.Len(t, log.about(t, "reorg"), 1)
	require.NotEmpty(t, log.about(t, "block"))
	faults := log.about(t, "fault")
	require.Len(t, faults, 1)
	require.Equal(t, "1ms late", faults[0]["effect"])
	require.Empty(t, log.about(t, "call"), "calls are for debug")
}

// Ensure a fault of flashblocks and one of the raw feed is one line, whether it comes from Go, over the wire or from a
// scenario.
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
}

// Ensure the log has a user's deposits, and at debug also the one that every block of an OP-stack chain begins with.
func TestLogOfDeposits(t *testing.T) {
	t.Parallel()
	var log lines
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	node := fakenode.RunConfigT(t, fakenode.Config{Rules: fakenode.OptimismRules, Logger: logger})
	var deposit string
	to := node.Account(1).Address
	require.NoError(t, node.Client().Client().Call(&deposit, "fakenode_deposit", map[string]any{"from": node.Account(0).Address, "to": to, "gas": 100_000}))
	node.Preconfirm()
	_, err := node.Transact(node.Account(0), fakenode.Tx{To: &to})
	require.NoError(t, err)
	node.Seal()
	require.NoError(t, node.Close())

	deposits := log.about(t, "deposit")
	require.Len(t, deposits, 2)
	require.Equal(t, "DEBUG", deposits[0]["level"])
	require.Equal(t, "INFO", deposits[1]["level"])
	require.Equal(t, deposit, deposits[1]["hash"])
	require.EqualValues(t, 3, log.about(t, "block")[0]["transactions"])
}
