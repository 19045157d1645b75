package rollup_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
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
		data, err := p.Bridge().Proposal(p.L1().Moment(), p.Moment(), n)
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
	data, claim, err := p.Bridge().Claim(p.L1().Moment(), p.Moment(), 60, common.Hash{7})
	require.NoError(t, err)
	require.Equal(t, common.Hash{7}, claim, "whatever it is")
	require.Equal(t, claim[:], data[4+4*32+52+19*32:][:32], "which is the last of the roots")
	data, _, err = p.Bridge().Claim(p.L1().Moment(), p.Moment(), 45, common.Hash{7})
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
		Preset: fakenode.Optimism, L1: true, ProposeEvery: 100 * time.Second, WithdrawalDelay: 10 * time.Minute, StartTime: time.Unix(1_800_000_000, 0),
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

// Ensure the operator waits while a transaction of its own does, and goes on with what is due then.
func TestOperatorWaits(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: true, ProposeEvery: 24 * time.Second, StartTime: time.Unix(1_800_000_000, 0)})
	require.NoError(t, node.L1().Hold(fakenode.Hold{Senders: []common.Address{fakenode.L1Operator.Address}}))
	node.Advance(10 * time.Minute)
	require.Len(t, node.L1().Moment().Pool(), 1)
	games, err := node.Bridge().Games()
	require.NoError(t, err)
	require.Empty(t, games)
	node.L1().Release()
	node.Advance(time.Minute)
	games, err = node.Bridge().Games()
	require.NoError(t, err)
	require.Greater(t, len(games), 2)
	for i, game := range games {
		require.EqualValues(t, 12*(i+1), game.Number)
	}
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
	require.EqualError(t, &rollup.AnchoredError{Number: 3, Sequence: 5, Anchor: 6}, "a game about block 3 (5) would not be newer than the anchor of the games (6)")

	short := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: true, History: 5, ProposeEvery: -1})
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

// Ensure a super root is about the newest block that is not later than its time, or the oldest one.
func TestSuperRootAt(t *testing.T) {
	t.Parallel()
	p := newPair(t, fakenode.Optimism)
	p.Advance(20 * time.Second)
	head := p.BlockNumber()
	genesis, err := p.Moment().ByNumber(0)
	require.NoError(t, err)
	start := genesis.Time()
	for time, number := range map[uint64]uint64{
		0: 0, start - 1: 0, start: 0, start + 1: 0, start + 2: 1, start + 3: 1, start + 2*head - 1: head - 1, start + 2*head: head, start + 1000: head,
	} {
		root, output, of, err := rollup.SuperRootAt(p.Moment(), time)
		require.NoError(t, err)
		require.Equal(t, number, of.Number())
		want, err := rollup.OutputAt(p.Moment(), number)
		require.NoError(t, err)
		require.Equal(t, want, output)
		require.Equal(t, l1.SuperRoot{Time: time, ChainID: p.ChainID(), Output: want.Root()}, root)
	}
	o := rollup.Output{StateRoot: common.Hash{1}, PasserRoot: common.Hash{2}, BlockHash: common.Hash{3}}
	text := append(make([]byte, 32), append(append(o.StateRoot[:], o.PasserRoot[:]...), o.BlockHash[:]...)...)
	require.Equal(t, crypto.Keccak256Hash(text), o.Root())
}

// Ensure a block of the L2 has the number, time, hash and fees of its origin, which is behind the L1's head by the
// distance, and none before its genesis.
func TestOrigin(t *testing.T) {
	t.Parallel()
	p := newPair(t, fakenode.Optimism)
	require.NoError(t, p.L1().Timeline().SetNextBaseFee(big.NewInt(12_345_678)))
	p.Advance(9 * time.Second)
	below, above := p.L1().Moment().Chain(), p.Moment().Chain()
	for n := uint64(1); n <= p.BlockNumber(); n++ {
		origin := above.L1(above.BlockByNumber(n))
		b := below.BlockByNumber(origin.Number)
		require.Equal(t, b.Hash(), origin.Hash)
		require.Equal(t, b.Time(), origin.Time)
		require.Equal(t, b.Header().BaseFee, origin.L1BaseFee.ToBig())
		require.Equal(t, below.BlobBaseFee(b.Header()), origin.BlobBaseFee.ToBig())
		require.LessOrEqual(t, b.Time(), above.BlockByNumber(n).Time())
		require.Equal(t, origin, rollup.Origin(below, b, above.L1(above.BlockByNumber(n-1))))
	}
	head := p.L1().BlockNumber()
	for distance, want := range map[uint64]uint64{0: head, 1: head - 1, head: 0, head + 1: 0} {
		require.Equal(t, want, rollup.Derivation{Distance: distance}.Newest(below))
	}
	require.Equal(t, 30*time.Minute, rollup.MaxSequencerDrift)
	old := newOldChain(t)
	origin := rollup.Origin(old, old.Head(), above.L1(above.Head()))
	require.True(t, origin.L1BaseFee.IsZero(), "before London")
	require.EqualValues(t, 1, origin.BlobBaseFee.Uint64(), "before Cancun")
}

// newOldChain returns a chain that has neither a base fee nor blobs.
func newOldChain(t *testing.T) *chain.Chain {
	t.Helper()
	config, err := chain.ForkConfig("istanbul", 1)
	require.NoError(t, err)
	c, err := chain.New(&chain.Genesis{Config: config, Alloc: types.GenesisAlloc{}, GasLimit: 1e7, Difficulty: big.NewInt(1)}, chain.Options{})
	require.NoError(t, err)
	return c
}
