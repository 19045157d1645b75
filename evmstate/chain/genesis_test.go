package chain_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

func TestGenesisOfPublicNetworks(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		genesis *chain.Genesis
		want    common.Hash
	}{
		"mainnet": {core.DefaultGenesisBlock(), params.MainnetGenesisHash},
		"sepolia": {core.DefaultSepoliaGenesisBlock(), params.SepoliaGenesisHash},
		"hoodi":   {core.DefaultHoodiGenesisBlock(), params.HoodiGenesisHash},
	} {
		c, err := chain.New(test.genesis, chain.Options{})
		require.NoError(t, err, name)
		require.Equal(t, test.want, c.Head().Hash(), name)
	}
}

func TestGenesisOfEveryForkIsGeths(t *testing.T) {
	t.Parallel()
	for _, fork := range chain.ForkNames() {
		g := newGenesis(t, fork)
		g.Alloc[common.Address{0x99}] = types.Account{
			Nonce: 3, Balance: big.NewInt(7), Code: []byte{1, 2}, Storage: map[common.Hash]common.Hash{{1}: {2}, {3}: {}},
		}
		g.Alloc[common.Address{0x98}] = types.Account{} // an empty account stays in the genesis
		require.Equal(t, g.ToBlock().Hash(), newChainOf(t, g, chain.Options{}).Head().Hash(), fork)
	}
}

func TestGenesisRefused(t *testing.T) {
	t.Parallel()
	negative, excess := big.NewInt(-1), uint64(1)
	endless, full := uint64(0xffffffffffff), uint64(1)<<36
	for want, change := range map[string]func(g *chain.Genesis){
		"has no config":                               func(g *chain.Genesis) { g.Config = nil },
		"has no chainId":                              func(g *chain.Genesis) { g.Config.ChainID = nil },
		"chainId 0 is not between 1 and 2^64-1":       func(g *chain.Genesis) { g.Config.ChainID = new(big.Int) },
		"chainId -1 is not between":                   func(g *chain.Genesis) { g.Config.ChainID = negative },
		"chainId 18446744073709551616 is not":         func(g *chain.Genesis) { g.Config.ChainID = new(big.Int).Lsh(common.Big1, 64) },
		"clique":                                      func(g *chain.Genesis) { g.Config.Clique = new(params.CliqueConfig) },
		"genesis number 9223372036854775808 is above": func(g *chain.Genesis) { g.Number = 1 << 63 },
		"gasUsed 1":                                   func(g *chain.Genesis) { g.GasUsed, g.GasLimit = 1, 0 },
		"gasLimit 92233720368547758":                  func(g *chain.Genesis) { g.GasLimit = 1 << 63 },
		"difficulty -1":                               func(g *chain.Genesis) { g.Difficulty = negative },
		"baseFeePerGas -1":                            func(g *chain.Genesis) { g.BaseFee = negative },
		"is not between 0 and 2^255-1":                func(g *chain.Genesis) { g.BaseFee = new(big.Int).Lsh(common.Big1, 255) },
		"unsupported fork ordering":                   func(g *chain.Genesis) { g.Config.LondonBlock = nil },
		"missing entry for fork":                      func(g *chain.Genesis) { g.Config.BlobScheduleConfig = nil },
		"want 1 ≤ max ≤ 1048576 and target ≤ max":     func(g *chain.Genesis) { g.Config.BlobScheduleConfig.Prague = &params.BlobConfig{UpdateFraction: 1} },
		"target 3, max 1048577": func(g *chain.Genesis) {
			g.Config.BlobScheduleConfig.Prague = &params.BlobConfig{Target: 3, Max: 1<<20 + 1, UpdateFraction: 1 << 60}
		},
		"baseFeeUpdateFraction 1: one block could raise": func(g *chain.Genesis) {
			g.Config.BlobScheduleConfig.Prague = &params.BlobConfig{Target: 3, Max: 6, UpdateFraction: 1}
		},
		"excessBlobGas 281474976710655 is not below 150 times": func(g *chain.Genesis) { g.ExcessBlobGas = &endless },
		"excessBlobGas 68719476736 is not below 150 times":     func(g *chain.Genesis) { g.ExcessBlobGas = &full },
		"blobGasUsed 68719476736 is not below 10 times":        func(g *chain.Genesis) { g.BlobGasUsed = &full },
		"no code at 0x00000961Ef480Eb55e80D19ad83579A64c007002": func(g *chain.Genesis) {
			delete(g.Alloc, params.WithdrawalQueueAddress)
		},
		"the contract of consolidation requests (EIP-7251)": func(g *chain.Genesis) {
			g.Alloc[params.ConsolidationQueueAddress] = types.Account{Balance: new(big.Int)}
		},
		"the contract of builder deposits (EIP-8282), and amsterdam": func(g *chain.Genesis) {
			g.Config.AmsterdamTime = new(uint64)
		},
		"fork bogota": func(g *chain.Genesis) { g.Config.BogotaTime = new(uint64) },
		"fork ubt":    func(g *chain.Genesis) { g.Config.UBTTime = new(uint64) },
		"but cancun is not active": func(g *chain.Genesis) {
			g.ExcessBlobGas, g.Timestamp = &excess, 0
			*g.Config.CancunTime = 5
			laterThanCancun(g)
		},
		"balance -1 is not a 256-bit": func(g *chain.Genesis) { g.Alloc[common.Address{1}] = types.Account{Balance: negative} },
	} {
		g := newGenesis(t, "osaka")
		change(g)
		_, err := chain.New(g, chain.Options{})
		require.ErrorContains(t, err, want)
	}
	_, err := chain.New(nil, chain.Options{})
	require.ErrorContains(t, err, "genesis is missing")
	_, err = chain.New(newGenesis(t, "cancun"), chain.Options{Optimism: optimism.Azul.DefaultRules()})
	require.EqualError(t, err, "the rules of optimism need a genesis of number 0 in which prague is active")
}

// laterThanCancun moves the forks behind Cancun to its time.
func laterThanCancun(g *chain.Genesis) {
	g.Config.PragueTime, g.Config.OsakaTime = g.Config.CancunTime, g.Config.CancunTime
}

// Ensure a chain can begin with the lowest and the highest allowed base fee.
func TestGenesisBaseFees(t *testing.T) {
	t.Parallel()
	for _, fee := range []*big.Int{new(big.Int), new(big.Int).Sub(new(big.Int).Lsh(common.Big1, 255), common.Big1)} {
		g := newGenesis(t, "osaka")
		g.BaseFee = fee
		require.Equal(t, fee, newChainOf(t, g, chain.Options{}).Head().Header().BaseFee)
	}
}

// Ensure the highest blob fee that a genesis can start with can be paid with a word, and computing it takes no time.
func TestGenesisHighestBlobFee(t *testing.T) {
	t.Parallel()
	g := newGenesis(t, "cancun")
	excess := 150*params.DefaultCancunBlobConfig.UpdateFraction - 1
	g.ExcessBlobGas = &excess
	fee := draft(t, newChainOf(t, g, chain.Options{}), chain.Env{}).BlobBaseFee()
	require.Greater(t, fee.BitLen(), 200)
	require.LessOrEqual(t, fee.BitLen(), 256)
}
