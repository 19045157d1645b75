package main

import (
	"testing"
	"time"

	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
)

// Ensure the index agrees with chains that have flashblocks, whatever their pending block is, with one that has blocks
// of 200 ms, and with one whose ether has logs like the token's: while it runs, after a reorg, a restart and a minute
// that it missed.
func TestChains(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]fakenode.Config{
		"base-flashblocks": {Preset: fakenode.BaseFlashblocks},
		"optimism":         {Preset: fakenode.Optimism},
		"unichain":         {Preset: fakenode.Unichain},
		"megaeth":          {Preset: fakenode.MegaETH},
		"base":             {Preset: fakenode.Base},
		"amsterdam":        {Hardfork: "amsterdam"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunConfigT(t, config))
			in.seal(3)
			in.sync()
			_, err := in.node.Transact(in.node.Account(5), fakenode.Tx{To: new(in.node.Account(6).Address), Value: uint256.NewInt(9)})
			require.NoError(t, err)
			hash := in.send(0, 1, 25_000_000)
			if config.Preset != fakenode.Base {
				in.node.Preconfirm()
				in.sync()
				found, _ := in.transfers("")
				require.Equal(t, hash, found[0].Transaction)
				require.True(t, found[0].Pending, "a pending block with a hash is pending all the same")
				require.Equal(t, "999999999998", in.read().Balances[in.node.Account(1).Address], "of two units that it sent")
			}
			in.node.Seal()
			in.sync()
			found, _ := in.transfers("")
			require.Equal(t, hash, found[0].Transaction)
			require.False(t, found[0].Pending)
			require.Len(t, found, 4, "three of the blocks before, and the ether is none of the token's")

			rng := random(1)
			for step := range laboratory.Budget(t, 12, 30) {
				in.send(step%3, 3+step%2, uint64(1+step))
				in.node.Advance(time.Duration(1+rng.IntN(3)) * time.Second)
				if step%3 == 2 {
					depth := 1 + rng.IntN(min(int(in.node.BlockNumber()), 12))
					fates := []preconf.Fate{preconf.Requeue, preconf.Drop, preconf.Reverse}
					in.reorg(fakenode.ReorgOptions{Depth: depth, Length: new(depth + rng.IntN(3)), Transactions: fates[rng.IntN(3)]})
				}
				if step%10 == 9 {
					in.restart()
				}
				in.sync("step %d", step)
			}
			in.node.Advance(time.Minute)
			in.sync("300 blocks of 200 ms are more than one step takes in")

			in.run()
			in.send(0, 1, 5)
			in.node.Seal()
			in.await()
			in.reorg(fakenode.ReorgOptions{Depth: 1, Transactions: preconf.Drop})
			in.await()
		})
	}
}
