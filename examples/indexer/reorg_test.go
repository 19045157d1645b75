package main

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
)

// Ensure a transfer is shown as pending, then sealed, and that only the sealed one moves balances.
func TestTransfer(t *testing.T) {
	t.Parallel()
	in := newIndexed(t, fakenode.RunT(t))
	in.sync()
	payer, payee := in.node.Account(0).Address, in.node.Account(1).Address
	require.Equal(t, "1000000000000", in.read().Balances[payer], "what an account held at the start counts")

	hash := in.send(0, 1, 25_000_000)
	in.node.Preconfirm()
	in.sync()
	found, _ := in.transfers("&from=" + payer.Hex())
	require.Equal(t, []transfer{{From: payer, To: payee, Value: "25000000", Transaction: hash, BlockNumber: 1, Pending: true}}, found)
	require.Equal(t, "1000000000000", in.read().Balances[payee])

	block := in.node.Seal()
	in.sync()
	found, _ = in.transfers("&to=" + payee.Hex())
	require.Equal(t, []transfer{{From: payer, To: payee, Value: "25000000", Transaction: hash, BlockNumber: 1, BlockHash: &block}}, found)
	require.Equal(t, "1000025000000", in.read().Balances[payee])
	require.Equal(t, "999975000000", in.read().Balances[payer])
	found, _ = in.transfers("&from=" + payee.Hex())
	require.Empty(t, found)

	in.node.Token().Mint(payee, fixtures.USD("1"))
	in.sync()
	require.Equal(t, "1000026000000", in.read().Balances[payee])
}

// Ensure reorgs of every shape are undone: deeper than what was indexed, to a shorter chain, deeper than one step takes
// in.
func TestReorg(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name            string
		indexed, missed int // blocks
		reorg           fakenode.ReorgOptions
	}{
		{"newest block, transfers lost", 5, 0, fakenode.ReorgOptions{Depth: 1, Transactions: control.Drop}},
		{"all", 5, 5, fakenode.ReorgOptions{Depth: 10, Transactions: control.Drop}},
		{"shorter than indexed", 8, 0, fakenode.ReorgOptions{Depth: 6, Length: new(2), Transactions: control.Drop}},
		{"much longer", 5, 0, fakenode.ReorgOptions{Depth: 2, Length: new(150)}},
		{"deeper than a step", 140, 0, fakenode.ReorgOptions{Depth: 135}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			in := newIndexed(t, fakenode.RunT(t))
			in.seal(tc.indexed)
			in.sync()
			in.seal(tc.missed)
			in.reorg(tc.reorg)
			in.sync()
			in.seal(2)
			in.sync()
		})
	}
}

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
					options.Transactions = []control.Fate{control.Requeue, control.Drop, control.Reverse}[rng.IntN(3)]
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

			in.reorg(fakenode.ReorgOptions{Depth: 3, Length: new(5), Transactions: control.Drop})
			in.sync()
			in.restart()
			in.node.Advance(time.Minute)
			in.sync("300 blocks of 200 ms are more than one step takes in")

			in.run()
			in.send(0, 1, 5)
			in.node.Seal()
			in.await()
			in.reorg(fakenode.ReorgOptions{Depth: 1, Transactions: control.Drop})
			in.await()
		})
	}
}

// Ensure a transfer of a B20 token has its memo, pre-confirmed and in a block, loses it with its block, and that no
// other transfer has one.
func TestMemos(t *testing.T) {
	t.Parallel()
	node, token := fakenode.RunT(t), b20.NewStablecoin()
	in := newIndexed(t, node)
	in.config.Token = b20.Address
	in.close()
	in.config.Database += ".b20"
	in.open()
	payer, shop := node.Account(0), node.Account(1)
	amount, order := big.NewInt(25), common.Hash{31: 42}
	for _, data := range [][]byte{
		token.PackTransfer(shop.Address, amount),
		token.PackTransferWithMemo(shop.Address, amount, order),
		token.PackTransferWithMemo(shop.Address, amount, common.Hash{}), // a memo may be zero
		token.PackTransfer(shop.Address, amount),
	} {
		_, err := node.Transact(payer, fakenode.Tx{To: &b20.Address, Data: data, Gas: 200_000})
		require.NoError(t, err)
	}
	memos := func() (memos []string, pending bool) {
		require.NoError(t, in.look())
		found, _ := in.transfers("&to=" + shop.Address.Hex())
		for _, transfer := range found {
			memos, pending = append(memos, transfer.Memo), transfer.Pending
		}
		return memos, pending
	}
	newestFirst := []string{"", common.Hash{}.Hex(), order.Hex(), ""}

	node.Preconfirm()
	got, pending := memos()
	require.Equal(t, newestFirst, got)
	require.True(t, pending)
	node.Seal()
	got, pending = memos()
	require.Equal(t, newestFirst, got)
	require.False(t, pending)
	in.restart()
	got, _ = memos()
	require.Equal(t, newestFirst, got)

	_, err := node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	got, _ = memos()
	require.Empty(t, got)
}
