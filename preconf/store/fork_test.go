package store_test

import (
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Ensure a fork is kept with the point that it goes on from and with its own changes, also those of the fork block,
// and a copy of it too; that it is restored on the same point, and on no other; and that what is salvaged of it is.
func TestForkIsKept(t *testing.T) {
	t.Parallel()
	under := fakenode.RunT(t)
	for range 3 {
		under.Seal()
	}
	f := servertest.OpenFork(t, under.URL(), "2")
	rules := under.Moment().Chain().Config()
	changed := evmstate.StateFromSource(f.At(2)).Tracked().WithBalance(common.Address{0xaa}, uint256.NewInt(5)).
		WithCode(common.Address{0xcc}, []byte{1, 2, 3})
	c, err := chain.NewFork(f, rules, changed, chain.Options{Track: true})
	require.NoError(t, err)
	timeline, err := preconf.New(preconf.Config{Chain: c, Start: time.Unix(int64(c.Head().Time()), 0)})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := store.OpenByHand(path)
	require.NoError(t, err)
	s.Network("main").Keep(timeline)
	require.NoError(t, s.Write())
	_, err = timeline.Seal(2)
	require.NoError(t, err)
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithBalance(common.Address{0xbb}, uint256.NewInt(6))
	}))
	copied := timeline.Copy()
	s.Network("main").Copy(store.Name{World: "a", Network: "main"}, time.Unix(1, 0), copied)
	_, err = copied.Seal(2)
	require.NoError(t, err)
	require.NoError(t, s.Write())
	require.NoError(t, s.CloseByHand())

	balances := func(c *chain.Chain) []int64 {
		state, err := c.StateAt(c.Head())
		require.NoError(t, err)
		var have []int64
		for _, account := range []common.Address{{0xaa}, {0xbb}, fixtures.Dev(3).Address} {
			have = append(have, new(big.Int).Mod(state.Balance(account).ToBig(), big.NewInt(7919)).Int64())
		}
		require.Equal(t, []byte{1, 2, 3}, state.Code(common.Address{0xcc}))
		return have
	}
	again := func(s *store.Store, copies int) {
		main := s.Network("main")
		require.Equal(t, servertest.OpenFork(t, under.URL(), "2").Point(), main.Origin().Fork.Point)
		require.Nil(t, main.Origin().Genesis)
		require.Equal(t, rules.ChainID, main.Origin().Fork.Rules.ChainID)
		for _, other := range []*remote.Fork{nil, servertest.OpenFork(t, under.URL(), "3")} {
			_, err = main.Load(other, chain.Options{})
			require.EqualError(t, err, path+" is of a fork of "+f.Point().String())
		}
		for i, n := range append([]*store.Network{main}, s.Copies()...) {
			loaded, err := n.Load(f, chain.Options{})
			require.NoError(t, err)
			want := []*preconf.Timeline{timeline, copied}[i].Moment().Sealed()
			require.Equal(t, want.Head().Hash(), loaded.Chain.Head().Hash())
			require.Equal(t, balances(want), balances(loaded.Chain))
			first, err := loaded.Chain.StateAt(loaded.Chain.BlockByNumber(2))
			require.NoError(t, err)
			require.EqualValues(t, 5, first.Balance(common.Address{0xaa}).Uint64())
			require.Zero(t, first.Balance(common.Address{0xbb}).Uint64())
		}
		require.Len(t, s.Copies(), copies)
	}
	s, err = store.Open(path, store.Options{})
	require.NoError(t, err)
	again(s, 1)
	require.NoError(t, s.Close())
	remains, err := store.Salvage(path)
	require.NoError(t, err)
	number, ok := remains.Network("main").Newest()
	require.True(t, ok)
	require.EqualValues(t, 4, number)
	again(remains, 1)
	require.Empty(t, remains.Lost())
	require.NoError(t, remains.Close())
}

// Ensure a copy of a network that was dropped is not kept.
func TestCopyOfDroppedCopy(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state.db")
	timeline, s := kept(t, path)
	c := s.Network("main").Copy(store.Name{World: "a", Network: "main"}, time.Unix(1, 0), timeline.Copy())
	require.NotNil(t, c)
	require.Equal(t, time.Unix(1, 0), c.Made())
	c.Drop()
	require.Nil(t, c.Copy(store.Name{World: "b", Network: "main"}, time.Unix(2, 0), timeline.Copy()))
	require.NoError(t, s.Close())
	s, err := store.Open(path, store.Options{})
	require.NoError(t, err)
	require.Empty(t, s.Copies())
	require.NoError(t, s.Close())
}
