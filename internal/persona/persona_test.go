package persona

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a live chain has no other values than those whose facts docs/maintainers/facts.md lists: a new one needs a row
// there, and a question in the test of internal/tool/facts.
func TestLiveChainsHaveFacts(t *testing.T) {
	t.Parallel()
	listed := map[string]bool{
		"ChainID": true, "TestnetID": true, "Bridge": true, "Rules": true, "BlockTime": true, "FlashblockTime": true, "GasLimit": true,
		"Fees": true, "L1Scalars": true, "Wire": true, "Frames": true, "Token": true, "X402Assets": true,
	}
	for _, name := range []string{"base", "base-flashblocks", "optimism", "unichain"} {
		values := reflect.ValueOf(*Named(name))
		for i := range values.NumField() {
			field := values.Type().Field(i).Name
			require.True(t, listed[field] || values.Field(i).IsZero(), "%s: %s", name, field)
		}
	}
}

// Ensure a value that is left out is filled in, at any depth, and one that is given stays.
func TestFill(t *testing.T) {
	t.Parallel()
	p := Persona{ChainID: 7, Fees: Fees{Elasticity: 2}}
	p.Fill(Optimism)
	require.EqualValues(t, 7, p.ChainID)
	require.Equal(t, Optimism.TestnetID, p.TestnetID)
	require.Equal(t, Fees{Denominator: 250, Elasticity: 2, MinBaseFee: new(uint64)}, p.Fees)
	require.Equal(t, Optimism.Bridge, p.Bridge)
	require.Nil(t, Named("arbitrum"))
}
