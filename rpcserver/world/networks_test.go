package world_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// newTimeline returns a timeline on the genesis of all tests.
func newTimeline(t *testing.T) *preconf.Timeline {
	t.Helper()
	on, err := chain.New(servertest.Genesis(), chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: on, Start: time.Unix(servertest.Start, 0)})
	require.NoError(t, err)
	return timeline
}

// Ensure a world has the test network of the one that it is copied from, and that a snapshot belongs to the network
// that is asked.
func TestWorldWithTestnet(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Testnet: newTimeline(t)})
	resultAt(n, "/testnet", "fakenode_seal", 2)
	then := json.RawMessage(resultAt(n, "/testnet", "fakenode_snapshot"))
	resultAt(n, "/testnet", "fakenode_seal", 2)
	n.Do("fakenode_seal")
	var made madeWorld
	require.NoError(t, json.Unmarshal([]byte(resultAt(n, "/testnet", "fakenode_newWorld", map[string]any{"name": "a", "snapshot": then})), &made))
	require.Equal(t, n.Server.URL()+"/w/a/testnet", made.TestnetURL)
	require.Equal(t, n.Server.WebSocketURL()+"/w/a/testnet", made.TestnetWebSocketURL)
	require.Empty(t, made.L1URL)
	require.Equal(t, `"0x2"`, resultAt(n, "/w/a/testnet", "eth_blockNumber"))
	require.Equal(t, `"0x1"`, resultAt(n, "/w/a", "eth_blockNumber"))
	failure := errorAt(n, "/testnet", "fakenode_newWorld", map[string]any{"name": "b", "snapshot": "0x9"})
	require.Contains(t, failure.Message, "unknown snapshot 0x9")
	resultAt(n, "", "fakenode_newWorld", map[string]any{"name": "b"})
	require.Equal(t, `"0x4"`, resultAt(n, "/w/b/testnet", "eth_blockNumber"))
	resultAt(n, "/w/b/testnet", "fakenode_seal", 3)
	require.Equal(t, `"0x1"`, resultAt(n, "/w/b", "eth_blockNumber"))
	require.Equal(t, `"0x4"`, resultAt(n, "/testnet", "eth_blockNumber"))
	status, _ := servertest.Post(t, n.Server.URL()+"/w/b/l1", `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`)
	require.Equal(t, http.StatusNotFound, status)

	socket := servertest.DialAt(t, n.Server, "/w/a/testnet")
	require.Contains(t, servertest.Ask(t, socket, `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`), `"result"`)
	require.Contains(t, resultAt(n, "", "fakenode_worlds"), `{"name":"a","blockNumber":1,"clients":1,`, "of both networks")
}

// Ensure a world of an L2 has the L1 below it.
func TestWorldWithL1(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{ProposeEvery: -1}})
	var answered struct {
		Result struct{ URL, L1URL, L1WebSocketURL string }
	}
	_, text := servertest.Post(t, node.URL(), `{"jsonrpc":"2.0","id":1,"method":"fakenode_newWorld","params":[{"name":"a"}]}`)
	require.NoError(t, json.Unmarshal([]byte(text), &answered))
	made := answered.Result
	require.Equal(t, node.URL()+"/w/a/l1", made.L1URL)
	require.Equal(t, node.WebSocketURL()+"/w/a/l1", made.L1WebSocketURL)
	_, answer := servertest.Post(t, made.L1URL, `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`)
	_, at := servertest.Post(t, node.URL()+"/l1", `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`)
	require.Equal(t, at, answer)
	_, above := servertest.Post(t, made.URL, `{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`)
	require.NotEqual(t, above, answer)
}

// Ensure the replicas of a network answer at paths of their own, by the lags that they have, also in another world, and
// that any of them answers in turn.
func TestReplicasOfWorld(t *testing.T) {
	t.Parallel()
	replicas, err := control.NewReplicas(control.ReplicaConfig{Count: 2, Lag: []control.Replica{{Blocks: 1}, {Blocks: 3}}, Seed: 5})
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Replicas: replicas}, rpcserver.Config{})
	n.Do("fakenode_newWorld", map[string]any{"name": "a"})
	shown := []string{`"0x9"`, `"0x8"`, `"0x6"`}
	for _, of := range []string{"", "/w/a"} {
		for range 9 {
			resultAt(n, of, "fakenode_seal")
		}
		require.Equal(t, shown[0], resultAt(n, of, "eth_blockNumber"))
		require.Equal(t, shown[1], resultAt(n, of+"/replica/1", "eth_blockNumber"))
		require.Equal(t, shown[2], resultAt(n, of+"/replica/2/", "eth_blockNumber"))
		for turn := range uint64(12) {
			require.Equal(t, shown[replicas.Pick(turn)], resultAt(n, of+"/replica/any", "eth_blockNumber"), "turn %d", turn)
		}
		for _, path := range []string{"/replica/3", "/replica/0", "/replica/-1", "/replica/", "/replica"} {
			status, text := servertest.Post(t, n.Server.URL()+of+path, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`)
			require.Equal(t, http.StatusNotFound, status, of+path)
			require.NotContains(t, text, `"result"`)
		}
	}
	socket := servertest.DialAt(t, n.Server, "/w/a/replica/2")
	require.Contains(t, servertest.Ask(t, socket, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`), shown[2])
	require.Contains(t, resultAt(n, "", "fakenode_worlds"), `"name":"a","blockNumber":9,"clients":1,`, "also of replicas")
	n.Do("fakenode_closeWorld", "a")
	_, _, err = socket.ReadMessage()
	require.ErrorContains(t, err, "world a was closed")
	bare := servertest.Plain(t)
	for _, path := range []string{"/replica/any", "/replica/1"} {
		status, text := servertest.Post(t, bare.Server.URL()+path, `{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber"}`)
		require.Equal(t, http.StatusNotFound, status, path)
		require.Contains(t, text, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"`)
	}
}

// kept is a Keeper that writes down what it is asked to do.
type kept struct {
	sync.Mutex
	did []string
}

func (k *kept) note(text string) {
	k.Lock()
	defer k.Unlock()
	k.did = append(k.did, text)
}

// take returns the notes since the last time.
func (k *kept) take() []string {
	k.Lock()
	defer k.Unlock()
	did := k.did
	k.did = nil
	return did
}

func (k *kept) Keep(copied, source *preconf.Timeline, of, network string, made time.Time, _ string, _ time.Duration) {
	if copied != source && copied.Moment().Latest().Hash() == source.Moment().Latest().Hash() && time.Since(made) < time.Hour {
		k.note("keep " + of + " " + network)
	}
}

func (k *kept) Forget(*preconf.Timeline) { k.note("forget") }

// Ensure who keeps and who watches worlds hears of each network when it is made and once when it is gone.
func TestWorldsAreKeptAndWatched(t *testing.T) {
	t.Parallel()
	var keeper, watched kept
	testnet := newTimeline(t)
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Testnet: testnet, Worlds: world.Config{Keeper: &keeper, Watch: func(timeline *preconf.Timeline, at world.Path) func() {
		watched.note("+" + at.String())
		return func() { watched.note("-" + at.String()) }
	}}})
	require.Equal(t, []string{"+", "+/testnet"}, watched.take())
	_, err := testnet.Seal(1)
	require.NoError(t, err)
	for _, name := range []string{"a", "b"} {
		n.Do("fakenode_newWorld", map[string]any{"name": name})
		require.Equal(t, []string{"keep " + name + " main", "keep " + name + " testnet"}, keeper.take())
		require.Equal(t, []string{"+/w/" + name, "+/w/" + name + "/testnet"}, watched.take())
	}
	a, err := n.Server.Lookup("a")
	require.NoError(t, err)
	n.Server.CloseWorld(a)
	n.Server.CloseWorld(a)
	require.Equal(t, []string{"forget", "forget"}, keeper.take())
	require.Equal(t, []string{"-/w/a", "-/w/a/testnet"}, watched.take())
	for _, path := range []string{"/w/a", "/w/a/testnet"} {
		require.Equal(t, "there is no world a: make it with fakenode_newWorld, or start the node with --auto-worlds", errorAt(n, path, "eth_chainId").Message)
	}
	n.Server.Close()
	n.Server.Close()
	require.Equal(t, []string{"-/w/b", "-/w/b/testnet", "-", "-/testnet"}, watched.take())
}

// Ensure worlds of an earlier server come back under their names and in the order in which they were made, more of them
// than may be made anew.
func TestResumedWorlds(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Worlds: world.Config{Limits: world.Limits{Count: 2}}})
	made := time.Unix(5, 0)
	for _, w := range []struct {
		name string
		made time.Time
	}{{"late", made.Add(1)}, {"b", made}, {"a", made}, {"world-1", made.Add(-1)}} {
		resumed, err := n.Server.Resume(world.Options{Name: w.name}, w.made, newTimeline(t), nil)
		require.NoError(t, err)
		require.Equal(t, w.made, resumed.Created)
		require.Equal(t, w.name, resumed.Name)
		require.Equal(t, "/w/"+w.name, resumed.PathOf(world.Main))
		require.Nil(t, resumed.Timeline(world.Testnet))
	}
	var names []string
	for _, w := range n.Server.Worlds() {
		names = append(names, w.Name)
	}
	require.Equal(t, []string{"world-1", "a", "b", "late"}, names)
	_, err := n.Server.Resume(world.Options{Name: "a"}, made, newTimeline(t), nil)
	require.EqualError(t, err, "world a exists already: close it, or choose another name")
	_, err = n.Server.Resume(world.Options{Name: "a b"}, made, newTimeline(t), nil)
	require.ErrorAs(t, err, new(*world.NameError))
	n.Refuses(api.CodeServer, []string{"cannot make another world: the limit is 2 worlds, close those that are not needed"}, "fakenode_newWorld")
	for _, name := range []string{"a", "b"} {
		n.Do("fakenode_closeWorld", name)
	}
	n.Refuses(api.CodeServer, []string{"the limit is 2 worlds"}, "fakenode_newWorld")
	n.Do("fakenode_closeWorld", "late")
	require.Equal(t, "world-2", servertest.Fetch[madeWorld](n, "fakenode_newWorld").Name, "the first name that no world has")
	n.Server.Table.Close()
	_, err = n.Server.Resume(world.Options{Name: "c"}, made, newTimeline(t), nil)
	require.ErrorIs(t, err, world.ErrNoWorlds)
	_, err = n.Server.NewWorld(n.Server.World, world.Options{})
	require.EqualError(t, err, "worlds are switched off")
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
	n.Server.Close()
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
