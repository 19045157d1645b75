package main

import (
	"testing"
	"time"

	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/tokencontract"
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
			for step := range 30 {
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

// Ensure the logs that ether has under amsterdam, which look like a token's, are no transfers of the token.
func TestEtherIsNoToken(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunConfigT(t, fakenode.Config{Hardfork: "amsterdam"}))
	in.sync()
	to := in.node.Account(1).Address
	ether, err := in.node.Transact(in.node.Account(0), fakenode.Tx{To: &to, Value: uint256.NewInt(7)})
	require.NoError(t, err)
	paid := in.send(0, 1, 25_000_000)
	in.node.Seal()
	found, err := in.node.Moment().Find(ether)
	require.NoError(t, err)
	require.Equal(t, tokencontract.TransferTopic, found.Receipt.Logs[0].Topics[0])
	in.sync()
	transfers, _ := in.transfers("")
	require.Len(t, transfers, 1)
	require.Equal(t, paid, transfers[0].Transaction)
	require.Equal(t, "1000025000000", in.read().Balances[to])
}
