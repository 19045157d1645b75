package keeping_test

import (
	"bytes"
	"math/big"
	"path/filepath"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure a file is taken with the chain id, the genesis and the rules that it has, or with none given, and refused with
// others: the error names both.
func TestFileIsAsExpected(t *testing.T) {
	t.Parallel()
	genesis := func(wei int64) *fakenode.Genesis {
		return fakenode.NewGenesis(types.GenesisAlloc{{0xaa}: {Balance: big.NewInt(wei)}})
	}
	own, other := fakenode.RunConfigT(t, fakenode.Config{Genesis: genesis(1)}), fakenode.RunConfigT(t, fakenode.Config{Genesis: genesis(2)})
	block := func(n *fakenode.Node) string { return n.Moment().Chain().BlockByNumber(0).Hash().Hex() }
	type change = func(*fakenode.Config)
	rules := func(r fakenode.Rules) change { return func(c *fakenode.Config) { c.Rules = r } }
	id := func(id uint64) change { return func(c *fakenode.Config) { c.ChainID = id } }
	for name, c := range map[string]struct {
		made   change
		taken  []change
		others map[string]change
	}{
		"ethereum": {rules(fakenode.EthereumRules), []change{rules(fakenode.EthereumRules), rules(""), id(8453)}, map[string]change{
			`rules "karst" differ from "ethereum", those of PATH`: rules(fakenode.KarstRules),
			`chain id 8454 differs from 8453, that of PATH`:       id(8454),
			`chain id 1 differs from 8453, that of PATH`:          id(1),
		}},
		"karst": {rules(fakenode.KarstRules), []change{rules(fakenode.KarstRules), rules("")}, map[string]change{
			`rules "ethereum" differ from "karst", those of PATH`: rules(fakenode.EthereumRules),
			`rules "denim" differ from "karst", those of PATH`:    rules(fakenode.DenimRules),
		}},
		"genesis": {func(c *fakenode.Config) { c.Genesis = genesis(1) }, []change{
			func(c *fakenode.Config) { c.Genesis = genesis(1) }, func(*fakenode.Config) {},
		}, map[string]change{
			"the genesis given has block " + block(other) + ", and that of PATH is " + block(own): func(c *fakenode.Config) { c.Genesis = genesis(2) },
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "state.db")
			config := fakenode.Config{State: path, StartTime: time.Unix(1_800_000_000, 0), Preset: fakenode.BaseFlashblocks}
			if name == "genesis" {
				config.Preset = fakenode.Dev
			}
			with := func(change change) fakenode.Config {
				changed := config
				change(&changed)
				return changed
			}
			node := fakenode.RunConfigT(t, with(c.made))
			head := node.Seal()
			require.NoError(t, node.Close())
			for text, other := range c.others {
				_, err := fakenode.New(with(other))
				require.EqualError(t, err, string(bytes.ReplaceAll([]byte(text), []byte("PATH"), []byte(path))))
			}
			for _, change := range c.taken {
				node := fakenode.RunConfigT(t, with(change))
				require.Equal(t, head, node.Moment().Latest().Hash())
				require.NoError(t, node.Close())
			}
		})
	}
}
