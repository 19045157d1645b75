package eth_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// pagesOf reads all pages of a filter, and returns how many logs each has, the block and the index of each log, and the
// cursors.
func pagesOf(n *servertest.Network, filter map[string]any) (sizes []int, places []string, cursors []string) {
	n.Helper()
	delete(filter, "cursor")
	for {
		page := servertest.Fetch[logPage](n, "eth_getLogsWithCursor", filter)
		sizes = append(sizes, len(page.Logs))
		for _, log := range page.Logs {
			places = append(places, fmt.Sprintf("%d/%d", log.BlockNumber, log.Index))
		}
		if page.Cursor == "" {
			return sizes, places, cursors
		}
		cursors, filter["cursor"] = append(cursors, page.Cursor), page.Cursor
	}
}

// Ensure a page of logs ends where its answer would be too large, but has one log at least, so that a client comes to
// the end; that it ends when the time is up, also one without logs; that it has 10,000 logs where no limit is set; and
// that the next one begins behind it.
func TestPagesOfLogs(t *testing.T) {
	t.Parallel()
	n := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{MaxAnswer: 2_100})
	for range 3 {
		n.Logs(0, "0xa", "0xb", 3)
		n.Seal(1)
	}
	sizes, places, cursors := pagesOf(n, map[string]any{"fromBlock": "0x0"})
	require.Equal(t, []int{2, 2, 2, 2, 1}, sizes)
	require.Equal(t, []string{"1/0", "1/1", "1/2", "2/0", "2/1", "2/2", "3/0", "3/1", "3/2"}, places)
	for i, end := range []struct{ block, index uint64 }{{1, 1}, {2, 0}, {2, 2}, {3, 1}} {
		block, err := n.Timeline.Moment().ByNumber(end.block)
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("0x%016x%x%08x", end.block, block.Hash().Bytes()[:8], end.index), cursors[i])
	}
	n.Transact(0, &servertest.Emitter, new(big.Int), make([]byte, 64+800))
	n.Seal(1)
	n.Fails(-32020, "eth_getLogsWithCursor", map[string]any{"fromBlock": "0x4"})

	timed := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{LogsTimeout: time.Nanosecond})
	timed.Seal(1022)
	for range 2 {
		timed.Logs(0, "0xa", "0xb", 2)
		timed.Seal(1)
	}
	timed.Seal(1025)
	sizes, places, _ = pagesOf(timed, map[string]any{"fromBlock": "0x0"})
	require.Equal(t, []int{2, 2, 0}, sizes)
	require.Equal(t, []string{"1023/0", "1023/1", "1024/0", "1024/1"}, places)
	sizes, _, _ = pagesOf(timed, map[string]any{"fromBlock": "0x1", "toBlock": "0x400"})
	require.Equal(t, []int{4}, sizes, "a range of one step is one page")

	free := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{})
	for range 6 {
		free.Logs(0, "0xa", "0xb", 1667)
	}
	free.Seal(1)
	sizes, _, _ = pagesOf(free, map[string]any{"fromBlock": "0x0"})
	require.Equal(t, []int{10_000, 2}, sizes)
}

// Ensure a cursor is taken up to both ends of the range, with the logs behind it alone, and refused outside.
func TestCursorAtTheEndsOfARange(t *testing.T) {
	t.Parallel()
	n := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{LogsMaxResults: 2})
	for range 3 {
		n.Logs(0, "0xa", "0xb", 3)
		n.Seal(1)
	}
	cursor := servertest.Fetch[logPage](n, "eth_getLogsWithCursor", map[string]any{"fromBlock": "0x2"}).Cursor
	between := func(from, to string) map[string]any {
		return map[string]any{"fromBlock": from, "toBlock": to, "cursor": cursor}
	}
	for _, span := range [][2]string{{"0x2", "0x2"}, {"0x1", "0x2"}, {"0x2", "0x3"}} {
		page := servertest.Fetch[logPage](n, "eth_getLogsWithCursor", between(span[0], span[1]))
		require.EqualValues(t, 2, page.Logs[0].BlockNumber, span)
		require.EqualValues(t, 2, page.Logs[0].Index, span)
		require.Equal(t, span[1] == "0x2", page.Cursor == "", span)
	}
	for _, span := range [][2]string{{"0x3", "0x3"}, {"0x1", "0x1"}} {
		failure := n.Fails(api.CodeInvalidParams, "eth_getLogsWithCursor", between(span[0], span[1]))
		require.Equal(t, fmt.Sprintf("cursor is of block 2, the range is %[1]s-%[1]s", span[0][2:]), failure.Message)
	}
	n.Refuses(api.CodeInvalidParams, []string{"filter has 5 topics, a log has at most 4"}, "eth_getLogsWithCursor",
		map[string]any{"topics": make([]any, 5)})
	n.Fails(-32019, "eth_getLogsWithCursor", map[string]any{"fromBlock": "0x3", "toBlock": "0x1"})
	n.Fails(api.CodeNotFound, "eth_getLogsWithCursor", map[string]any{"blockHash": common.Hash{7}})
	n.Fails(api.CodeInvalidParams, "eth_getLogsWithCursor", map[string]any{"fromBlock": "soon"})
	whole := servertest.Fetch[logPage](n, "eth_getLogsWithCursor", map[string]any{"blockHash": n.Timeline.Moment().Latest().Hash()})
	require.Len(t, whole.Logs, 3, "one block by its hash is one page")
	require.Empty(t, whole.Cursor)
}
