package world_test

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure worlds that are made while the one they are copied from is reorged begin at a whole chain, each by itself, and
// that a number is one world however many requests come first.
func TestWorldsWhileReorging(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
	n.Do("fakenode_seal", 5)
	done := make(chan struct{})
	var reorgs, makers sync.WaitGroup
	reorgs.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				n.Do("eth_sendTransaction", map[string]any{"from": servertest.Fetch[[]string](n, "eth_accounts")[0], "to": "0x00000000000000000000000000000000000000aa", "value": "0x1"})
				n.Do("fakenode_seal")
				n.Do("fakenode_reorg", map[string]any{"depth": 3})
			}
		}
	})
	const each = 20
	for i := range 4 {
		makers.Go(func() {
			for j := range each {
				path := fmt.Sprintf("/%d", j+1) // all four race for the same
				if i == 0 {
					path = "/w/" + servertest.Fetch[madeWorld](n, "fakenode_newWorld").Name
				}
				resultAt(n, path, "fakenode_seal")
			}
		})
	}
	makers.Wait()
	close(done)
	reorgs.Wait()
	worlds := n.Server.Worlds()
	require.Len(t, worlds, 2*each)
	for _, w := range worlds {
		m := w.Timeline(world.Main).Moment()
		for number := m.Latest().Number(); number > 0; number-- {
			b := m.Chain().BlockByNumber(number)
			require.Equal(t, m.Chain().BlockByNumber(number-1).Hash(), b.Header().ParentHash)
		}
		state, err := m.Latest().State()
		require.NoError(t, err)
		require.Equal(t, m.Latest().Header().Root, state.Root())
	}
}

// Ensure worlds whose clocks tick for subscribers, and worlds that nobody listens to, leave no goroutine, no timer and
// no memory behind when they are closed. Not parallel: it looks at the goroutines of the whole process.
func TestWorldsLeaveNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	n := servertest.New(t, preconf.Config{Mode: control.Interval, Real: true, FlashblockTime: 20 * time.Millisecond}, rpcserver.Config{})
	rest := n.Server.FollowWall()
	heap := int64(0)
	for round := range 3 {
		idle := servertest.Fetch[madeWorld](n, "fakenode_newWorld")
		var sockets []*websocket.Conn
		for i := range 50 {
			path := fmt.Sprintf("/w/%d-%d", round, i)
			n.Do("fakenode_newWorld", map[string]any{"name": path[3:]})
			ws, _, err := websocket.DefaultDialer.Dial(n.Server.WebSocketURL()+path, nil)
			require.NoError(t, err)
			require.Contains(t, servertest.Ask(t, ws, `{"jsonrpc":"2.0","id":1,"method":"eth_subscribe","params":["newFlashblocks"]}`), "result")
			sockets = append(sockets, ws)
		}
		for _, ws := range sockets {
			require.Contains(t, servertest.Receive(t, ws), "eth_subscription")
		}
		for i, ws := range sockets {
			if i%2 == 0 {
				require.NoError(t, ws.Close()) // the client leaves first
			}
			n.Do("fakenode_closeWorld", fmt.Sprintf("%d-%d", round, i))
			_ = ws.Close()
		}
		n.Do("fakenode_closeWorld", idle.Name)
		require.Empty(t, n.Server.Worlds())
		if round == 0 {
			heap = int64(servertest.LiveHeap())
		}
	}
	require.Less(t, int64(servertest.LiveHeap())-heap, int64(8<<20))
	for i := range 10 {
		n.Do("fakenode_newWorld", map[string]any{"name": fmt.Sprint(i)}) // closed by the server's Close
	}
	rest()
	n.Eth.Close()
	require.NoError(t, n.Server.Close())
	for range 10_000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		runtime.Gosched()
		runtime.GC()
	}
	stacks := make([]byte, 1<<20)
	t.Fatalf("goroutines left:\n%s", stacks[:runtime.Stack(stacks, true)])
}

// Ensure a world on a real clock that nobody listened to stands where it would have been when somebody asks, and ticks
// for a call that waits.
func TestWorldsFollowTheWall(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Interval, Real: true, BlockTime: 10 * time.Millisecond, FlashblockTime: 2 * time.Millisecond}, rpcserver.Config{})
	defer n.Server.FollowWall()()
	n.Do("fakenode_newWorld", map[string]any{"name": "a"})
	w, err := n.Server.Lookup("a")
	require.NoError(t, err)
	stood := w.Timeline(world.Main).Moment()

	account := servertest.Fetch[[]string](n, "eth_accounts")[0]
	receipt := resultAt(n, "/w/a", "eth_sendTransactionSync", map[string]any{"from": account, "to": account})
	require.Contains(t, receipt, `"status":"0x1"`)
	require.Greater(t, w.Timeline(world.Main).Moment().Now(), stood.Now())
	require.Zero(t, n.Timeline.Moment().Latest().Number(), "the one at / follows the wall while Run runs")
	ctx, leave := context.WithTimeout(t.Context(), time.Minute)
	defer leave()
	for w.Timeline(world.Main).Moment().Latest().Number() < 5 {
		require.NoError(t, ctx.Err())
		resultAt(n, "/w/a", "eth_blockNumber")
	}
}
