package dialect

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure an estimate may be above the least gas by Hardhat's own tolerance, at both sides of each of its steps.
func TestToleranceOfEstimates(t *testing.T) {
	t.Parallel()
	for low, want := range map[uint64]uint64{
		0: 200, 29_999: 200, 30_000: 300, 49_999: 300, 50_000: 500, 99_999: 500, 100_000: 1_000, 999_999: 1_000,
		1_000_000: 10_000, 3_999_999: 10_000, 4_000_000: 50_000, math.MaxUint64: 50_000,
	} {
		require.Equal(t, want, hardhatTolerance(low), low)
	}
}

// Ensure a replacement pays a tenth more, rounded up.
func TestFeeOfReplacement(t *testing.T) {
	t.Parallel()
	for fee, want := range map[int64]int64{0: 0, 1: 2, 9: 10, 10: 11, 11: 13, 20: 22, 21: 24, 1_000_000_000: 1_100_000_000} {
		given := big.NewInt(fee)
		require.Equal(t, want, hardhatBump(given).Int64(), fee)
		require.Equal(t, fee, given.Int64(), "left as it is")
	}
}

// Ensure words have 64 digits, and that as many steps are kept as have room, each with 256 bytes for itself and 67 for
// each word of it.
func TestStepsHaveRoom(t *testing.T) {
	t.Parallel()
	digits := strings.Repeat("0", 63)
	require.Equal(t, []string{digits + "a", digits + "0", strings.Repeat("0", 64), strings.Repeat("f", 64)},
		hardhatWords64([]string{"0xa", "0", "", "0x" + strings.Repeat("f", 64)}))
	require.Equal(t, []string{}, hardhatWords64(nil))
	steps := func() *hardhatTraceResult {
		return &hardhatTraceResult{ReturnValue: "0x", StructLogs: []*hardhatStep{
			{Depth: 1, Op: "PUSH1", Stack: []string{"0x1"}, Memory: []string{"0x2"}},
			{Depth: 1, Op: "SSTORE", Stack: []string{"0x1", "0x2"}, Storage: map[string]string{"1": "2"}},
			{Depth: 1, Op: "STOP"},
		}}
	}
	first, second, third := 256+2*67, 256+4*67, 256+2*67 // the storage stays
	for room, kept := range map[int]int{
		0: 0, first - 1: 0, first: 1, first + second - 1: 1, first + second: 2, first + second + third - 1: 2,
		first + second + third: 3, 1 << 20: 3,
	} {
		is := steps()
		is.rewrite(new(hardhatTraceConfig), room)
		require.Len(t, is.StructLogs, kept, "%d bytes", room)
		require.Empty(t, is.ReturnValue)
		if kept == 3 {
			require.Equal(t, map[string]string{}, is.StructLogs[0].Storage)
			require.Equal(t, map[string]string{digits + "1": digits + "2"}, is.StructLogs[2].Storage)
			require.Equal(t, []string{digits + "1", digits + "2"}, is.StructLogs[1].Stack)
		}
	}
}

// Ensure anvil's quantities are rewritten wherever an object has them, and nothing else is.
func TestCanonicalQuantities(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		`{"value":12,"gas":"0012","nonce":"0x0c"}`:         `{"value":"0xc","gas":"0xc","nonce":"0xc"}`,
		`{"value":"0x","gas":0}`:                           `{"value":"0x0","gas":"0x0"}`,
		`{"value":null,"gas":-1,"nonce":"x","type":1.5}`:   `{"value":null,"gas":-1,"nonce":"x","type":1.5}`,
		`{"data":12,"calls":[{"value":1},[{"gas":2}]]}`:    `{"data":12,"calls":[{"value":"0x1"},[{"gas":"0x2"}]]}`,
		`{"authorizationList":[{"r":"01","yParity":1}]}`:   `{"authorizationList":[{"r":"0x1","yParity":"0x1"}]}`,
		`{"chainId":115792089237316195423570985008687907}`: `{"chainId":"0x164cfda3281e38c38abe071646eb23"}`,
		`"text"`: `"text"`, `7`: `7`, `null`: `null`,
	} {
		params := canonical([][]byte{[]byte(given), []byte(`{"value":1}`)})
		require.JSONEq(t, want, string(params[0]))
		require.Equal(t, `{"value":1}`, string(params[1]), "the first parameter alone")
	}
	require.Empty(t, canonical(nil))
	require.Equal(t, "{", string(canonical([][]byte{[]byte("{")})[0]), "what is not JSON is left to others")
	for given, want := range map[string]anyID{
		`"0x0"`: 0, `7`: 7, `"0x07"`: 7, `"x"`: math.MaxUint64, `-1`: math.MaxUint64, `null`: math.MaxUint64, `{}`: math.MaxUint64,
		`18446744073709551615`: math.MaxUint64, `18446744073709551616`: math.MaxUint64,
	} {
		var id anyID
		require.NoError(t, id.UnmarshalJSON([]byte(given)))
		require.Equal(t, want, id, given)
	}
}
