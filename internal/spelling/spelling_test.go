package spelling_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/spelling"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	names := []string{"eth_getLogs", "eth_getCode", "eth_call", "evm_mine"}
	for mistyped, want := range map[string]string{
		"eth_getlog":               "eth_getLogs",
		"eth_getLogs":              "eth_getLogs",
		"eth_cal":                  "eth_call",
		"evm-mine":                 "evm_mine",
		"eth_getTheLogs":           "eth_getLogs", // of a long name a third may differ
		"eth_getAllTheLogs":        "",
		"anvil_mine":               "",
		"starknet_chainId":         "",
		"":                         "",
		strings.Repeat("e", 1<<20): "",
	} {
		require.Equal(t, want, spelling.Nearest(mistyped, slices.Values(names)))
		slices.Reverse(names) // the order of the names does not matter
		require.Equal(t, want, spelling.Nearest(mistyped, slices.Values(names)))
	}
}
