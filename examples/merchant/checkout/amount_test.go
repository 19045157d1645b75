package checkout

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure an amount that was read is written as it was meant, to the last unit.
func TestAmount(t *testing.T) {
	t.Parallel()
	for amount, want := range map[string]string{
		"25.00":    "25.000000",
		"0.000001": "0.000001",
		"007":      "7.000000",
		"1000000":  "1000000.000000",
		"0.1":      "0.100000",
		"57896044618658097711785492504343953926634992332820282019728792003956564.819967": "57896044618658097711785492504343953926634992332820282019728792003956564.819967",
	} {
		units, err := parseAmount(amount)
		require.NoError(t, err)
		require.Equal(t, want, formatAmount(units))
	}
	for _, amount := range []string{
		"", ".", "1.", ".5", "1.0000001", "1,5", "+1", "1e6", "0x1", " 1", "0", "0.000000",
		"57896044618658097711785492504343953926634992332820282019728792003956564.819968",
	} {
		_, err := parseAmount(amount)
		require.Error(t, err, "%q", amount)
	}
}
