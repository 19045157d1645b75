package optimism_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// Ensure a deposit is taken at each limit that the portal on L1 has, and refused one beyond it with both numbers.
func TestRollupDepositLimits(t *testing.T) {
	t.Parallel()
	deposit := func(gas, bytes int) json.RawMessage {
		return json.RawMessage(fmt.Sprintf(
			`{"from": "0x0000000000000000000000000000000000000001", "to": "0x0000000000000000000000000000000000000002", "gas": %d, "data": "0x%s"}`,
			gas, strings.Repeat("00", bytes),
		))
	}
	for _, c := range []struct {
		gas, bytes int
		why        string // "": it is taken
	}{
		{21_000, 0, ""},
		{20_999, 0, "gas 20999 is not between 21000 and 20000000"},
		{21_000 + 40*100, 100, ""},
		{21_000 + 40*100 - 1, 100, "gas 24999 is not between 25000 and 20000000"},
		{20_000_000, 0, ""},
		{20_000_001, 0, "gas 20000001 is not between 21000 and 20000000"},
		{5_000_000, 120_000, ""},
		{5_000_000, 120_001, "data of 120001 bytes is above the limit of 120000"},
	} {
		r := newRollup(t, fakenode.Config{})
		err := r.rpc.Call(nil, "fakenode_deposit", deposit(c.gas, c.bytes))
		r.Seal()
		if c.why != "" {
			require.ErrorContains(t, err, c.why)
			require.Len(t, r.block("latest").Transactions, 1)
			continue
		}
		require.NoError(t, err)
		require.Len(t, r.block("latest").Transactions, 2)
	}
	number := func(bits uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), bits) }
	for text, d := range map[string]*optimism.Deposit{
		"value <nil> is not a 256-bit number":                        {},
		"value -1 is not a 256-bit number":                           {Value: big.NewInt(-1)},
		"value " + number(256).String() + " is not a 256-bit number": {Value: number(256)},
		"mint -1 is not a 128-bit number":                            {Value: new(big.Int), Mint: big.NewInt(-1)},
		"mint " + number(128).String() + " is not a 128-bit number":  {Value: new(big.Int), Mint: number(128)},
	} {
		d.Gas = 21_000
		require.EqualError(t, d.Check(), text)
	}
	require.NoError(t, (&optimism.Deposit{Gas: 21_000, Value: new(big.Int).Sub(number(256), big.NewInt(1)), Mint: new(big.Int).Sub(number(128), big.NewInt(1))}).Check())
}
