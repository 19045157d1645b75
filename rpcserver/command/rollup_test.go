package command_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// Ensure what an OP-stack chain has no answer to is an error that says why.
func TestNotOnARollup(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.BaseFlashblocks})
	attributes := map[string]any{
		"timestamp": "0xffffffff", "prevRandao": common.Hash{}, "suggestedFeeRecipient": common.Address{}, "withdrawals": []any{}, "parentBeaconBlockRoot": common.Hash{},
	}
	for method, c := range map[string]struct {
		parameters []any
		why        string
	}{
		"testing_buildBlockV1":  {[]any{node.Moment().Latest().Hash(), attributes, []any{}, "0x"}, "holds no deposits"},
		"fakenode_compareForks": {[]any{map[string]any{"forks": []string{"cancun"}}}, "not the hard forks of ethereum"},
		"fakenode_weather":      {[]any{map[string]any{"of": "blobBaseFee", "shape": "spike", "to": 5, "blocks": 2}}, "blocks have no blobs"},
	} {
		require.ErrorContains(t, node.Client().Client().Call(nil, method, c.parameters...), c.why, method)
	}
	large := map[string]any{"from": fixtures.Dev(0).Address, "to": fixtures.Dev(1).Address, "gas": 15_000_000}
	for range 2 {
		require.NoError(t, node.Client().Client().Call(nil, "fakenode_deposit", large))
	}
	large["gas"] = 21_000
	err := node.Client().Client().Call(nil, "fakenode_deposit", large)
	require.ErrorContains(t, err, "deposits of 30021000 gas wait for the next block, above the limit of 30000000")
	node.Seal()
	require.NoError(t, node.Client().Client().Call(nil, "fakenode_deposit", large))
}
