package eth_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/labcode"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// realtimeNetwork starts a network whose latest moves with flashblocks of 10 ms in blocks of 1 s.
func realtimeNetwork(t *testing.T, way api.Preconf, limits api.Limits) *servertest.Network {
	config := rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{Preconf: way}}, Limits: limits}
	if way == api.PreconfMegaETH {
		config.DevNode, config.SendSync = dialect.MegaETH, api.SyncMegaETH
	}
	timeline := preconf.Config{Mode: control.Interval, BlockTime: time.Second, FlashblockTime: 10 * time.Millisecond}
	if moves(way) {
		timeline.PendingHash = preconf.NoHash
	}
	return servertest.New(t, timeline, config)
}

// moves reports whether latest moves: MegaETH's and RISE's own ways do as PreconfRealtime.
func moves(way api.Preconf) bool {
	return way == api.PreconfRealtime || way == api.PreconfMegaETH || way == api.PreconfRise
}

// Ensure state and calls are at latest as soon as they are pre-confirmed where latest moves, that a block number and
// the head show sealed blocks alone, and that elsewhere latest is the head.
func TestLatestMoves(t *testing.T) {
	t.Parallel()
	to := common.Address{0xaa}
	for _, way := range api.Preconfs() {
		n := realtimeNetwork(t, way, api.Limits{})
		was := servertest.Fetch[string](n, "eth_getStorageAt", servertest.Counter, common.Hash{})
		call := map[string]any{"to": servertest.Counter}
		n.Transact(0, &to, big.NewInt(5), nil)
		tx := n.Transact(0, &servertest.Counter, new(big.Int), []byte{0})
		n.Preconfirm()
		for _, tag := range []any{"latest", "pending", "0x0"} {
			sees := tag == "pending" || moves(way) && tag == "latest"
			require.Equal(t, sees, servertest.Fetch[string](n, "eth_getBalance", to, tag) == "0x5", "%s %v", way, tag)
			require.Equal(t, sees, servertest.Fetch[string](n, "eth_getTransactionCount", servertest.Alice.Address, tag) == "0x2", "%s %v", way, tag)
			require.Equal(t, sees, was != servertest.Fetch[string](n, "eth_getStorageAt", servertest.Counter, common.Hash{}, tag), "%s %v", way, tag)
			require.Equal(t, sees, servertest.Fetch[struct{ Balance string }](n, "eth_getAccount", to, tag).Balance == "0x5", "%s %v", way, tag)
			require.Equal(t, sees, servertest.Fetch[struct{ Balance string }](n, "eth_getAccountInfo", to, tag).Balance == "0x5", "%s %v", way, tag)
			proved := servertest.Fetch[struct{ Balance string }](n, "eth_getProof", to, []string{}, tag).Balance
			require.Equal(t, tag == "pending", proved == "0x5", "%s %v: a proof is of the state root of the block at that tag", way, tag)
			_ = servertest.Fetch[string](n, "eth_call", call, tag)
		}
		require.Equal(t, "0x0", servertest.Fetch[string](n, "eth_blockNumber"))
		require.Equal(t, "0x0", servertest.Fetch[struct{ Number string }](n, "eth_getBlockByNumber", "latest", false).Number)
		announced := servertest.Fetch[struct{ BlockHash *common.Hash }](n, "eth_getTransactionReceipt", tx.Hash())
		require.Equal(t, moves(way), announced.BlockHash == nil, way)
		n.Seal(1)
		receipt := servertest.Fetch[types.Receipt](n, "eth_getTransactionReceipt", tx.Hash())
		require.Equal(t, n.Timeline.Moment().Latest().Hash(), receipt.BlockHash)
	}
}

// Ensure methods and subscriptions of one dialect are refused elsewhere with the preset that has them.
func TestDialectsApart(t *testing.T) {
	t.Parallel()
	elsewhere := map[string]api.Preconf{"miniBlocks": api.PreconfMegaETH, "stateChanges": api.PreconfMegaETH, "shreds": api.PreconfRise, "monadLogs": api.PreconfMonad}
	for _, way := range api.Preconfs() {
		n := realtimeNetwork(t, way, api.Limits{})
		for kind, has := range elsewhere {
			if way != has && way != api.PreconfMonad { // which rejects what it has not
				require.Contains(t, n.Fails(api.CodeMethodNotFound, "eth_subscribe", kind).Message, "--preset "+string(has))
			}
		}
		if way == api.PreconfMegaETH {
			continue
		}
		for _, method := range []string{"realtime_sendRawTransaction", "eth_callAfter", "eth_getLogsWithCursor"} {
			require.Contains(t, n.Fails(api.CodeMethodNotFound, method).Message, "--preset megaeth")
		}
	}
}

// Ensure eth_callAfter waits for a nonce that a mini-block brings.
func TestCallAfter(t *testing.T) {
	t.Parallel()
	n := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{})
	call := map[string]any{"to": servertest.Counter}
	s := n.Socket()
	require.NoError(t, s.Conn.WriteJSON(map[string]any{"jsonrpc": "2.0", "id": 77, "method": "eth_callAfter", "params": []any{
		call, map[string]any{"account": servertest.Alice.Address, "nonce": 1, "timeout": 60_000},
	}}))
	require.Empty(t, s.Told("eth_blockNumber"), "answered while the call waits")
	n.Transact(0, &servertest.Counter, new(big.Int), []byte{0})
	n.Preconfirm()
	answer := s.Read()
	require.Equal(t, 77, answer.ID)
	require.Nil(t, answer.Error)
}

type logPage struct {
	Logs   []types.Log
	Cursor string
}

// Ensure pages of logs are together what eth_getLogs answers, and that a cursor that is forged, of another range or
// stale is refused.
func TestLogsWithCursor(t *testing.T) {
	t.Parallel()
	n := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{LogsMaxResults: 3})
	for range 4 {
		n.Logs(0, "0xa", "0xb", 2)
		n.Logs(0, "0xc", "0xd", 2)
		n.Seal(1)
	}
	n.Logs(0, "0xa", "0xb", 1)
	n.Preconfirm()
	filter := map[string]any{"fromBlock": "0x0", "toBlock": "pending", "topics": []any{servertest.Topic(0xa)}}
	sizes, places, cursors := pagesOf(n, filter)
	require.Equal(t, []int{3, 3, 3}, sizes) // the last one has the pre-confirmed log
	delete(filter, "cursor")
	var want []string
	twin := *n
	twin.Server = servertest.Listen(t, rpcserver.Config{Main: n.Timeline}) // without the limit
	for _, log := range servertest.Fetch[[]types.Log](&twin, "eth_getLogs", filter) {
		want = append(want, fmt.Sprintf("%d/%d", log.BlockNumber, log.Index))
	}
	require.Equal(t, want, places)
	require.Len(t, places, 9)

	for _, forged := range []any{"0x", "0x00", "nothing", 1, cursors[0] + "00"} {
		filter["cursor"] = forged
		n.Refuses(api.CodeInvalidParams, []string{"cursor is not one of an earlier answer"}, "eth_getLogsWithCursor", filter)
	}
	filter["cursor"], filter["fromBlock"] = cursors[0], "0x4"
	n.Refuses(api.CodeInvalidParams, []string{"block 2", "4-4"}, "eth_getLogsWithCursor", filter)
	filter["fromBlock"] = "0x0"
	n.Do("fakenode_reorg", map[string]any{"depth": 3})
	require.Contains(t, n.Fails(api.CodeServer, "eth_getLogsWithCursor", filter).Message, "block 2 that a reorg has removed")
	sealed := n.Timeline.Moment().Latest().Hash()
	require.Empty(t, servertest.Fetch[logPage](n, "eth_getLogsWithCursor", map[string]any{"blockHash": sealed, "topics": []any{servertest.Topic(0x77)}}).Logs)
	n.Refuses(api.CodeInvalidParams, []string{"one page"}, "eth_getLogsWithCursor", map[string]any{"blockHash": sealed, "cursor": cursors[0]})
}

// Ensure MegaETH's limits have its codes, and a silent socket is closed.
func TestMegaETHLimits(t *testing.T) {
	t.Parallel()
	n := realtimeNetwork(t, api.PreconfMegaETH, api.Limits{MaxAnswer: 5_000, SocketIdle: 50 * time.Millisecond, CallTimeout: 50 * time.Millisecond, GasCap: 1 << 50})
	n.Logs(0, "0xa", "0xb", 30)
	n.Seal(1)
	require.Contains(t, n.Fails(-32019, "eth_getBalance", servertest.Counter, "0x99").Message, "block is out of range")
	require.Contains(t, n.Fails(-32020, "eth_getLogs", map[string]any{"fromBlock": "0x0"}).Message, "backend response too large")
	spinner := map[common.Address]any{servertest.Counter: map[string]any{"code": hexutil.Bytes(labcode.Spinner())}}
	require.Contains(t, n.Fails(-32022, "eth_call", map[string]any{"to": servertest.Counter}, "latest", spinner).Message, "over compute unit limit")
	n.Do("fakenode_setFault", map[string]any{"method": "eth_chainId", "times": 1, "error": jsonrpc.Error{Code: -32021, Message: "over network limit"}})
	require.Contains(t, n.Fails(-32021, "eth_chainId").Message, "over network limit")
	ws := servertest.Dial(t, n.Server)
	_, _, err := ws.ReadMessage()
	require.ErrorContains(t, err, "no request within 50ms")
}

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

// Ensure a log that is announced has one block hash in changes of a filter, in the filter's logs, in a query and in the
// receipt, whichever hash the way gives to a block that is not sealed.
func TestAnnouncedLogsHaveOneHash(t *testing.T) {
	t.Parallel()
	account := common.HexToAddress("0xb0")
	for _, way := range api.Preconfs() {
		n := realtimeNetwork(t, way, api.Limits{})
		n.Do("anvil_setCode", account, "0x5f5fa000") // LOG0 of nothing
		selected := map[string]any{"address": account, "fromBlock": "pending", "toBlock": "pending"}
		id := servertest.Fetch[string](n, "eth_newFilter", selected)
		tx := n.Transact(0, &account, new(big.Int), []byte{1})
		n.Preconfirm()
		type logs []struct{ BlockHash *common.Hash }
		changes := servertest.Fetch[logs](n, "eth_getFilterChanges", id)
		require.Len(t, changes, 1, way)
		require.Equal(t, changes, servertest.Fetch[logs](n, "eth_getFilterLogs", id), way)
		require.Equal(t, changes, servertest.Fetch[logs](n, "eth_getLogs", selected), way)
		receipt := servertest.Fetch[struct{ Logs logs }](n, "eth_getTransactionReceipt", tx.Hash())
		require.Equal(t, changes, receipt.Logs, way)
		require.Equal(t, moves(way), changes[0].BlockHash == nil, way)
	}
}
