package command_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure a scenario is told when its client has gone, and that this is no fault of the parameters.
func TestScenarioCancelled(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	ctx, leave := context.WithCancel(t.Context())
	leave()
	n.Pay(0, 1, 1) // it waits, and is sealed first
	var answer struct{ Error *jsonrpc.Error }
	body := `{"jsonrpc":"2.0","id":1,"method":"fakenode_scenario","params":["DeepReorg"]}`
	require.NoError(t, json.Unmarshal(n.Server.Call(ctx, world.Main, []byte(body)), &answer))
	require.NotNil(t, answer.Error)
	require.Equal(t, api.CodeServer, answer.Error.Code)
}

// Ensure a client that polls sees each move of a scenario with steps, and that the network is as it was when it ends
// early.
func TestScenarioInSteps(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{})
	before, feed := n.Timeline.Moment(), n.Timeline.Subscribe()
	defer feed.Close()
	ctx, leave := context.WithCancel(t.Context())
	played := make(chan []byte, 1)
	go func() {
		played <- n.Server.Call(ctx, world.Main, []byte(`{"jsonrpc":"2.0","id":1,"method":"fakenode_scenario","params":["LostPreconfirmation",{"stepMs":3600000}]}`))
	}()
	<-feed.Ready() // the capture is sent: nothing follows for an hour
	require.Len(t, n.Timeline.Moment().Pool(), 1)
	require.Equal(t, before.Latest().Hash(), n.Timeline.Moment().Latest().Hash())
	leave()
	require.Contains(t, string(<-played), "request cancelled")
	require.Empty(t, n.Timeline.Moment().Pool())
	require.Equal(t, before.Latest().Hash(), n.Timeline.Moment().Latest().Hash())
}
