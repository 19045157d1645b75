package keeping_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
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

// Ensure a network that is kept cannot begin anew on another chain: the file is of one. Its worlds are not kept, and
// can.
func TestStateIsOfOneChain(t *testing.T) {
	t.Parallel()
	below, config := keptFork(t)
	forking := map[string]any{"forking": map[string]any{"jsonRpcUrl": below.URL(), "blockNumber": 1}}
	own := keptConfig(t)
	own.Rules = fakenode.EthereumRules // as a fork's
	for _, config := range []fakenode.Config{config, own} {
		node := fakenode.RunConfigT(t, config)
		node.Seal()
		for _, url := range []string{node.URL(), node.TestnetURL()} {
			client, err := rpc.Dial(url)
			require.NoError(t, err)
			defer client.Close()
			require.ErrorContains(t, client.Call(nil, "anvil_reset", forking), "kept in a state file")
		}
		world, err := node.NewWorld(fakenode.WorldOptions{})
		require.NoError(t, err)
		client, err := rpc.Dial(world.URL())
		require.NoError(t, err)
		defer client.Close()
		require.NoError(t, client.Call(nil, "anvil_reset", forking))
		require.Equal(t, uint64(1), world.BlockNumber())
		again(t, node, config)
	}
}
