package control_test

import (
	"fmt"
	"strings"
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

// Ensure a replica is as far behind at each block and moment as on every other run.
func TestReplicaIsTheSameOnEveryRun(t *testing.T) {
	t.Parallel()
	for want, r := range map[string]control.Replica{
		"2 0 1 0 0 1 1 2 1 2 2 2 3 3 0 0 1 2 0 1 0 1 2 3 1 1 2 1 1 2 1 1 2 3 1 2 0 1 2 2":  {Jitter: 3},
		"0 0 0 0 0 0 0 0 0 0 1 2 3 4 3 2 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0":  {Stuck: 4},
		"0 0 0 0 0 0 0 0 0 0 1 2 3 4 5 6 7 8 9 10 11 12 11 10 9 8 7 6 5 4 3 2 1 0 0 0 0 0": {Stuck: 12},
		"2 1 2 3 4 5 6 7 8 9 10 8 7 6 6 5 4 2 3 1 2 3 2 1 2 3 1 1 2 3 3 2 2 3 4 5 6 7 8 9": {Blocks: 1, Jitter: 2, Stuck: 8, Seed: 7},
	} {
		var behind []string
		for head := range uint64(len(strings.Fields(want))) {
			blocks, ago := r.At(head, 0)
			require.Zero(t, ago)
			behind = append(behind, fmt.Sprint(blocks))
		}
		require.Equal(t, want, strings.Join(behind, " "), "%+v", r)
	}
	for _, test := range []struct {
		replica control.Replica
		want    []time.Duration
	}{
		{
			control.Replica{JitterTime: 1600 * time.Millisecond},
			[]time.Duration{617966954, 420453796, 517364202, 745935630, 702965550, 490340128, 266197287, 60343322, 288914750, 517486179},
		},
		{
			control.Replica{Time: time.Second, JitterTime: 3 * time.Millisecond, Seed: 5},
			[]time.Duration{1002774043, 1003000000, 1003000000, 1001238626, 1001667197, 1001783460, 1002212031, 1000879923},
		},
	} {
		for i, want := range test.want {
			_, ago := test.replica.At(9, time.Duration(i)*test.replica.JitterTime/7)
			require.Equal(t, want, ago, "%+v, moment %d", test.replica, i)
		}
	}
	five, err := control.NewReplicas(control.ReplicaConfig{Count: 5, Seed: 7})
	require.NoError(t, err)
	var picked []int
	for n := range uint64(20) {
		picked = append(picked, five.Pick(n))
	}
	require.Equal(t, []int{3, 5, 5, 1, 1, 3, 3, 4, 1, 3, 4, 4, 4, 2, 5, 3, 5, 2, 3, 4}, picked)
}

// Ensure the limits of replicas can be had, without lags they have the usual ones, and numbers are from 1 on.
func TestReplicasAtTheirLimits(t *testing.T) {
	t.Parallel()
	require.EqualValues(t, 64, control.PastBlocks)
	for _, r := range []control.Replica{
		{Blocks: 64}, {Jitter: 64}, {Stuck: 64}, {Orphaned: 64, Stuck: 1}, {Blocks: 60, Jitter: 2, Stuck: 2}, {Time: 5 * time.Minute},
		{JitterTime: 5 * time.Minute}, {Time: 2 * time.Minute, JitterTime: 3 * time.Minute},
	} {
		require.NoError(t, r.Check())
	}
	for want, r := range map[string]control.Replica{
		"replica: blocks of 65 blocks, want 0 to the 64 that the node remembers":                    {Blocks: 65},
		"replica: jitter of -1 blocks, want 0 to the 64 that the node remembers":                    {Jitter: -1},
		"replica: stuck of 65 blocks, want 0 to the 64 that the node remembers":                     {Stuck: 65},
		"replica: orphaned of 65 blocks, want 0 to the 64 that the node remembers":                  {Orphaned: 65},
		"replica: orphaned of -1 blocks, want 0 to the 64 that the node remembers":                  {Orphaned: -1},
		"replica: blocks, jitter and stuck of 65 blocks, want 0 to the 64 that the node remembers":  {Blocks: 60, Jitter: 2, Stuck: 3},
		"replica: -1ns with a jitter of 0s, want 0 to the 5m0s that the node remembers":             {Time: -1},
		"replica: 1s with a jitter of -1ns, want 0 to the 5m0s that the node remembers":             {Time: time.Second, JitterTime: -1},
		"replica: 5m0.000000001s with a jitter of 0s, want 0 to the 5m0s that the node remembers":   {Time: 5*time.Minute + 1},
		"replica: 5m0.000000001s with a jitter of -1ns, want 0 to the 5m0s that the node remembers": {Time: 5*time.Minute + 1, JitterTime: -1},
		"replica: 2m0s with a jitter of 3m0.000000001s, want 0 to the 5m0s that the node remembers": {Time: 2 * time.Minute, JitterTime: 3*time.Minute + 1},
	} {
		require.EqualError(t, r.Check(), want)
		_, err := control.NewReplicas(control.ReplicaConfig{Count: 2, Lag: []control.Replica{{}, r}})
		require.EqualError(t, err, want)
	}
	most, err := control.NewReplicas(control.ReplicaConfig{Count: 64, Seed: 3})
	require.NoError(t, err)
	require.Len(t, most.Each, 64)
	require.EqualValues(t, 3, most.Seed)
	for number := range uint64(64) {
		r, err := most.Get(number + 1)
		require.NoError(t, err)
		require.Equal(t, control.Replica{Jitter: 2, Stuck: 8, Orphaned: 2, Seed: 4 + number}, r)
	}
	_, err = most.Get(0)
	require.EqualError(t, err, "there is no replica 0: the node has 64 (--replicas)")
	_, err = control.NewReplicas(control.ReplicaConfig{Count: 65})
	require.EqualError(t, err, "65 replicas, want 0 to 64")
	_, err = control.NewReplicas(control.ReplicaConfig{Count: 1, Lag: make([]control.Replica, 2)})
	require.EqualError(t, err, "2 lags of replicas are given for 1 replicas")
	three, err := control.NewReplicas(control.ReplicaConfig{Count: 3, Lag: []control.Replica{{Blocks: 1}, {Blocks: 2, Seed: 9}}, Seed: 7})
	require.NoError(t, err)
	require.Equal(t, []control.Replica{{Blocks: 1, Seed: 8}, {Blocks: 2, Seed: 9}, {Blocks: 2, Seed: 9}}, three.Each, "the last is the others', too")
	_, err = control.NewReplicas(control.ReplicaConfig{Count: -1})
	require.EqualError(t, err, "-1 replicas, want 0 to 64")
	none, err := control.NewReplicas(control.ReplicaConfig{Count: 0, Seed: 7})
	require.NoError(t, err)
	require.Zero(t, none, "no replicas, as if none were asked for")
	both, err := control.NewReplicas(control.ReplicaConfig{Count: 2, Lag: make([]control.Replica, 2)})
	require.NoError(t, err)
	require.Equal(t, []control.Replica{{Seed: 1}, {Seed: 2}}, both.Each)
}
