package parity

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a row's method holds under its conditions alone.
func TestRowConditions(t *testing.T) {
	t.Parallel()
	calls, err := parseCalls(`evm_setAutomine[false] ; eth_call[{"to":"0x1","gas":"0x5208"},"pending"]`)
	require.NoError(t, err)
	for method, want := range map[string]bool{
		"eth_call":                               true,
		"eth_*":                                  true,
		"debug_*":                                false,
		"eth_call pending":                       true,
		"eth_call latest":                        false,
		"eth_call !latest":                       true,
		"eth_call !pending":                      false,
		"eth_call after evm_set*":                true,
		"eth_call after eth_call":                false,
		`eth_call with "gas":`:                   true,
		`eth_call with "data":`:                  false,
		`eth_call without "gas":`:                false,
		`eth_call pending and without "data":`:   true,
		"eth_call latest and after *setAutomine": false,
	} {
		row := Row{Methods: []string{method}, Where: []string{"result"}, Ours: []string{"0x", "*"}, Theirs: []string{"*"}}
		require.Equal(t, want, row.lists(Difference{Method: "eth_call", Where: "result", Ours: `"0x"`, Theirs: `"0x1"`, Calls: calls}), method)
	}
}
