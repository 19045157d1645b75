package control_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure what a replica shows never goes back, is as far behind as it may be and not further, and catches up.
func TestReplicaNeverGoesBack(t *testing.T) {
	t.Parallel()
	for _, r := range []control.Replica{
		{}, {Blocks: 3}, {Jitter: 3}, {Stuck: 8}, {Stuck: 16}, {Blocks: 1, Jitter: 2, Stuck: 8}, {Time: time.Second}, {Time: time.Second, JitterTime: 2 * time.Second},
	} {
		for seed := range uint64(5) {
			r.Seed = seed
			lags := map[int]bool{}
			shown, then := int64(-100), time.Duration(-1<<62)
			for head := range uint64(300) {
				since := time.Duration(head) * 130 * time.Millisecond
				blocks, ago := r.At(head, since)
				lags[blocks] = true
				require.GreaterOrEqual(t, blocks, r.Blocks)
				require.LessOrEqual(t, blocks, r.Blocks+r.Jitter+r.Stuck)
				require.GreaterOrEqual(t, ago, r.Time)
				require.LessOrEqual(t, ago, r.Time+r.JitterTime)
				require.GreaterOrEqual(t, int64(head)-int64(blocks), shown, "%+v at %d", r, head)
				require.GreaterOrEqual(t, since-ago, then, "%+v at %s", r, since)
				shown, then = int64(head)-int64(blocks), since-ago
			}
			if r.Jitter > 0 || r.Stuck > 0 {
				require.Contains(t, lags, r.Blocks, "%+v catches up", r)
				require.Contains(t, lags, r.Blocks+max(r.Stuck, 1), "%+v is behind", r)
			}
		}
	}
}

// Ensure lags and numbers of replicas that cannot be are refused with both figures.
func TestReplicasAreBounded(t *testing.T) {
	t.Parallel()
	for want, lag := range map[string]control.Replica{
		"blocks of 65 blocks, want 0 to the 64":                                           {Blocks: 65},
		"jitter of -1 blocks, want 0 to the 64":                                           {Jitter: -1},
		"blocks, jitter and stuck of 66 blocks, want 0 to the 64":                         {Blocks: 60, Jitter: 2, Stuck: 4},
		"replica: 5m1s with a jitter of 0s, want 0 to the 5m0s that the node remembers":   {Time: 5*time.Minute + time.Second},
		"replica: 4m0s with a jitter of 2m0s, want 0 to the 5m0s that the node remembers": {Time: 4 * time.Minute, JitterTime: 2 * time.Minute},
	} {
		require.ErrorContains(t, lag.Check(), want)
	}
	_, err := control.NewReplicas(65, nil, 0)
	require.EqualError(t, err, "65 replicas, want 0 to 64")
	_, err = control.NewReplicas(1, make([]control.Replica, 2), 0)
	require.EqualError(t, err, "2 lags of replicas are given for 1 replicas")
	three, err := control.NewReplicas(3, []control.Replica{{Blocks: 1}, {Blocks: 2, Seed: 9}}, 7)
	require.NoError(t, err)
	require.Equal(t, []control.Replica{{Blocks: 1, Seed: 8}, {Blocks: 2, Seed: 9}, {Blocks: 2, Seed: 9}}, three.Each)
	_, err = three.Get(4)
	require.EqualError(t, err, "there is no replica 4: the node has 3 (--replicas)")
}
