package door_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// presetChain holds the values of a preset that a client can read.
type presetChain struct {
	chainID, testnet  uint64
	gasLimit          uint64
	extra             string        // data of the genesis block
	block, flashblock time.Duration // distance of two
}

// Ensure each preset is the chain that docs/optimism.md describes.
func TestPresets(t *testing.T) {
	t.Parallel()
	for preset, want := range map[fakenode.Preset]presetChain{
		fakenode.Dev:             {31337, 31338, 60_000_000, "0x", 2 * time.Second, 200 * time.Millisecond},
		fakenode.Base:            {8453, 84532, 40_000_000, "0x01000003e80000000500000000004c4b40", 200 * time.Millisecond, 200 * time.Millisecond},
		fakenode.BaseFlashblocks: {8453, 84532, 60_000_000, "0x01000000fa0000000600000000004c4b40", 2 * time.Second, 200 * time.Millisecond},
		fakenode.Optimism:        {10, 11155420, 40_000_000, "0x01000000fa000000020000000000000000", 2 * time.Second, 200 * time.Millisecond},
		fakenode.Unichain:        {130, 1301, 60_000_000, "0x01000000fa000000060000000000000000", time.Second, 200 * time.Millisecond},
		fakenode.Anvil:           {31337, 31338, 30_000_000, "0x", 2 * time.Second, 0},
		fakenode.Hardhat:         {31337, 31338, 60_000_000, "0x", 2 * time.Second, 0},
	} {
		require.Equal(t, want, seen(t, fakenode.Config{Preset: preset}), preset)
	}
}

// Ensure a field that is given wins over the preset's, the least base fee of zero included.
func TestPresetYields(t *testing.T) {
	t.Parallel()
	zero := uint64(0)
	is := seen(t, fakenode.Config{
		Preset: fakenode.Optimism, ChainID: 42, GasLimit: 25_000_000, BlockTime: 4 * time.Second, FlashblockTime: time.Second,
		Fees: fakenode.FeeRules{Denominator: 8, Elasticity: 4},
	})
	require.Equal(t, presetChain{42, 11155420, 25_000_000, "0x0100000008000000040000000000000000", 4 * time.Second, time.Second}, is)
	is = seen(t, fakenode.Config{Preset: fakenode.BaseFlashblocks, Fees: fakenode.FeeRules{MinBaseFee: &zero}})
	require.Equal(t, "0x01000000fa000000060000000000000000", is.extra)
	is = seen(t, fakenode.Config{Preset: fakenode.Unichain, Genesis: fakenode.NewGenesis(nil)})
	require.Equal(t, presetChain{31337, 1301, 60_000_000, "0x", time.Second, 200 * time.Millisecond}, is)

	is = seen(t, fakenode.Config{Rules: fakenode.DenimRules}) // of all chains with these rules
	require.Equal(t, presetChain{31337, 31338, 40_000_000, "0x01000003e80000000500000000004c4b40", 200 * time.Millisecond, 200 * time.Millisecond}, is)

}

// Ensure the contract's procedure runs on the default node, the token is as strict as USDC where a live chain or live
// clients are meant, and a variant that is given wins everywhere.
func TestTokenOfConfig(t *testing.T) {
	t.Parallel()
	for _, preset := range fakenode.Presets() {
		for _, profile := range []fakenode.Profile{fakenode.Spec, fakenode.Geth} {
			want := fakenode.Strict
			if preset == fakenode.Dev && profile == fakenode.Spec {
				want = fakenode.DocumentedFlow
			}
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Compat: profile})
			require.Equal(t, want, node.Token().Variant(), "%s, %s", preset, profile.Name())
			require.Equal(t, want, node.Testnet().Token().Variant())
			world, err := node.NewWorld(fakenode.WorldOptions{})
			require.NoError(t, err)
			require.Equal(t, want, world.Token().Variant())
			for _, given := range []tokencontract.Variant{fakenode.Strict, fakenode.DocumentedFlow} {
				node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Compat: profile, Token: given})
				require.Equal(t, given, node.Token().Variant(), "%s, %s", preset, profile.Name())
			}
		}
	}
	require.Zero(t, fakenode.RunConfigT(t, fakenode.Config{Genesis: fakenode.NewGenesis(nil)}).Token().Variant())
	_, err := fakenode.New(fakenode.Config{Token: 3})
	require.EqualError(t, err, "unknown token variant 3")
}

// Ensure a node that is kept has the token it was made with, and a fork the one of its chain, whatever is given later.
func TestTokenStays(t *testing.T) {
	t.Parallel()
	config := fakenode.Config{State: filepath.Join(t.TempDir(), "state.db")}
	made, err := fakenode.New(config)
	require.NoError(t, err)
	require.NoError(t, made.Close())
	config.Token = fakenode.Strict
	resumed := fakenode.RunConfigT(t, config)
	require.Equal(t, fakenode.DocumentedFlow, resumed.Token().Variant())

	fork := fakenode.RunConfigT(t, fakenode.Config{Fork: &fakenode.Fork{URL: resumed.URL()}, Token: fakenode.Strict})
	require.Zero(t, fork.Token().Variant())
	require.Equal(t, fakenode.Strict, fork.Testnet().Token().Variant())
	code, err := fork.Client().CodeAt(t.Context(), fork.Token().Address(), nil)
	require.NoError(t, err)
	require.Equal(t, fakenode.DocumentedFlow.RuntimeCode(), code)
}

// Ensure a preset that seals at once does so for Go, too, in worlds, clones and a kept node, with a clock that blocks
// move, and that a mode that is given wins.
func TestPresetMode(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Anvil, fakenode.Hardhat} {
		kept := fakenode.Config{Preset: preset, State: t.TempDir()}
		node := fakenode.RunConfigT(t, kept)
		world, err := node.NewWorld(fakenode.WorldOptions{})
		require.NoError(t, err)
		for _, n := range []*fakenode.Node{node, world, node.CloneT(t)} {
			for range 3 {
				hash, err := n.Transact(n.Account(0), fakenode.Tx{To: new(n.Account(1).Address)})
				require.NoError(t, err)
				receipt, err := n.Client().TransactionReceipt(t.Context(), hash)
				require.NoError(t, err, "it is sealed before the send returns")
				require.EqualValues(t, n.BlockNumber(), receipt.BlockNumber.Uint64())
			}
			head, err := n.Client().HeaderByNumber(t.Context(), nil)
			require.NoError(t, err)
			require.EqualValues(t, head.Time, n.Now().Unix(), "the clock is not behind the head")
			require.NoError(t, n.Client().Client().CallContext(t.Context(), nil, "evm_increaseTime", 60))
			n.Seal()
			next, err := n.Client().HeaderByNumber(t.Context(), nil)
			require.NoError(t, err)
			require.Equal(t, head.Time+60, next.Time)
		}
		require.NoError(t, node.Close())
		again := fakenode.RunConfigT(t, kept)
		require.Equal(t, fakenode.Instant, again.Moment().Mode())
		require.NoError(t, again.Close())
		kept.Mode = fakenode.Manual
		require.Equal(t, fakenode.Manual, fakenode.RunConfigT(t, kept).Moment().Mode())

		for want, c := range map[fakenode.Mode]fakenode.Config{
			fakenode.Manual:   {Mode: fakenode.Manual, BlockTime: time.Second},
			fakenode.Interval: {BlockTime: time.Second},
			fakenode.Instant:  {Mode: fakenode.Instant, BlockTime: time.Second},
		} {
			c.Preset = preset
			require.Equal(t, want, fakenode.RunConfigT(t, c).Moment().Mode())
		}
	}
	require.Equal(t, fakenode.Manual, fakenode.RunT(t).Moment().Mode())
}

// seen returns a client's view of a node.
func seen(t *testing.T, c fakenode.Config) (is presetChain) {
	t.Helper()
	node := fakenode.RunConfigT(t, c)
	id := func(url string) uint64 {
		client, err := ethclient.Dial(url)
		require.NoError(t, err)
		defer client.Close()
		id, err := client.ChainID(t.Context())
		require.NoError(t, err)
		return id.Uint64()
	}
	is.chainID, is.testnet = id(node.URL()), id(node.TestnetURL())
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	genesis, err := client.HeaderByNumber(t.Context(), nil)
	require.NoError(t, err)
	is.gasLimit, is.extra = genesis.GasLimit, hexutil.Encode(genesis.Extra)
	var info struct {
		Config struct{ BlockTimeMs, FlashblockTimeMs int64 }
	}
	require.NoError(t, client.Client().Call(&info, "fakenode_info"))
	is.block = time.Duration(info.Config.BlockTimeMs) * time.Millisecond
	is.flashblock = time.Duration(info.Config.FlashblockTimeMs) * time.Millisecond
	return is
}

// Ensure a genesis of one's own has Ethereum's rules under a preset with others, and what goes with those alone is
// refused.
func TestPresetRulesOfAGenesis(t *testing.T) {
	t.Parallel()
	genesis := fakenode.NewGenesis(nil)
	_, err := fakenode.New(fakenode.Config{Preset: fakenode.Optimism, Genesis: genesis, Fees: fakenode.FeeRules{Elasticity: 2}})
	require.ErrorContains(t, err, `rules "ethereum" take no denominator`)
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Optimism, Genesis: genesis})
	node.Seal()
	require.Zero(t, node.Moment().Latest().Count(), "no deposit")
}
