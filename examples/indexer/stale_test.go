package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
)

// Ensure the index takes nothing back in any move of a story of nodes that are behind but what a reorg removed, however
// often it looks while one of them answers, and agrees with the conclusion.
func TestStoriesOfNodesBehind(t *testing.T) {
	t.Parallel()
	for _, scenario := range fakenode.Scenarios() {
		if scenario.Kind != "nodes that are behind" {
			continue
		}
		t.Run(scenario.Name, func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunT(t))
			in.stale = true
			in.seal(3)
			in.sync()
			story, err := in.node.Story(scenario.Name, fakenode.ScenarioParams{})
			require.NoError(t, err)
			var tip status
			for {
				move, err := story.Next(t.Context())
				require.NoError(t, err)
				for range 5 {
					if err := in.ix.Sync(t.Context()); err != nil {
						require.ErrorContains(t, err, "the newest block is not above", move.Did)
					}
					var now status
					in.get("/status", &now)
					require.GreaterOrEqual(t, now.BlockNumber, tip.BlockNumber, move.Did)
					tip = now
				}
				if move.Done {
					in.sync(move.Did)
					in.concludes(*move.Conclusion)
					return
				}
				if scenario.Name != "LogsNotYetThere" { // there it is behind on its first look already
					truth := in.truth()
					require.Equal(t, truth.BlockHash, tip.BlockHash, move.Did)
					require.Equal(t, sealed(truth.Transfers), sealed(in.read().Transfers), move.Did)
				}
			}
		})
	}
}

// sealed returns the transfers that are in blocks.
func sealed(transfers []transfer) []transfer {
	return slices.DeleteFunc(transfers, func(t transfer) bool { return t.Pending })
}

// Ensure an index that runs where three answers in ten are of a node that is behind, or on a branch that was removed,
// comes to what the chain says after any event.
func TestStaleAnswers(t *testing.T) {
	t.Parallel()
	behinds := []fakenode.Behind{{Blocks: 3}, {Orphaned: true}, {Time: 4 * time.Second}, {Blocks: 1}}
	for seed, behind := range behinds[:laboratory.Budget(t, 2, len(behinds))] {
		t.Run(fmt.Sprintf("%+v", behind), func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunT(t))
			in.stale = true
			in.config.Poll = 5 * time.Millisecond // where the newest answer is an old one, no event says so
			in.restart()
			require.NoError(t, in.node.Fail(fakenode.Fault{Times: fakenode.Forever, Share: 0.3, Seed: uint64(seed), Behind: behind}))
			in.run()
			rng := random(uint64(seed))
			for range 30 {
				switch n := rng.IntN(10); {
				case n < 3:
					in.send(rng.IntN(5), rng.IntN(6), rng.Uint64N(1000))
					in.node.Preconfirm()
				case n < 8 || in.node.BlockNumber() < 3:
					in.seal(1 + rng.IntN(3))
				default:
					in.reorg(fakenode.ReorgOptions{Depth: 1 + rng.IntN(3), Transactions: []preconf.Fate{preconf.Requeue, preconf.Drop}[rng.IntN(2)]})
				}
				in.await()
			}
		})
	}
}
