package fakenode_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
)

// Ensure each path of a node and of its worlds names one network, and other paths name none.
func TestNetworkAt(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{}, Replicas: fakenode.Replicas{Count: 1}})
	world, err := node.NewWorld(fakenode.WorldOptions{Name: "a"})
	require.NoError(t, err)
	require.Empty(t, node.Name())
	require.Equal(t, "a", world.Name())
	require.Equal(t, world.Network.Timeline(), node.World("a").Network.Timeline())
	for path, want := range map[string]*preconf.Timeline{
		"/":            node.Timeline(),
		"/testnet":     node.Testnet().Timeline(),
		"/l1":          node.L1().Timeline(),
		"/w/a":         world.Timeline(),
		"/w/a/testnet": world.Testnet().Timeline(),
		"/w/a/l1":      world.L1().Timeline(),
	} {
		require.Same(t, want, node.NetworkAt(path).Timeline(), path)
	}
	for _, path := range []string{"/w/b", "/w/b/testnet", "/odd", "/replica/1", "/replica", "/flashblocks", "/w/a/flashblocks"} {
		require.Nil(t, node.NetworkAt(path), path)
	}
	require.Nil(t, fakenode.RunT(t).NetworkAt("/l1"))

	_, err = node.NewWorld(fakenode.WorldOptions{Name: "a"})
	require.ErrorContains(t, err, "a")
	require.EqualError(t, world.Run(t.Context()), "world a has no Run: its clocks run with those of its node")
	require.PanicsWithValue(t, "fakenode: the node has no L1: set Config.L1", func() {
		alone, err := fakenode.New(fakenode.Config{})
		require.NoError(t, err)
		require.False(t, alone.HasL1())
		alone.L1()
	})
	require.True(t, node.HasL1())
	require.True(t, world.HasL1())
}

// Ensure a node without a test panics where it has no such world or account, and says which.
func TestPanicsOutsideATest(t *testing.T) {
	t.Parallel()
	node, err := fakenode.New(fakenode.Config{Accounts: 2})
	require.NoError(t, err)
	require.Panics(t, func() { node.World("none") })
	require.PanicsWithValue(t, "fakenode: account 2: the node has accounts 0 to 1", func() { node.Account(2) })
	require.PanicsWithValue(t, "fakenode: account -1: the node has accounts 0 to 1", func() { node.Account(-1) })
	require.Panics(t, func() { node.Bridge() })
	require.Panics(t, func() { node.CheckBalance(panics{t}, node.Account(0).Address, fixtures.USD("1")) })
	require.Equal(t, node.Accounts()[1], node.Account(1))
	require.NoError(t, node.Close())
	require.Panics(t, func() { node.URL() })
	require.Panics(t, func() { node.TestnetURL() })
}

// panics is a test whose failure is a panic.
type panics struct{ *testing.T }

func (panics) Errorf(format string, _ ...any) { panic(format) }

// Ensure a genesis for a test holds the accounts that are given and nothing of the token, and that a dump of a network
// begins another one with its accounts.
func TestGenesisAndDump(t *testing.T) {
	t.Parallel()
	rich := common.HexToAddress("0x1100000000000000000000000000000000000001")
	genesis := fakenode.NewGenesis(types.GenesisAlloc{rich: {Balance: fixtures.Ether("3").ToBig(), Nonce: 7}})
	require.EqualValues(t, 31337, genesis.Config.ChainID.Uint64())
	node := fakenode.RunConfigT(t, fakenode.Config{Genesis: genesis})
	require.False(t, node.Token().Exists())
	state, err := node.Moment().Latest().State()
	require.NoError(t, err)
	require.Equal(t, fixtures.Ether("3"), state.Balance(rich))
	require.NoError(t, node.Importable())

	from := fakenode.RunT(t)
	poor := common.Address{0x11, 2}
	from.SetBalance(poor, uint256.NewInt(5))
	require.EqualError(t, from.Importable(), "the state was edited by control methods")
	var dump strings.Builder
	require.NoError(t, from.Dump(&dump))
	alloc, err := fakenode.ReadDump(strings.NewReader(dump.String()))
	require.NoError(t, err)
	to := fakenode.RunConfigT(t, fakenode.Config{Alloc: alloc})
	state, err = to.Moment().Latest().State()
	require.NoError(t, err)
	require.EqualValues(t, 5, state.Balance(poor).Uint64())
	require.Zero(t, to.BlockNumber())

	_, err = fakenode.ReadDump(strings.NewReader("[]"))
	require.ErrorContains(t, err, "dump: ")
	require.ErrorContains(t, from.Dump(full{}), "dump: nothing more fits")
	large := fakenode.RunConfigT(t, fakenode.Config{CodeSizeLimit: 30_000})
	require.EqualError(t, large.Importable(), "contracts may be larger than EIP-170 allows")
}

var errFull = errors.New("nothing more fits")

// full is a file to which nothing can be written.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// Ensure a profile, a comparison of forks, a reason and a receipt of a transaction in no block say where it is.
func TestNothingOfATransactionInNoBlock(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	hash, err := node.Transact(node.Account(0), fakenode.Tx{To: &common.Address{}})
	require.NoError(t, err)
	for name, ask := range map[string]func(common.Hash) error{
		"Profile":      func(h common.Hash) error { _, err := node.Profile(h); return err },
		"CompareForks": func(h common.Hash) error { _, err := node.CompareForks(h); return err },
		"RevertReason": func(h common.Hash) error { _, err := node.RevertReason(h); return err },
		"Receipt":      func(h common.Hash) error { _, err := node.Receipt(t.Context(), h); return err },
	} {
		var missing *fakenode.NoReceiptError
		require.ErrorAs(t, ask(hash), &missing, name)
		require.Equal(t, fakenode.Pooled, missing.Place.Where)
		require.EqualError(t, missing, "transaction "+hash.Hex()+" is in the pool; nothing moves until Preconfirm, Seal or Advance")
		require.EqualError(t, ask(common.Hash{1}), "transaction "+common.Hash{1}.Hex()+" is unknown", name)
	}
	require.True(t, node.DropTransaction(hash))
	require.False(t, node.DropTransaction(hash))
	_, err = node.Receipt(t.Context(), hash)
	require.ErrorIs(t, err, preconf.ErrDropped)
	require.ErrorContains(t, err, "transaction "+hash.Hex()+" is dropped")

	op := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism})
	hash, err = op.Transact(op.Account(0), fakenode.Tx{To: &common.Address{}})
	require.NoError(t, err)
	op.Seal()
	_, err = op.CompareForks(hash)
	require.Error(t, err, "an OP-stack chain has no such forks")
	profile, err := op.Profile(hash)
	require.NoError(t, err)
	require.EqualValues(t, 21_000, profile.GasUsed)
}
