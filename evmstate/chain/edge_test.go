package chain_test

import (
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
)

// forkOfHeader returns the fork of a chain whose block 16 has a gas limit.
func forkOfHeader(t *testing.T, gasLimit uint64) *remote.Fork {
	t.Helper()
	h := &types.Header{Number: big.NewInt(16), Difficulty: new(big.Int), GasLimit: gasLimit, Time: 1}
	text, err := h.MarshalJSON()
	require.NoError(t, err)
	path, hash := filepath.Join(t.TempDir(), "fork.jsonl"), h.Hash().Hex()
	head := `{"chainId":"0x2105","fork":{"hash":"` + hash + `","number":"0x10"}}`
	bare := strings.Replace(string(text), `,"hash":"`+hash+`"`, "", 1)
	line := `{"key":"header 0x10","value":{"hash":"` + hash + `","header":` + bare + `}}`
	require.NoError(t, os.WriteFile(path, []byte(head+"\n"+line+"\n"), 0o600))
	f, err := remote.Open(t.Context(), remote.Config{CacheFile: path})
	require.NoError(t, err)
	return f
}

// Ensure a fork block of which no next one follows is refused with what it lacks.
func TestForkBlocksRefused(t *testing.T) {
	t.Parallel()
	fork := func(gasLimit uint64, name string, o chain.Options) error {
		f := forkOfHeader(t, gasLimit)
		rules, err := chain.ForkConfig(name, f.ChainID())
		require.NoError(t, err)
		_, err = chain.NewFork(f, rules, evmstate.StateFromSource(f.At(f.Number())), o)
		return err
	}
	require.EqualError(t, fork(1, "berlin", chain.Options{}), "fork block 16 has a gas limit of 1, of which no base fee follows")
	require.EqualError(t, fork(30_000_000, "london", chain.Options{}), "fork block 16 has no base fee, which the hard fork asks for")
	require.EqualError(t, fork(30_000_000, "berlin", chain.Options{Optimism: optimism.Karst.DefaultRules()}),
		`a fork follows the rules of ethereum, not "karst"`)
}

// Ensure the name of the rules of a block is that of its fork: the oldest of those that differ in the difficulty alone.
func TestHardforkNames(t *testing.T) {
	t.Parallel()
	same := map[string]string{"muirglacier": "istanbul", "arrowglacier": "london", "grayglacier": "london"}
	for _, name := range []string{
		"frontier", "homestead", "byzantium", "istanbul", "muirglacier", "berlin", "london", "arrowglacier", "grayglacier", "paris",
		"shanghai", "cancun", "prague", "osaka", "amsterdam",
	} {
		config, err := chain.ForkConfig(name, chainID)
		require.NoError(t, err)
		h := &types.Header{Number: big.NewInt(5), Time: genesisTime, Difficulty: new(big.Int)}
		if !config.IsPostMerge(5, genesisTime) {
			h.Difficulty = big.NewInt(1)
		}
		want := name
		if oldest, ok := same[name]; ok {
			want = oldest
		}
		require.Equal(t, want, chain.Hardfork(config, h), name)
	}
}

// Ensure blocks of a chain of an OP stack without the contract of the L1's values are not made at once: nobody knows
// what they change.
func TestNotIdleWithoutL1Block(t *testing.T) {
	t.Parallel()
	c := newChainOf(t, newGenesis(t, "osaka"), chain.Options{Optimism: optimism.Karst.DefaultRules()})
	for range 3 {
		require.Nil(t, c.Idle([]uint64{c.Head().Time() + 12}))
		c, _ = seal(t, draft(t, c, chain.Env{Time: c.Head().Time() + 12}))
	}
}

// Ensure a block of proof of work is refused from Shanghai on, also on a parent that is one.
func TestNoWorkFromShanghai(t *testing.T) {
	t.Parallel()
	config, err := chain.ForkConfig("london", chainID)
	require.NoError(t, err)
	shanghai := uint64(genesisTime + 100)
	config.ShanghaiTime = &shanghai
	g := newGenesis(t, "london")
	g.Config = config
	c := newChainOf(t, g, chain.Options{})
	sealed := func(at uint64) error {
		d := draft(t, c, chain.Env{Time: at})
		h := types.CopyHeader(d.Header())
		h.Difficulty = big.NewInt(131_072)
		_, err := c.ImportBlock(types.NewBlockWithHeader(h))
		return err
	}
	require.ErrorContains(t, sealed(shanghai), "difficulty: got 131072, want 0 from shanghai on")
	require.NotContains(t, fmt.Sprint(sealed(shanghai-1)), "from shanghai on")
}
