package fakenode_test

import (
	"bytes"
	"cmp"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure every mistake in a Config, and fields that do not go together, are an error that names them.
func TestConfigErrors(t *testing.T) {
	t.Parallel()
	genesis := fakenode.NewGenesis(types.GenesisAlloc{{1}: {Balance: big.NewInt(1)}})
	long := types.GenesisAlloc{{1}: {Code: make([]byte, params.MaxCodeSize+1)}}
	l1 := func(c fakenode.Config) fakenode.Config {
		c.L1 = cmp.Or(c.L1, new(fakenode.L1Config))
		if c.Preset == "" {
			c.Preset = fakenode.BaseFlashblocks
		}
		return c
	}
	for _, tc := range []struct {
		config fakenode.Config
		want   string
	}{
		{fakenode.Config{Preset: "moon"}, `preset "moon" is unknown: want "dev", "base", "base-flashblocks", "optimism", "unichain"`},
		{fakenode.Config{Preset: fakenode.Base, L1: &fakenode.L1Config{GameType: 9}}, `game type 9: want 8, about output roots, or 9, about super roots, with the preset "optimism"`},
		{fakenode.Config{Preset: fakenode.Optimism, L1: &fakenode.L1Config{GameType: 7}}, "game type 7: want 8"},
		{fakenode.Config{Port: -1}, "port -1 is outside 0 to 65535"},
		{fakenode.Config{Worlds: fakenode.Worlds{TTL: time.Millisecond}}, "a ttl of 1 ms is too short: want 1000 or more"},
		{fakenode.Config{Worlds: fakenode.Worlds{PerOwner: -1}}, "limit of an owner's worlds is -1, want 1 or more, or 0 for none"},
		{fakenode.Config{ChainID: 31338}, "chain id 31338 is that of the test network"},
		{fakenode.Config{StartTime: time.Unix(-5, 0)}, "start time 1969-12-31T23:59:55Z is before 1970"},
		{fakenode.Config{Compat: 9}, "unknown profile 9"},
		{fakenode.Config{Token: 9}, "unknown token variant 9"},
		{fakenode.Config{Bundler: fakenode.Bundler{Rules: "odd"}}, `bundler rules "odd" are unknown: want "strict", "loose"`},
		{fakenode.Config{Accounts: 10_001}, "10001 accounts are more than 10000"},
		{fakenode.Config{Hardfork: "tomorrow"}, `unknown hard fork "tomorrow"`},
		{fakenode.Config{Mnemonic: "test"}, "mnemonic"},
		{fakenode.Config{BlockTime: time.Microsecond}, "block time"},
		{fakenode.Config{Genesis: &fakenode.Genesis{}}, "genesis has no config"},
		{fakenode.Config{Genesis: &fakenode.Genesis{}, Hardfork: "osaka"}, `hard fork "osaka" given with a genesis, which brings its own rules`},
		{fakenode.Config{Genesis: &fakenode.Genesis{}, GasLimit: 30_000_000}, "gas limit 30000000 given with a genesis, which brings its own"},
		{fakenode.Config{Genesis: &fakenode.Genesis{}, BaseFee: uint256.NewInt(7)}, "base fee 7 given with a genesis, which brings its own"},
		{fakenode.Config{Recover: "old.db"}, "old.db cannot be recovered without a path for the new state"},
		{fakenode.Config{CodeSizeLimit: 65_537, Hardfork: "Amsterdam"}, "a code size limit above 65536 does not go together with amsterdam"},
		{fakenode.Config{Predeploys: long}, "predeploy 0x0100000000000000000000000000000000000000: "},
		{fakenode.Config{Contracts: "all"}, `"all"`},
		{fakenode.Config{Genesis: genesis, ChainID: 5}, "chain id 5 given with a genesis, which brings its own: set it there"},
		{fakenode.Config{Genesis: genesis, Predeploys: types.GenesisAlloc{{1}: {}}}, "1 predeploys given with a genesis, which brings its own accounts"},
		{fakenode.Config{Genesis: genesis, Alloc: types.GenesisAlloc{{1}: {}}}, "1 accounts of a dump given with a genesis, which brings its own accounts"},
		{fakenode.Config{Fork: &fakenode.Fork{}, Genesis: genesis}, "a fork has no genesis of its own: give either"},
		{fakenode.Config{Fork: &fakenode.Fork{}, Import: new(bytes.Buffer)}, "blocks cannot be imported into a fork"},
		{fakenode.Config{Fork: &fakenode.Fork{}, Predeploys: types.GenesisAlloc{}}, "are for a genesis: a fork has the accounts of the other chain"},
		{fakenode.Config{Fork: &fakenode.Fork{}, Alloc: types.GenesisAlloc{}}, "are for a genesis: a fork has the accounts of the other chain"},
		{fakenode.Config{Fork: &fakenode.Fork{}, Contracts: fakenode.NoContracts}, "are for a genesis: a fork has the accounts of the other chain"},
		{fakenode.Config{L1: &fakenode.L1Config{BlockTime: -time.Second}}, "block time -1s of the L1: want whole seconds up to "},
		{fakenode.Config{L1: &fakenode.L1Config{BlockTime: time.Millisecond}}, "block time 1ms of the L1: want whole seconds up to "},
		{fakenode.Config{L1: &fakenode.L1Config{WithdrawalDelay: 1<<63 - 1}}, "withdrawal delay 2562047h47m16.854775807s of the L1: want whole seconds"},
		{fakenode.Config{L1: &fakenode.L1Config{WithdrawalDelay: 876_601 * time.Hour}}, "withdrawal delay 876601h0m0s of the L1: want whole seconds"},
		{l1(fakenode.Config{Preset: fakenode.BaseFlashblocks, Fork: &fakenode.Fork{}}), "does not go together with a fork, which has an L1 of its own"},
		{l1(fakenode.Config{Import: new(bytes.Buffer)}), "does not go together with blocks to import, which refer to another L1"},
		{l1(fakenode.Config{Genesis: genesis}), "does not go together with a genesis of your own"},
		{l1(fakenode.Config{Rules: fakenode.EthereumRules}), `does not go together with the rules "ethereum": want those of an OP-stack chain`},
		{l1(fakenode.Config{Preset: fakenode.Dev}), `does not go together with the rules "ethereum": want those of an OP-stack chain`},
		{l1(fakenode.Config{Contracts: fakenode.NoContracts}), `does not go together with contracts "none": clients ask Multicall3 on the L1`},
		{l1(fakenode.Config{L1: &fakenode.L1Config{BlockTime: time.Second, Distance: 1801}}), "distance 1801 of the L1: want at most 1800 blocks, since a block of the L2 is at most 30m0s later"},
		{fakenode.Config{Port: 65_536}, "port 65536 is outside 0 to 65535"},
		{fakenode.Config{Limits: fakenode.Limits{Provider: "nobody"}}, `provider "nobody" is unknown`},
		{fakenode.Config{Preconf: "soon"}, `preconf "soon" is unknown: want "flashblocks", "pending", "realtime", "megaeth", "rise", "monad"`},
		{fakenode.Config{SendSync: "soon"}, `rules "soon" of eth_sendRawTransactionSync are unknown: want "spec", "geth", "eip7966", `},
		{fakenode.Config{Flashblocks: fakenode.Frames{Metadata: "some"}}, `metadata of flashblocks is "some", want "minimal", "full", "subblocks"`},
		{fakenode.Config{Replicas: fakenode.Replicas{Count: -1}}, "replicas"},
		{fakenode.Config{Rules: "mars"}, `rules "mars" are unknown: want "ethereum", "op", "jovian", "azul", "karst", "denim", "lagoon"`},
		{fakenode.Config{Rules: fakenode.KarstRules, Genesis: genesis}, `rules "karst" do not go together with a genesis of your own, which lacks`},
		{fakenode.Config{Rules: fakenode.KarstRules, Import: new(bytes.Buffer)}, `rules "karst" do not go together with blocks to import`},
		{fakenode.Config{Rules: fakenode.KarstRules, Fork: &fakenode.Fork{}}, `rules "karst" do not go together with a fork, which has the deposits`},
		{fakenode.Config{Rules: fakenode.KarstRules, Hardfork: "cancun"}, `rules "karst" do not go together with the hard fork "cancun", which comes before prague`},
		{fakenode.Config{Rules: fakenode.KarstRules, Hardfork: "amsterdam"}, `rules "karst" do not go together with the hard fork "amsterdam", which no OP-stack chain has yet`},
		{fakenode.Config{Preset: fakenode.Base, Rules: fakenode.KarstRules}, `preset "base" has the rules "denim" and does not go together with the rules "karst"`},
		{fakenode.Config{Preset: fakenode.Base, Genesis: genesis}, `preset "base" has the rules "denim" and does not go together with a genesis of your own`},
		{fakenode.Config{Fees: fakenode.FeeRules{Elasticity: 2}}, `rules "ethereum" take no denominator, elasticity or least base fee`},
		{fakenode.Config{Rules: fakenode.DenimRules, BlockTime: time.Second}, `block time 1s does not fit the rules "denim", which make a block every 200ms`},
		{fakenode.Config{Rules: fakenode.DenimRules, FlashblockTime: time.Second}, `flashblock time 1s given with the rules "denim", which have no flashblocks`},
		{fakenode.Config{Rules: fakenode.DenimRules, Preconf: fakenode.PreconfPending}, `preconf pending given with the rules "denim", which have no flashblocks`},
		{fakenode.Config{Rules: fakenode.DenimRules, Flashblocks: fakenode.Frames{Metadata: fakenode.FlashblocksFull}}, `metadata of flashblocks full given with the rules "denim"`},
	} {
		node, err := fakenode.New(tc.config)
		if node != nil {
			require.NoError(t, node.Close())
		}
		require.ErrorContains(t, err, tc.want, "%+v", tc.config)
	}
}

// Ensure a Config may be at its limits, and is an error that names the limit just beyond it.
func TestConfigAtItsLimits(t *testing.T) {
	t.Parallel()
	margin := func(percent uint64) fakenode.Config {
		return fakenode.Config{Limits: fakenode.Limits{EstimateMargin: percent}}
	}
	below := func(distance uint64) fakenode.Config {
		return fakenode.Config{Preset: fakenode.BaseFlashblocks, L1: &fakenode.L1Config{Distance: distance}}
	}
	for _, c := range []struct {
		within, beyond fakenode.Config
		limit          string
	}{
		{fakenode.Config{GasLimit: 5000}, fakenode.Config{GasLimit: 4999}, "5000"},
		{fakenode.Config{StartTime: time.Unix(0, 0)}, fakenode.Config{StartTime: time.Unix(-1, 0)}, "1970"},
		{fakenode.Config{CodeSizeLimit: 24_576}, fakenode.Config{CodeSizeLimit: 24_575}, "24576"},
		{fakenode.Config{Hardfork: "amsterdam", CodeSizeLimit: 65_536}, fakenode.Config{Hardfork: "amsterdam", CodeSizeLimit: 65_537}, "65536"},
		{fakenode.Config{TxGasLimit: 1 << 24}, fakenode.Config{TxGasLimit: 1<<24 - 1}, "16777216"},
		{margin(1000), margin(1001), "1000"},
		{below(150), below(151), "150"},
	} {
		_, err := fakenode.New(c.beyond)
		require.ErrorContains(t, err, c.limit)
		node, err := fakenode.New(c.within)
		require.NoError(t, err)
		require.NoError(t, node.Close())
	}
}

// Ensure fields that are the same as what they could contradict, or just at their limit, are taken.
func TestFieldsThatAgree(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	genesis := fakenode.NewGenesis(types.GenesisAlloc{{1}: {Balance: big.NewInt(1)}})
	for name, config := range map[string]fakenode.Config{
		"chain id of a genesis":       {Genesis: genesis, ChainID: 31337},
		"predeploy of the limit":      {Predeploys: types.GenesisAlloc{{1}: {Code: make([]byte, params.MaxCodeSize)}}},
		"predeploy beyond EIP-170":    {CodeSizeLimit: 30_000, Predeploys: types.GenesisAlloc{{1}: {Code: make([]byte, 30_000)}}},
		"block time of denim":         {Rules: fakenode.DenimRules, BlockTime: 200 * time.Millisecond},
		"rules of the preset":         {Preset: fakenode.Base, Rules: fakenode.DenimRules},
		"prague with karst":           {Rules: fakenode.KarstRules, Hardfork: "prague"},
		"fees of an OP-stack chain":   {Rules: fakenode.KarstRules, Fees: fakenode.FeeRules{Elasticity: 2}},
		"longest distance at seconds": {Preset: fakenode.Optimism, L1: &fakenode.L1Config{BlockTime: time.Second, Distance: 1800}},
		"game type 9":                 {Preset: fakenode.Optimism, L1: &fakenode.L1Config{GameType: 9}},
		"all accounts":                {Accounts: 10_000, NoControl: true},
		"none":                        {Accounts: -1},
		"last variant":                {Token: fakenode.DocumentedFlow},
		"last port, not opened":       {Port: 65_535},
	} {
		node, err := fakenode.New(config)
		require.NoError(t, err, name)
		require.Len(t, node.Accounts(), map[int]int{0: 20, 10_000: 10_000, -1: 0}[config.Accounts], name)
		require.NoError(t, node.Close())
	}
}

// Ensure a fork has the other chain's id and gas limit, but for those that are given, as a base fee can be.
func TestFieldsOfAFork(t *testing.T) {
	t.Parallel()
	remote := fakenode.RunConfigT(t, fakenode.Config{ChainID: 77, GasLimit: 20_000_000})
	remote.Seal()
	fork := func(c fakenode.Config) *fakenode.Node {
		c.Fork = &fakenode.Fork{URL: remote.URL()}
		return fakenode.RunConfigT(t, c)
	}
	as := fork(fakenode.Config{})
	require.EqualValues(t, 77, as.ChainID())
	require.EqualValues(t, 20_000_000, as.Moment().Latest().Header().GasLimit)
	require.Equal(t, remote.Moment().Latest().Hash(), as.Moment().Latest().Hash())
	as.Seal()
	require.EqualValues(t, 20_000_000, as.Moment().Latest().Header().GasLimit)
	require.EqualValues(t, 88, fork(fakenode.Config{ChainID: 88}).ChainID())
	require.EqualValues(t, 77, fork(fakenode.Config{Preset: fakenode.Anvil}).ChainID())
	require.EqualValues(t, 31337, fork(fakenode.Config{Preset: fakenode.Hardhat}).ChainID())

	given := fork(fakenode.Config{GasLimit: 25_000_000, BaseFee: uint256.NewInt(7)})
	given.Seal()
	header := given.Moment().Latest().Header()
	require.EqualValues(t, 25_000_000, header.GasLimit)
	require.EqualValues(t, 7, header.BaseFee.Uint64())
	require.NotNil(t, given.Fork())
	require.Nil(t, remote.Fork())
}
