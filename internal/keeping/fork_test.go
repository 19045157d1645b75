package keeping_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
)

// keptFork is a chain to fork, and the settings of a fork of it that is kept in a new file.
func keptFork(t *testing.T) (below *fakenode.Node, config fakenode.Config) {
	t.Helper()
	below = fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_800_000_000, 0), Preset: fakenode.BaseFlashblocks})
	below.Token().Mint(below.Account(5).Address, fixtures.USD("7"))
	below.Seal()
	directory := t.TempDir()
	return below, fakenode.Config{
		State: filepath.Join(directory, "state.db"), Preset: fakenode.Dev, StartTime: time.Unix(1_800_001_000, 0),
		Fork: &fakenode.Fork{URL: below.URL(), CacheFile: filepath.Join(directory, "fork.jsonl")},
	}
}

// Ensure a fork that is started again is the one that was stopped, with the chain below it and without, and reads what
// it did not change from there as before.
func TestStateKeepsFork(t *testing.T) {
	t.Parallel()
	below, config := keptFork(t)
	node := fakenode.RunConfigT(t, config)
	timeline := node.Timeline()
	holder, contract := node.Account(5).Address, common.Address{0xcc}

	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithNonce(contract, 1).WithStorage(contract, common.Hash{1}, common.Hash{2})
	}))
	node = again(t, node, config) // with edits and no block
	timeline = node.Timeline()
	token := node.Token()
	token.Mint(node.Account(0).Address, fixtures.USD("1"))
	for i := range uint64(5) {
		require.NoError(t, node.Send(transfer(t, node, 1, i, 100)))
		node.Seal()
	}
	_, err := node.Reorg(fakenode.ReorgOptions{Depth: 2})
	require.NoError(t, err)
	require.NoError(t, timeline.EditState(func(s *evmstate.State) *evmstate.State {
		return s.WithStorage(contract, common.Hash{1}, common.Hash{}).WithoutAccount(node.Account(9).Address)
	}))
	preconfirmed := transfer(t, node, 2, 0, 1)
	require.NoError(t, node.Send(preconfirmed))
	node.Preconfirm()
	node.Testnet().Advance(10 * time.Second)

	restored := again(t, node, config)
	require.Equal(t, fakenode.Preconfirmed, restored.Place(preconfirmed.Hash()).Where)
	restored.Seal()
	want := restored.Token().BalanceOf(holder)
	require.Equal(t, below.Token().BalanceOf(holder), want)

	require.NoError(t, below.Close())
	config.Fork = &fakenode.Fork{CacheFile: config.Fork.CacheFile, Offline: true}
	offline := again(t, restored, config)
	require.Equal(t, want, offline.Token().BalanceOf(holder))
	state, err := offline.Moment().Latest().State()
	require.NoError(t, err)
	require.False(t, state.Exist(node.Account(9).Address))
	_, err = offline.Reorg(fakenode.ReorgOptions{Depth: 3})
	require.NoError(t, err)
	offline.Advance(10 * time.Second)
	again(t, offline, config)
}

// Ensure a tag means the block that it meant when the file was begun, although the chain below went on.
func TestStateKeepsForkBlock(t *testing.T) {
	t.Parallel()
	below, config := keptFork(t)
	config.Fork.CacheFile = ""
	config.Fork.Block = "latest"
	node := fakenode.RunConfigT(t, config)
	node.Seal()
	below.Seal()
	restored := again(t, node, config)
	require.Equal(t, node.Fork().Point(), restored.Fork().Point())
}

// Ensure a file is rejected with one clear line by a node that is another fork, none, or forks where the file does not.
func TestStateRejectsAnotherFork(t *testing.T) {
	t.Parallel()
	below, config := keptFork(t)
	config.Fork.CacheFile = ""
	node := fakenode.RunConfigT(t, config)
	point := node.Fork().Point()
	node.Seal()
	require.NoError(t, node.Close())
	below.Seal()

	_, err := fakenode.New(fakenode.Config{State: config.State, Fork: &fakenode.Fork{URL: below.URL(), Block: "1"}})
	require.ErrorContains(t, err, "keeps a fork of "+point.String()+", not of chain id 8453 at block 1, 0x")
	_, err = fakenode.New(fakenode.Config{State: config.State})
	require.EqualError(t, err, config.State+" keeps a fork of "+point.String()+": the fork's URL or cache file must be given again")
	_, err = fakenode.New(fakenode.Config{State: config.State, ChainID: 5, Fork: config.Fork})
	require.ErrorContains(t, err, "chain id 5 differs from 8453")

	own := keptConfig(t)
	require.NoError(t, fakenode.RunConfigT(t, own).Close())
	_, err = fakenode.New(fakenode.Config{State: own.State, Fork: config.Fork})
	require.EqualError(t, err, own.State+" keeps a network with a genesis of its own, not a fork")
}

// denimChain is a chain by Denim's rules whose head is 13.4 s after its genesis.
func denimChain(t *testing.T) *fakenode.Node {
	t.Helper()
	below := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_800_000_000, 0), Rules: fakenode.DenimRules})
	below.Advance(13_400 * time.Millisecond)
	return below
}

// Ensure a fork of a chain by Denim's rules goes on by them: the lattice and L1 continue, fees stand still. It does so
// from its cache file alone, and from the file of its state.
func TestForkOfDenim(t *testing.T) {
	t.Parallel()
	below := denimChain(t)
	l1 := below.Moment().Chain().L1(below.Moment().Latest().Block())
	directory := t.TempDir()
	cache := filepath.Join(directory, "fork.jsonl")
	run := func(config fakenode.Config) (*fakenode.Node, fakenode.Config, common.Hash) {
		node := fakenode.RunConfigT(t, config)
		require.NoError(t, node.Send(transfer(t, node, 1, 0, 100)))
		node.Advance(11 * time.Second)
		m := node.Moment()
		require.Equal(t, "denim", m.Chain().Optimism.Upgrade.Name)
		for n := uint64(68); n <= 122; n++ {
			v, err := m.ByNumber(n)
			require.NoError(t, err)
			ms, ok := v.Milliseconds()
			require.True(t, ok)
			require.EqualValues(t, 1_800_000_000_000+200*n, ms)
			is, sequence, err := optimism.ReadL1(v.Transaction(0))
			require.NoError(t, err)
			require.Equal(t, l1.Fees, is.Fees)
			require.Equal(t, l1.Number+n/60-1, is.Number)
			require.Equal(t, n%60, sequence)
		}
		require.EqualValues(t, 122, m.Latest().Number())
		first, err := m.ByNumber(68)
		require.NoError(t, err)
		require.Equal(t, 3, first.Count())
		return node, config, m.Latest().Hash()
	}
	config := fakenode.Config{Fork: &fakenode.Fork{URL: below.URL(), CacheFile: cache}}
	node, _, want := run(config)
	require.NoError(t, node.Close())

	offline := fakenode.Config{Fork: &fakenode.Fork{CacheFile: cache, Offline: true}, State: filepath.Join(directory, "state.db")}
	node, config, is := run(offline)
	require.Equal(t, want, is)
	node = again(t, node, config)
	require.Equal(t, want, node.Moment().Latest().Hash())
	node.Seal()
	ms, ok := node.Moment().Latest().Milliseconds()
	require.True(t, ok)
	require.EqualValues(t, 1_800_000_000_000+200*123, ms)
}

// Ensure the rules that are given decide about a fork, where they can.
func TestForkOfDenimWithRules(t *testing.T) {
	t.Parallel()
	below := denimChain(t)
	node := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}, Rules: fakenode.EthereumRules})
	node.Seal()
	require.Nil(t, node.Moment().Chain().Optimism)
	require.Zero(t, node.Moment().Latest().Count())

	plain := fakenode.RunConfigT(t, fakenode.Config{})
	_, err := fakenode.New(fakenode.Config{Fork: &fakenode.Fork{URL: plain.URL()}, Rules: fakenode.DenimRules, ChainID: 5})
	require.EqualError(t, err, `rules "denim" do not go together with a fork of block 0 of chain 31337, whose time has no milliseconds`)
	_, err = fakenode.New(fakenode.Config{Fork: &fakenode.Fork{URL: plain.URL()}, Rules: fakenode.KarstRules})
	require.EqualError(t, err, `rules "karst" do not go together with a fork, which has the deposits of the other chain up to the fork block`)
	_, err = fakenode.New(fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}, BlockTime: 2 * time.Second})
	require.EqualError(t, err, `block time 2s does not go together with rules "denim", which make a block every 200ms`)
}
