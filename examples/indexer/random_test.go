package main

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure the index agrees with the chain whenever it syncs in random courses of events, after one event or several.
func TestRandomCourse(t *testing.T) {
	t.Parallel()
	for seed := range laboratory.Budget[uint64](t, 1, 3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunT(t))
			rng := random(seed)
			chance := func(percent int) bool { return rng.IntN(100) < percent }
			done := map[string]int{}
			for step := range 200 {
				var what string
				switch n := rng.IntN(100); {
				case n < 30:
					what = "send"
					for range 1 + rng.IntN(3) {
						in.send(rng.IntN(5), rng.IntN(6), rng.Uint64N(1000))
					}
				case n < 50:
					what = "preconfirm"
					in.node.Preconfirm()
				case n < 65:
					what = "seal"
					in.node.Seal()
				case n < 80:
					head := int(in.node.BlockNumber())
					if head == 0 {
						continue
					}
					what = "reorg"
					depth := 1 + rng.IntN(min(head, 12))
					options := fakenode.ReorgOptions{Depth: depth}
					options.Transactions = []preconf.Fate{preconf.Requeue, preconf.Drop, preconf.Reverse}[rng.IntN(3)]
					if chance(50) {
						options.Length = new(1 + rng.IntN(depth+2))
					}
					in.reorg(options)
				case n < 92:
					kinds := []control.FaultKind{
						control.DropFlashblocks, control.OmitTransactions, control.AlterLogs, control.StallFlashblocks, control.LateBlock,
					}
					what = string(kinds[rng.IntN(len(kinds))])
					_, err := in.node.FlashblockFault(fakenode.FlashblockFault{
						Kind: control.FaultKind(what),
						Gone: chance(50) && (what == string(control.DropFlashblocks) || what == string(control.OmitTransactions)),
					})
					if what == string(control.DropFlashblocks) && err != nil {
						require.ErrorIs(t, err, preconf.ErrNoFlashblock)
						continue
					}
					require.NoError(t, err)
				default:
					what = "restart"
					in.restart()
				}
				done[what]++
				if chance(80) {
					in.sync("step %d: %s", step, what)
				}
			}
			in.sync("the end")
			require.Len(t, done, 10, "every kind of event happened: %v", done)
		})
	}
}
