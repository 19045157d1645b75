// Package door holds the tests of package fakenode that need no file of the repository's top folder.
package door_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/internal/assembly"
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
			want, takes := fakenode.Strict, []tokencontract.Variant{fakenode.Strict, fakenode.DocumentedFlow}
			switch {
			case preset == fakenode.Dev && profile == fakenode.Spec:
				want = fakenode.DocumentedFlow
			case preset == fakenode.Arc:
				want, takes = fakenode.NativeToken, []tokencontract.Variant{fakenode.NativeToken}
			}
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Compat: profile})
			require.Equal(t, want, node.Token().Variant(), "%s, %s", preset, profile)
			require.Equal(t, want, node.Testnet().Token().Variant())
			world, err := node.NewWorld(fakenode.WorldOptions{})
			require.NoError(t, err)
			require.Equal(t, want, world.Token().Variant())
			for _, given := range takes {
				node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Compat: profile, Token: given})
				require.Equal(t, given, node.Token().Variant(), "%s, %s", preset, profile)
			}
		}
	}
	require.Zero(t, fakenode.RunConfigT(t, fakenode.Config{Genesis: fakenode.NewGenesis(nil)}).Token().Variant())
	_, err := fakenode.New(fakenode.Config{Token: 4})
	require.EqualError(t, err, "unknown token variant 4")
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

func codeAt(t *testing.T, network *fakenode.Network, address common.Address) []byte {
	t.Helper()
	code, err := network.Client().CodeAt(t.Context(), address, nil)
	require.NoError(t, err)
	return code
}

// Ensure each set of contracts is in the genesis of both networks, and nothing of a larger set.
func TestContracts(t *testing.T) {
	t.Parallel()
	for set, want := range map[fakenode.Contracts][2]bool{ // standard ones, payment contracts
		"": {true, true}, fakenode.PaymentContracts: {true, true}, fakenode.StandardContracts: {true, false}, fakenode.NoContracts: {false, false},
	} {
		node := fakenode.RunConfigT(t, fakenode.Config{Contracts: set})
		for _, network := range []*fakenode.Network{node.Network, node.Testnet()} {
			for address, account := range contracts.Predeploys() {
				require.Equal(t, want[0], string(account.Code) == string(codeAt(t, network, address)), "%q %s", set, address)
			}
			for address, account := range assembly.Payments() {
				require.Equal(t, want[1], string(account.Code) == string(codeAt(t, network, address)), "%q %s", set, address)
			}
			require.NotEmpty(t, codeAt(t, network, network.Token().Address()))
		}
	}
	_, err := fakenode.New(fakenode.Config{Contracts: "all"})
	require.EqualError(t, err, `contracts "all" are neither "none", "standard" nor "payments"`)
}

// Ensure a user's accounts are in both networks, in place of those a preset has there.
func TestPredeploys(t *testing.T) {
	t.Parallel()
	const account = "0x00000000000000000000000000000000000000aa"
	predeploys, err := fakenode.ReadPredeploys(strings.NewReader(`{
		"0x000000000022D473030F116dDEE9F6B43aC78BA3": {"code": "0x6001600055", "storage": {"0x0": "0x7", "0x0a": "0xff"}},
		"` + account + `": {"balance": "0x10", "nonce": 5}
	}`))
	require.NoError(t, err)
	node := fakenode.RunConfigT(t, fakenode.Config{Predeploys: predeploys})
	for _, network := range []*fakenode.Network{node.Network, node.Testnet()} {
		require.Equal(t, "0x6001600055", hexutil.Encode(codeAt(t, network, permit2.Address)))
		client := network.Client()
		word, err := client.StorageAt(t.Context(), permit2.Address, common.BigToHash(common.Big0), nil)
		require.NoError(t, err)
		require.Equal(t, common.BytesToHash([]byte{7}).Bytes(), word)
		nonce, err := client.NonceAt(t.Context(), permit2.Address, nil)
		require.NoError(t, err)
		require.EqualValues(t, 1, nonce, "as after a deployment")
		balance, err := client.BalanceAt(t.Context(), common.HexToAddress(account), nil)
		require.NoError(t, err)
		require.EqualValues(t, 16, balance.Int64())
		nonce, err = client.NonceAt(t.Context(), common.HexToAddress(account), nil)
		require.NoError(t, err)
		require.EqualValues(t, 5, nonce)
	}
	require.NotEqual(t, "0x6001600055", hexutil.Encode(codeAt(t, fakenode.RunT(t).Network, permit2.Address)), "another node has none of it")

	_, err = fakenode.New(fakenode.Config{Genesis: fakenode.NewGenesis(nil), Predeploys: types.GenesisAlloc{{1}: {}}})
	require.EqualError(t, err, "1 predeploys given with a genesis, which brings its own accounts")
}

// Ensure a bad file is rejected with the entry and the limit it breaks.
func TestReadPredeploysRefuses(t *testing.T) {
	t.Parallel()
	const at = "0x000000000022D473030F116dDEE9F6B43aC78BA3"
	entry := func(body string) string { return fmt.Sprintf(`{%q: %s}`, at, body) }
	for text, want := range map[string]string{
		`[]`:           "the file: it is of the wrong kind",
		`{}x`:          "invalid character 'x' after top-level value after offset 2",
		`{"0x12": {}}`: "0x12: hex string has length 2, want 40",
		`{"` + at + `": {}, "` + strings.ToLower(at) + `": {}}`:            `duplicate object member name "` + strings.ToLower(at) + `"`,
		entry(`{"kode": "0x"}`):                                            at + "/kode: unknown object member name",
		entry(`{"code": "60"}`):                                            at + "/code: want 0x and hex digits",
		entry(`{"storage": {"1": "0x1"}}`):                                 at + "/storage/1: want 0x and up to 64 hex digits",
		entry(`{"storage": {"0x1": "0xg"}}`):                               at + "/storage/0x1: invalid byte: U+0067 'g'",
		entry(`{"storage": {"0x1": "0x` + strings.Repeat("1", 65) + `"}}`): at + "/storage/0x1: want 0x and up to 64 hex digits",
		entry(`{"storage": {"0x1": "0x1", "0x01": "0x2"}}`):                `duplicate object member name "0x01" within "/` + at + `/storage"`,
		entry(`{"balance": -1}`):                                           at + "/balance: -1 is negative",
		entry(`{"nonce": "0x10000000000000000"}`):                          at + `/nonce: invalid hex or decimal integer "0x10000000000000000"`,
	} {
		_, err := fakenode.ReadPredeploys(strings.NewReader(text))
		require.EqualError(t, err, "predeploys: "+want, text)
	}
}
