package command_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
)

// likeNode returns a network that imitates a development node, and seals by a mode.
func likeNode(t *testing.T, node dialect.Node, mode control.Mode) *servertest.Network {
	t.Helper()
	return servertest.New(t, preconf.Config{Mode: mode}, rpcserver.Config{DevNode: node})
}

// Ensure Hardhat's forms of intervals are taken at their edges, end automining unless they are 0, and are refused by
// what is wrong with them.
func TestHardhatIntervals(t *testing.T) {
	t.Parallel()
	n := likeNode(t, dialect.Hardhat, control.Instant)
	state := func() string {
		return fmt.Sprintf("%t %s", servertest.Fetch[bool](n, "anvil_getAutomine"), servertest.Fetch[json.RawMessage](n, "anvil_getIntervalMining"))
	}
	require.Equal(t, "true null", state())
	n.Do("evm_setIntervalMining", 0)
	require.Equal(t, "true null", state(), "0 does not end automining")
	for _, tc := range []struct {
		given any
		want  string
	}{
		{1500, "false 1.5"}, {0, "false null"}, {"0x7d0", "false 2"}, {[]int{3000, 9000}, "false 3"}, {[]int{4000, 4000}, "false 4"},
		{uint64(3_155_760_000_000), "false 3155760000"}, {[]int{0, 5}, "false null"},
	} {
		require.True(t, servertest.Fetch[bool](n, "evm_setIntervalMining", tc.given))
		require.Equal(t, tc.want, state(), tc.given)
	}
	for _, tc := range []struct {
		given any
		words string
	}{
		{[]int{9, 8}, "not the least and the most"}, {[]int{9}, "not the least and the most"}, {[]int{1, 2, 3}, "not the least and the most"},
		{[]int{}, "not the least and the most"}, {"soon", "milliseconds, or the least and the most in a list"}, {[]string{"a", "b"}, "not a whole number"},
		{uint64(3_155_760_000_001), "an interval of 3155760000001 ms is too long: the limit is 3155760000 seconds"},
	} {
		n.Refuses(api.CodeInvalidParams, []string{tc.words}, "evm_setIntervalMining", tc.given)
	}
}

// Ensure evm_increaseTime of Hardhat answers by how much the clock is ahead of the wall where it follows that.
func TestHardhatAheadOfTheWall(t *testing.T) {
	t.Parallel()
	timeline := preconf.Config{Mode: control.Manual, Real: true}
	n := servertest.New(t, timeline, rpcserver.Config{DevNode: dialect.Hardhat})
	ahead := func() time.Duration {
		seconds := servertest.Fetch[json.Number](n, "evm_increaseTime", 0)
		count, err := seconds.Int64()
		require.NoError(t, err)
		return time.Duration(count) * time.Second
	}
	before := ahead()
	n.Do("evm_increaseTime", 1_000_000)
	require.InDelta(t, before+1_000_000*time.Second, ahead(), float64(2*time.Second))
}

// Ensure anvil's mining with an interval has limits, and reaches the longest interval.
func TestIntervalsOfAnvil(t *testing.T) {
	t.Parallel()
	n := likeNode(t, dialect.Anvil, control.Manual)
	n.Do("anvil_mine", 2, 0)
	number, after := head(n)
	require.Equal(t, []uint64{2, 4}, []uint64{number, after})
	unchanged(n, func() {
		n.Refuses(api.CodeInvalidParams, []string{"an interval of 3155760001 seconds is too long: the limit is 3155760000"}, "anvil_mine", 1, 3_155_760_001)
		n.Refuses(api.CodeInvalidParams, []string{"1000001 blocks are too many for one request: the limit is 1000000"}, "anvil_mine", 1_000_001, 1)
	})
	n.Do("anvil_mine", 1, uint64(3_155_760_000))
	_, after = head(n)
	require.EqualValues(t, 3_155_760_004, after)
}
