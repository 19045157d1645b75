package keeping_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
)

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
		require.Equal(t, "denim", m.Chain().Optimism().Upgrade.Name)
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

// Ensure logs below the fork have the milliseconds of their blocks, as the other chain reports them.
func TestForkOfDenimTimesLogsBelow(t *testing.T) {
	t.Parallel()
	below := denimChain(t)
	below.Token().Mint(below.Account(0).Address, fixtures.USD("1"))
	below.Advance(time.Second)
	below.Token().Mint(below.Account(0).Address, fixtures.USD("2"))
	below.Advance(time.Second)
	node := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}})
	times := func(url string) []struct{ BlockTimestampMs hexutil.Uint64 } {
		client, err := rpc.Dial(url)
		require.NoError(t, err)
		defer client.Close()
		var logs []struct{ BlockTimestampMs hexutil.Uint64 }
		require.NoError(t, client.Call(&logs, "eth_getLogs", map[string]any{"fromBlock": "0x1", "toBlock": "latest"}))
		return logs
	}
	is := times(node.URL())
	require.Len(t, is, 4, "each has Mint and Transfer")
	require.EqualValues(t, 1_800_000_013_600, is[0].BlockTimestampMs)
	require.Equal(t, times(below.URL()), is)
}

// Ensure the rules that are given decide about a fork, where they can.
func TestForkOfDenimWithRules(t *testing.T) {
	t.Parallel()
	below := denimChain(t)
	node := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}, Rules: fakenode.EthereumRules})
	node.Seal()
	require.Nil(t, node.Moment().Chain().Optimism())
	require.Zero(t, node.Moment().Latest().Count())

	plain := fakenode.RunConfigT(t, fakenode.Config{})
	_, err := fakenode.New(fakenode.Config{Fork: &fakenode.Fork{URL: plain.URL()}, Rules: fakenode.DenimRules, ChainID: 5})
	require.EqualError(t, err, `rules "denim" do not go together with a fork of block 0 of chain 31337, whose time has no milliseconds`)
	_, err = fakenode.New(fakenode.Config{Fork: &fakenode.Fork{URL: plain.URL()}, Rules: fakenode.KarstRules})
	require.EqualError(t, err, `rules "karst" do not go together with a fork, which has the deposits of the other chain up to the fork block`)
	_, err = fakenode.New(fakenode.Config{Fork: &fakenode.Fork{URL: below.URL()}, BlockTime: 2 * time.Second})
	require.EqualError(t, err, `block time 2s does not go together with rules "denim", which make a block every 200ms`)
}
