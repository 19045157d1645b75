package checkout

import (
	"fmt"
	"strings"

	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/tokencontract"
)

// parseAmount reads a decimal amount such as "25.00" as token units (6 decimals). It takes digits and at most one
// point.
func parseAmount(amount string) (*uint256.Int, error) {
	whole, fraction, point := strings.Cut(amount, ".")
	switch {
	case whole == "" || point && fraction == "" || strings.Trim(whole+fraction, "0123456789") != "":
		return nil, fmt.Errorf("amount %q is not a decimal number", amount)
	case len(fraction) > tokencontract.Decimals:
		return nil, fmt.Errorf("amount %q has more than %d decimals", amount, tokencontract.Decimals)
	}
	digits := strings.TrimLeft(whole+fraction+strings.Repeat("0", tokencontract.Decimals-len(fraction)), "0")
	if digits == "" {
		return nil, fmt.Errorf("amount %q is zero", amount)
	}
	units, err := uint256.FromDecimal(digits)
	if err != nil || units.Gt(tokencontract.MaxBalance) {
		return nil, fmt.Errorf("amount %q is more than the token can hold", amount)
	}
	return units, nil
}

// formatAmount writes token units (6 decimals) as a decimal amount with all its decimals.
func formatAmount(units *uint256.Int) string {
	digits := units.Dec()
	if missing := tokencontract.Decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	point := len(digits) - tokencontract.Decimals
	return digits[:point] + "." + digits[point:]
}
