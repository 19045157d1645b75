package command_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/rpcserver/world"
)

// Ensure a client that polls sees each move of a scenario with steps, and that the network is as it was when it ends
// early.
func TestScenarioInSteps(t *testing.T) {
	t.Parallel()
	n := servertest.Plain(t)
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
	answer := string(<-played)
	require.Contains(t, answer, "request cancelled")
	require.Contains(t, answer, `"code":-32000`, "no fault of the parameters")
	require.Empty(t, n.Timeline.Moment().Pool())
	require.Equal(t, before.Latest().Hash(), n.Timeline.Moment().Latest().Hash())
}
