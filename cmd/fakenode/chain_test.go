package main

import (
	"bytes"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"
)

// registryEntry is Ink's entry of the superchain registry.
const registryEntry = "../../internal/persona/testdata/ink.toml"

// shownChain returns a file with the chain of one's own that docs/optimism.md shows.
func shownChain(t *testing.T) string {
	text, err := os.ReadFile("../../docs/optimism.md")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?s)\n```json\n(.*?)```\n").FindSubmatch(text)
	require.NotNil(t, shown)
	file := filepath.Join(t.TempDir(), "chain.json")
	require.NoError(t, os.WriteFile(file, shown[1], 0o600))
	return file
}

// Ensure a node is the chain of one's own that docs/optimism.md shows, and writes it as it was.
func TestChain(t *testing.T) {
	t.Parallel()
	file, written := shownChain(t), filepath.Join(t.TempDir(), "written.json")
	p := start(t, "--chain", file, "--chain-out", written, "--seal", "manual")
	id, err := p.dial(t).ChainID(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 7107734, id.Uint64())
	genesis, err := p.dial(t).HeaderByNumber(t.Context(), nil)
	require.NoError(t, err)
	require.EqualValues(t, 30_000_000, genesis.GasLimit)
	require.Contains(t, hexutil.Encode(genesis.Extra), "000000fa"+"00000006"+"00000000000f4240", "denominator, elasticity, least base fee")
	p.end(t)
	text, err := os.ReadFile(written)
	require.NoError(t, err)
	require.JSONEq(t, `{
		"like": "optimism", "chain-id": 7107734, "testnet-id": 7107735, "fee-elasticity": 6, "min-base-fee": 1000000,
		"l1-scalars": [1368, 810949], "gas-limit": 30000000, "seal": "manual", "block-time": "1s", "flashblock-time": "250ms",
		"preconf": "flashblocks", "token": "documented"
	}`, string(text))
}

// Ensure Ink's entry of the superchain registry, as its maintainers publish it, makes a node; flags win over it.
func TestChainOfRegistry(t *testing.T) {
	t.Parallel()
	p := start(t, "--chain", registryEntry, "--start-time", "1783526401", "--gas-limit", "40000000")
	id, err := p.dial(t).ChainID(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 57073, id.Uint64())
	genesis, err := p.dial(t).HeaderByNumber(t.Context(), new(big.Int))
	require.NoError(t, err)
	require.EqualValues(t, 40_000_000, genesis.GasLimit)
	require.Contains(t, hexutil.Encode(genesis.Extra), "000000fa"+"00000006"+"0000000000000000")
	p.end(t)
}

// Ensure what is wrong with a chain of one's own is named with its file, and that a preset beside it is rejected.
func TestChainMistakes(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "chain.json")
	for text, want := range map[string]string{
		`{"gas-limit": "many"}`: `gas-limit: "many": want a whole number up to 18446744073709551615`,
		`{"gas-limit": 7}`:      `gas limit 7 is below 5000`,
		`{"rules": "bedrock"}`:  `rules "bedrock" of the chain are unknown: want "ethereum", "op", "jovian", "azul", "karst", "denim", "lagoon"`,
		`{"block-time": "1us"}`: `block time 1µs is not between 1ms and`,
	} {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		require.Contains(t, rejected(t, "--chain", file), "fakenode: --chain: "+file+": chain: "+want)
	}
	require.Contains(t, rejected(t, "--chain", registryEntry, "--preset", "base"), `preset "base" given with a chain of one's own: give either`)
}

// rejected returns the error that the program prints of arguments that it rejects.
func rejected(t *testing.T, args ...string) string {
	var stderr bytes.Buffer
	require.Equal(t, exitUsage, run(t.Context(), args, nil, io.Discard, &stderr))
	return stderr.String()
}
