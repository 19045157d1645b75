package keeping_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
)

// describe returns the state of a node and its worlds as text: blocks with their states, orphans, pool, pending block,
// clock.
func describe(t *testing.T, node *fakenode.Node) string {
	t.Helper()
	var text strings.Builder
	networks := func(n *fakenode.Node) {
		for _, network := range []*fakenode.Network{n.Network, n.Testnet()} {
			m := network.Moment()
			for number := m.Sealed().Base(); number <= m.Sealed().Head().Number(); number++ {
				block := m.Sealed().BlockByNumber(number)
				state, err := m.Sealed().StateAt(block)
				require.NoError(t, err)
				fmt.Fprintf(&text, "block %d %s state %s\n", number, block.Hash(), state.Root())
			}
			for _, orphan := range m.Sealed().Orphans() {
				fmt.Fprintf(&text, "orphan %s\n", orphan.Hash())
			}
			fmt.Fprintf(&text, "clock %d safe %d pending %d\n", m.Now().UnixNano(), m.Safe().Number(), m.Pending().Header().Number)
			for _, tx := range m.Pending().Transactions() {
				if evmstate.Signed(tx) != nil { // the fixtures list no deposits
					fmt.Fprintf(&text, "pre-confirmed %s\n", tx.Hash())
				}
			}
			for _, pooled := range m.Pool() {
				raw, err := pooled.Tx.MarshalBinary()
				require.NoError(t, err)
				fmt.Fprintf(&text, "pooled %x\n", raw)
			}
		}
	}
	networks(node)
	for _, w := range worldsOf(t, node) {
		fmt.Fprintf(&text, "world %s of %.0f\n", w["name"], w["createdMs"])
		networks(node.World(w["name"].(string)))
	}
	return text.String()
}

// unpacked returns the path of a copy of a file in testdata/kept.
func unpacked(t *testing.T, name string) string {
	t.Helper()
	packed, err := os.Open(filepath.Join("testdata", "kept", name+".gz"))
	require.NoError(t, err)
	defer packed.Close()
	reader, err := gzip.NewReader(packed)
	require.NoError(t, err)
	data, err := io.ReadAll(reader)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, data, 0o600))
	return path
}

// Ensure files that were written before this code was changed are read as they were meant: an OP-stack chain and a
// fork, with orphans, a pending block, a pool, and worlds, one of which is a copy of a world that was closed.
func TestStateOfEarlierFile(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]fakenode.Config{
		"own":  {Preset: fakenode.BaseFlashblocks, Accounts: 5, Contracts: fakenode.NoContracts},
		"fork": {Accounts: 5, Fork: &fakenode.Fork{Offline: true}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config.State = unpacked(t, name+".db")
			if config.Fork != nil {
				config.Fork.CacheFile = unpacked(t, name+".jsonl")
			}
			want, err := os.ReadFile(filepath.Join("testdata", "kept", name+".txt"))
			require.NoError(t, err)
			for range 2 { // it is written to in between
				node := fakenode.RunConfigT(t, config)
				require.Equal(t, string(want), describe(t, node))
				require.NoError(t, node.Close())
			}
		})
	}
}

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
