package persona_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/persona"
)

// Ensure every node that one can be like is written by its name, and each of its values is read as it is written:
// without a preset that has it, too.
func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	names := persona.Names()
	for i, name := range names {
		var text strings.Builder
		require.NoError(t, persona.Named(name).Write(&text))
		require.Equal(t, "{\n  \"like\": \""+name+"\"\n}\n", text.String())

		for distance := 1; distance < 4; distance++ {
			mixed := *persona.Named(name) // the values of two
			mixed.Fill(*persona.Named(names[(i+distance)%len(names)]))
			text.Reset()
			require.NoError(t, mixed.Write(&text))
			read, err := persona.Read(strings.NewReader(text.String()), time.Time{})
			require.NoError(t, err)
			require.Equal(t, mixed, read, text.String())
		}
	}
}

// Ensure an entry of the superchain registry is read with the hard fork of the time, and what it does not say is OP
// Mainnet's.
func TestReadEntry(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/ink.toml")
	require.NoError(t, err)
	read, err := persona.Read(strings.NewReader(string(text)), time.Unix(1783526401, 0))
	require.NoError(t, err)
	want := persona.Optimism
	want.ChainID, want.BlockTime, want.GasLimit, want.Rules = 57073, time.Second, 30_000_000, "karst"
	want.Fees.Elasticity, want.L1Scalars = 6, [2]uint32{1368, 810_949}
	want.Bridge.At = l1.Addresses{
		Portal:         common.HexToAddress("0x5d66C1782664115999C47c9fA5cd031f495D3e4F"),
		StandardBridge: common.HexToAddress("0x88FF1e5b602916615391F55854588EFcBB7663f0"),
		Messenger:      l1.Optimism.Messenger,
		Factory:        common.HexToAddress("0x10d7B35078d3baabB96Dd45a9143B94be65b12CD"),
		Registry:       l1.Optimism.Registry,
		SystemConfig:   common.HexToAddress("0x62C0a111929fA32ceC2F76aDba54C16aFb6E8364"),
	}
	require.Equal(t, want, read)

	read, err = persona.Read(strings.NewReader(string(text)), time.Unix(1783526400, 0))
	require.NoError(t, err)
	require.Equal(t, "jovian", read.Rules)
	_, err = persona.Read(strings.NewReader(string(text)), time.Unix(1764691200, 0))
	require.EqualError(t, err, "hardforks: the newest that has begun by 2025-12-02 is none of jovian_time, azul_time, karst_time, denim_time, lagoon_time")
}

// Ensure a file changes no preset that it is like.
func TestReadChangesNoPreset(t *testing.T) {
	t.Parallel()
	read, err := persona.Read(strings.NewReader(`{"like": "optimism", "min-base-fee": 7}`), time.Time{})
	require.NoError(t, err)
	require.EqualValues(t, 7, *read.Fees.MinBaseFee)
	require.Zero(t, *persona.Optimism.Fees.MinBaseFee)
}

// Ensure what is wrong in a file is named with its member, and what that may be.
func TestReadMistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"like": "ink"}`:                  `like: "ink": want "dev", "base", "base-flashblocks", "optimism", "unichain", "megaeth", "rise", "arc", "monad", "anvil" or "hardhat"`,
		`{"blok-time": "1s"}`:              `blok-time: unknown: did you mean block-time?`,
		`{"block-time": "1"}`:              `block-time: "1": want a time with its unit, such as 2s or 200ms`,
		`{"flashblock-time": -1}`:          `flashblock-time: -1: want a time with its unit, such as 2s or 200ms`,
		`{"seal": "never"}`:                `seal: "never": want "interval", "instant" or "manual"`,
		`{"chain-id": "7"}`:                `chain-id: "7": want a whole number up to 18446744073709551615`,
		`{"fee-elasticity": 4294967296}`:   `fee-elasticity: 4294967296: want a whole number up to 4294967295`,
		`{"safe-lag": 1.5}`:                `safe-lag: 1.5: want a whole number up to 18446744073709551615`,
		`{"max-batch": true}`:              `max-batch: true: want a whole number up to 9223372036854775807`,
		`{"pending-pool": "yes"}`:          `pending-pool: "yes": want true or false`,
		`{"client-version": 1}`:            `client-version: 1: want a text`,
		`{"chain-id": 1, "chain-id": 2}`:   `duplicate object member name "chain-id"`,
		`name = "Ink"`:                     `chain_id: missing: want the id of the chain`,
		`nothing`:                          `neither a JSON object nor an entry of the superchain registry`,
		`chain_id = 7` + "\nblock_time=''": `block_time`,
	} {
		_, err := persona.Read(strings.NewReader(text), time.Time{})
		require.ErrorContains(t, err, want, text)
	}
}
