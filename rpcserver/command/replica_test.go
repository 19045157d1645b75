package command_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Ensure a replica is set as asked, answers what it sees, and is refused where there is none.
func TestReplicaIsSet(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Replicas: control.Replicas{Each: make([]control.Replica, 2)}}, rpcserver.Config{})
	hashes := n.Seal(5)
	n.Preconfirm()
	replica := func(params ...any) string {
		return string(servertest.Fetch[json.RawMessage](n, "fakenode_replica", params...))
	}
	seen := func(number int, lag string, block int, index string) string {
		return fmt.Sprintf(`{"replica":%d,%s,"blockNumber":%d,"blockHash":"%s","flashblockIndex":%s}`, number, lag, block, hashes[block-1].Hex(), index)
	}
	none := `"behind":0,"behindMs":0,"jitter":0,"jitterMs":0,"stuck":0,"orphaned":0,"seed":0`
	require.JSONEq(t, seen(1, none, 5, "0"), replica(1))
	lagging := `"behind":2,"behindMs":0,"jitter":0,"jitterMs":0,"stuck":0,"orphaned":0,"seed":9`
	require.JSONEq(t, seen(2, lagging, 3, "null"), replica(2, map[string]any{"behind": 2, "seed": 9}))
	require.JSONEq(t, seen(2, lagging, 3, "null"), replica(2))
	require.JSONEq(t, seen(1, none, 5, "0"), replica(1), "the other one is as it was")
	for _, each := range []string{"jitter", "jitterMs", "stuck", "orphaned", "behindMs"} {
		set := servertest.Fetch[map[string]any](n, "fakenode_replica", 1, map[string]any{each: 3})
		for _, member := range []string{"behind", "behindMs", "jitter", "jitterMs", "stuck", "orphaned", "seed"} {
			want := 0.0
			if member == each {
				want = 3
			}
			require.Equal(t, want, set[member], "%s, when %s is set", member, each)
		}
	}
	for _, number := range []int{0, 3} {
		words := []string{fmt.Sprintf("there is no replica %d: the node has 2", number)}
		n.Refuses(api.CodeInvalidParams, words, "fakenode_replica", number)
		n.Refuses(api.CodeInvalidParams, words, "fakenode_replica", number, map[string]any{"behind": 1})
	}
	n.Refuses(api.CodeInvalidParams, []string{"blocks of 65 blocks, want 0 to the 64 that the node remembers"}, "fakenode_replica", 1, map[string]any{"behind": 65})
}
