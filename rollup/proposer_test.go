package rollup_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rollup"
)

// Ensure a game of Base has its number, the game before, and 20 roots of blocks in equal distances in its extra data.
func TestIntermediateRoots(t *testing.T) {
	t.Parallel()
	p := newPair(t, fakenode.Base)
	p.Advance(30 * time.Second)
	check := func(n uint64, parent common.Address, from uint64) {
		t.Helper()
		data, _, err := p.Bridge().Claim(p.L1().Moment(), p.Moment(), n, nil)
		require.NoError(t, err)
		output, err := rollup.OutputAt(p.Moment(), n)
		require.NoError(t, err)
		extra := common.BigToHash(new(big.Int).SetUint64(n)).Bytes()
		extra = append(extra, parent[:]...)
		for i := range uint64(20) {
			at := from + (n-from)*(i+1)/20
			o, err := rollup.OutputAt(p.Moment(), at)
			require.NoError(t, err)
			root := o.Root()
			extra = append(extra, root[:]...)
		}
		require.Equal(t, l1.Create(621, output.Root(), extra), data)
	}
	check(100, p.at.Registry, 0)
	check(7, p.at.Registry, 0)
	p.propose(45, nil)
	p.propose(50, nil)
	games, err := p.Bridge().Games()
	require.NoError(t, err)
	check(110, games[1].Address, 50)
	check(51, games[1].Address, 50)
	data, claim, err := p.Bridge().Claim(p.L1().Moment(), p.Moment(), 60, &common.Hash{7})
	require.NoError(t, err)
	require.Equal(t, common.Hash{7}, claim, "whatever it is")
	require.Equal(t, claim[:], data[4+4*32+52+19*32:][:32], "which is the last of the roots")
	data, _, err = p.Bridge().Claim(p.L1().Moment(), p.Moment(), 45, &common.Hash{7})
	require.NoError(t, err)
	old, err := rollup.OutputAt(p.Moment(), 45)
	require.NoError(t, err)
	root := old.Root()
	require.Equal(t, root[:], data[4+4*32+52:][:32], "of a block before the game before")
}

// Ensure games are made for each block that is due and safe, in the order of their blocks, resolved when their time is
// over, and by transactions of the operator with the gas and the fees that go in any weather.
func TestProposesByItself(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{
		Preset: fakenode.Optimism, L1: &fakenode.L1Config{ProposeEvery: 100 * time.Second, WithdrawalDelay: 10 * time.Minute}, StartTime: time.Unix(1_800_000_000, 0),
	})
	var made []uint64
	for range 150 {
		node.Advance(12 * time.Second)
		games, err := node.Bridge().Games()
		require.NoError(t, err)
		if len(games) > len(made) {
			made = append(made, games[len(made)].Number)
			require.Len(t, games, len(made))
			require.LessOrEqual(t, made[len(made)-1], node.Moment().Safe().Number())
		}
		for _, game := range games {
			end := uint64(node.L1().Moment().Latest().Time()) - game.Created
			require.Equal(t, end >= 600, game.Status == l1.DefenderWins)
		}
	}
	require.Greater(t, len(made), 10)
	for i, number := range made {
		require.EqualValues(t, 50*(i+1), number)
	}
	seen := map[uint64]bool{}
	below := node.L1().Moment().Chain()
	for n := uint64(1); n <= below.Head().Number(); n++ {
		for i, tx := range below.BlockByNumber(n).Transactions() {
			require.Equal(t, fakenode.L1Operator.Address, below.BlockByNumber(n).Sender(i))
			call := tx.(*types.Transaction)
			require.Equal(t, []int64{1e9, 1e13}, []int64{call.GasTipCap().Int64(), call.GasFeeCap().Int64()})
			seen[tx.Gas()] = true
		}
	}
	require.Equal(t, map[uint64]bool{3_000_000: true, 300_000: true}, seen)
}

// Ensure commands that cannot be say why: there is no L1, no such game or block, no state, or the anchor is as new.
func TestBridgeRefuses(t *testing.T) {
	t.Parallel()
	_, err := rollup.Of(fakenode.RunT(t).Timeline())
	require.ErrorIs(t, err, rollup.ErrNoL1)
	p := newPair(t, fakenode.Optimism)
	of, err := rollup.Of(p.L1().Timeline())
	require.NoError(t, err)
	require.Equal(t, p.Moment(), of.L2.Moment())
	p.Seal()
	p.propose(1, nil)
	for _, index := range []uint64{1, 2} {
		want := &rollup.UnknownGameError{Index: index, Count: 1}
		_, err = p.Bridge().Resolve(index, l1.DefenderWins)
		require.Equal(t, want, err)
		_, err = p.Bridge().Blacklist(index)
		require.Equal(t, want, err)
	}
	require.EqualError(t, err, "there is no game 2: the factory has made 1")
	_, err = p.Bridge().Propose(new(uint64(99)), nil)
	var unknown *preconf.UnknownBlockError
	require.ErrorAs(t, err, &unknown)
	_, err = p.Bridge().Propose(new(uint64(99)), &common.Hash{1})
	require.ErrorAs(t, err, &unknown)

	short := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{ProposeEvery: -1}, History: 5})
	short.Advance(time.Minute)
	var pruned *chain.PrunedError
	_, err = short.Bridge().Propose(new(uint64(2)), nil)
	require.ErrorAs(t, err, &pruned)
	_, err = short.Bridge().Propose(new(uint64(2)), &common.Hash{1})
	require.NoError(t, err)
	short.L1().Seal()
	overview, err := short.Bridge().Overview()
	require.NoError(t, err)
	require.True(t, overview.Games[0].Right, "as far as the node knows")
}
