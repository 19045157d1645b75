package stream_test

import (
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// numbered is a head as the tests read it.
type numbered struct{ Number hexutil.Uint64 }

// Ensure subscribers of a replica hear of a block when the replica has it, in order and once, with those who joined at
// different times and while they ask nothing.
func TestSubscriptionsOfReplica(t *testing.T) {
	t.Parallel()
	replicas, err := control.NewReplicas(1, []control.Replica{{Blocks: 2}}, 5)
	require.NoError(t, err)
	n := servertest.New(t, preconf.Config{Replicas: replicas}, rpcserver.Config{})
	on := func(path string) *servertest.Socket {
		return &servertest.Socket{Network: n, Conn: servertest.DialAt(t, n.Server, path)}
	}
	near, far := on(""), on("/replica/1")
	nearHeads, farHeads := near.Subscribe("newHeads"), far.Subscribe("newHeads")
	var lateHeads string
	late := on("/replica/1")
	for i := range uint64(6) {
		n.Do("fakenode_seal")
		told := servertest.Items[numbered](t, []servertest.Message{near.Read()}, nearHeads)
		require.Equal(t, []numbered{{hexutil.Uint64(i + 1)}}, told)
		if i == 3 {
			lateHeads = late.Subscribe("newHeads")
		}
		if i >= 2 {
			told := servertest.Items[numbered](t, []servertest.Message{far.Read()}, farHeads)
			require.Equal(t, []numbered{{hexutil.Uint64(i - 1)}}, told)
		}
	}
	for i := range uint64(2) {
		told := servertest.Items[numbered](t, []servertest.Message{late.Read()}, lateHeads)
		require.Equal(t, []numbered{{hexutil.Uint64(i + 3)}}, told)
	}
	require.Empty(t, far.Told("eth_chainId"))
}

// turns is a tap that lets one message after another have its turn.
type turns struct{ sync.Mutex }

func (t *turns) Begin()                { t.Lock() }
func (t *turns) End()                  { t.Unlock() }
func (t *turns) Note(jsonrpc.TapEvent) {}

// Ensure where a tap sees the messages all connections hear of what a request caused before its answer, and that one
// which ends its subscription hears no more.
func TestSubscriptionsUnderTap(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Tap: func(*world.Network) jsonrpc.Tap { return new(turns) }})
	one, other := n.Socket(), n.Socket()
	first, second := one.Subscribe("newHeads"), other.Subscribe("newHeads")
	for i := range uint64(3) {
		told := one.Told("fakenode_seal")
		require.Equal(t, []numbered{{hexutil.Uint64(i + 1)}}, servertest.Items[numbered](t, told, first))
		require.Equal(t, []numbered{{hexutil.Uint64(i + 1)}}, servertest.Items[numbered](t, []servertest.Message{other.Read()}, second))
	}
	answer, _ := other.Ask("eth_unsubscribe", second)
	require.Equal(t, "true", string(answer.Result))
	require.Len(t, servertest.Items[numbered](t, one.Told("fakenode_seal"), first), 1)
	require.Empty(t, other.Told("eth_chainId"))
	again := other.Subscribe("newHeads")
	require.Len(t, servertest.Items[numbered](t, other.Told("fakenode_seal"), again), 1)
	both := other.Subscribe("newHeads")
	told := other.Told("fakenode_seal")
	require.Len(t, servertest.Items[numbered](t, told, again), 1)
	require.Len(t, servertest.Items[numbered](t, told, both), 1)
}
