package world_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// counter is a world.Server that counts the networks which were connected.
type counter struct{ connected atomic.Int64 }

func (c *counter) Serve(n *world.Network, timeline *preconf.Timeline) {
	n.Network = api.Network{Timeline: timeline}
}

func (c *counter) Connect(*world.Network) { c.connected.Add(1) }

// Ensure a network is connected when it is first asked, once for all who ask.
func TestNetworksConnectWhenAsked(t *testing.T) {
	t.Parallel()
	var server counter
	on, err := chain.New(&chain.Genesis{Config: params.TestChainConfig}, chain.Options{})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: on})
	require.NoError(t, err)
	table := world.NewTable(world.Config{}, &server, timeline, timeline)
	require.NotNil(t, table.Timeline(world.Testnet))
	require.Zero(t, server.connected.Load())
	var asking sync.WaitGroup
	for range 8 {
		asking.Go(func() { table.Network(world.Main) })
	}
	asking.Wait()
	require.EqualValues(t, 1, server.connected.Load(), "the test network was not asked")
}
