package console_test

import (
	"bytes"
	"math/big"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/console"
)

// logged returns the data of a call of the console's function log with arguments of these types, which stand between
// commas.
func logged(t *testing.T, types string, values ...any) []byte {
	t.Helper()
	var arguments abi.Arguments
	for name := range strings.SplitSeq(types, ",") {
		if name != "" {
			kind, err := abi.NewType(name, "", nil)
			require.NoError(t, err)
			arguments = append(arguments, abi.Argument{Type: kind})
		}
	}
	packed, err := arguments.Pack(values...)
	require.NoError(t, err)
	return append(crypto.Keccak256([]byte("log(" + types + ")"))[:4], packed...)
}

// Ensure an argument of each type is written as Hardhat writes it, at the edges of the type.
func TestLineOfEachType(t *testing.T) {
	t.Parallel()
	top := new(big.Int).Lsh(common.Big1, 255) // 2^255
	most := new(big.Int).Sub(new(big.Int).Lsh(common.Big1, 256), common.Big1)
	account := common.HexToAddress("0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826")
	for _, tc := range []struct {
		types  string
		values []any
		want   string
	}{
		{"", nil, ""},
		{"uint256", []any{new(big.Int)}, "0"},
		{"uint256", []any{most}, most.String()},
		{"int256", []any{big.NewInt(-1)}, "-1"},
		{"int256", []any{new(big.Int).Sub(top, common.Big1)}, new(big.Int).Sub(top, common.Big1).String()},
		{"int256", []any{new(big.Int).Neg(top)}, new(big.Int).Neg(top).String()},
		{"bool", []any{true}, "true"},
		{"bool", []any{false}, "false"},
		{"address", []any{account}, "0xcd2a3d9f938e13cd947ec05abc7fe734df8dd826"},
		{"string", []any{"héllo %s"}, "héllo %s"},
		{"string", []any{""}, ""},
		{"string", []any{"a\xff\xfeb"}, "a\uFFFDb"},
		{"bytes", []any{[]byte{}}, "0x"},
		{"bytes", []any{bytes.Repeat([]byte{0xab}, 33)}, "0x" + strings.Repeat("ab", 33)},
		{"bytes1", []any{[1]byte{0x12}}, "0x12"},
		{"bytes20", []any{[20]byte{0x12, 19: 0x34}}, "0x12" + strings.Repeat("0", 36) + "34"},
		{"bytes32", []any{[32]byte{0x12, 31: 0x34}}, "0x12" + strings.Repeat("0", 60) + "34"},
		{"string,int256", []any{"n =", big.NewInt(-7)}, "n = -7"},
		{"uint256,string,bool,address", []any{common.Big1, "a", true, account}, "1 a true " + strings.ToLower(account.Hex())},
		{"address,bool,string,uint256", []any{account, false, "b", common.Big2}, strings.ToLower(account.Hex()) + " false b 2"},
		{"string,string,string,string", []any{"%s-%s", "a", "b", "c"}, "a-b c"},
		{"bool,bool", []any{true, false}, "true false"},
	} {
		require.Equal(t, tc.want, console.Line(logged(t, tc.types, tc.values...)), "%s %v", tc.types, tc.values)
	}
	old := append(crypto.Keccak256([]byte("log(uint)"))[:4], common.BigToHash(common.Big3).Bytes()...)
	require.Equal(t, "3", console.Line(old), "the names of libraries from before 2022")
	old = append(crypto.Keccak256([]byte("log(string,uint)"))[:4], logged(t, "string,uint256", "at", common.Big3)[4:]...)
	require.Equal(t, "at 3", console.Line(old))
	old = append(crypto.Keccak256([]byte("log(int)"))[:4], common.MaxHash.Bytes()...)
	require.Equal(t, "-1", console.Line(old))
	truth := append(logged(t, "bool", true)[:4], common.Hash{31: 2}.Bytes()...)
	require.Equal(t, "true", console.Line(truth), "any number but 0")
}

// Ensure data that are no call of the console, or are cut short at any byte, are shown in hex.
func TestLineOfOtherData(t *testing.T) {
	t.Parallel()
	for _, data := range [][]byte{nil, {1}, {1, 2, 3}, {1, 2, 3, 4}, bytes.Repeat([]byte{7}, 36)} {
		require.Equal(t, hexutil.Encode(data), console.Line(data))
	}
	for _, unknown := range []string{"bytes33", "bytes0", "int256,int256", "string,bytes", "uint256,uint256,uint256,uint256,uint256", "uint8"} {
		data := append(crypto.Keccak256([]byte("log(" + unknown + ")"))[:4], make([]byte, 160)...)
		require.Equal(t, hexutil.Encode(data), console.Line(data), unknown)
	}
	for _, whole := range [][]byte{
		logged(t, "uint256", common.Big1), logged(t, "string", "abc"), logged(t, "uint256,string", common.Big1, "abcdef"), logged(t, "bytes32", [32]byte{1}),
	} {
		content := len(bytes.TrimRight(whole, "\x00")) // a string needs no padding behind it
		if len(whole) == 36 {
			content = 36
		}
		for length := range len(whole) {
			shown := console.Line(whole[:length])
			require.Equal(t, length < content, shown == hexutil.Encode(whole[:length]), "%d of %d bytes: %s", length, len(whole), shown)
		}
	}
	text := func(at, size common.Hash) string {
		data := append(logged(t, "string", "")[:4], at[:]...)
		return console.Line(append(append(data, size[:]...), "abc"...))
	}
	place, none := common.Hash{31: 0x20}, "0x41304fac"
	require.Equal(t, "abc", text(place, common.Hash{31: 3}))
	require.Equal(t, "ab", text(place, common.Hash{31: 2}))
	for _, far := range []common.Hash{{31: 4}, {27: 1, 31: 3}, {0: 1, 31: 3}, common.MaxHash} {
		require.True(t, strings.HasPrefix(text(place, far), none), far)
	}
	for _, far := range []common.Hash{{31: 0x24}, {27: 1, 31: 0x20}, {0: 1, 31: 0x20}, common.MaxHash} {
		require.True(t, strings.HasPrefix(text(far, common.Hash{31: 3}), none), far)
	}
}

// Ensure the first argument's placeholders take the next ones as Node.js' util.format has it.
func TestPlaceholders(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ want, first, second string }{
		{"a b", "a", "b"}, {"a ", "a", ""}, {" b", "", "b"}, {"100% a", "100%", "a"}, {"% a", "%% %s", "a"}, {"% a", "%", "a"},
		{"a%s", "%s%s", "a"}, {"%x a", "%x", "a"}, {"éü", "é%s", "ü"}, {"x-a-y", "x-%s-y", "a"}, {"%% a", "%%%%", "a"},
		{"12", "%d", "12"}, {"x", "%d", "x"}, {"3.7", "%i", "3.7"}, {"|", "%c|", "color: red"},
		{"12.5", "%f", "12.50abc"}, {"1e+21", "%f", "1e21"}, {"999999999999999900000", "%f", "999999999999999900000"},
		{"1.2345678901234568e+29", "%f", "123456789012345678901234567890"}, {"1e-7", "%f", "0.0000001"}, {"2.5e-7", "%f", "2.5e-7"},
		{"0.000001", "%f", "0.000001"}, {"-0", "%f", "-0"}, {"0", "%f", "0"}, {"-Infinity", "%f", "-Infinityx"}, {"Infinity", "%f", "Infinity"},
		{"7", "%f", " +7."}, {"0.0005", "%f", ".5e-3"}, {"NaN", "%f", "x"}, {"NaN", "%f", ""}, {"Infinity", "%f", "1e400"},
		{"-Infinity", "%f", "-1e400"}, {"0", "%f", "1e-400"}, {"1", "%f", "1e"}, {"0", "%f", "0x10"}, {"1500", "%f", "1.5E3"},
		{"-1e+21", "%f", "-1e21"}, {"-1e-7", "%f", "-1e-7"}, {"1e+100", "%f", "1e100"}, {"1e-10", "%f", "1e-10"},
		{`"a\"<b>\n"`, "%j", "a\"<b>\n"}, {`'a'`, "%o", "a"}, {`''`, "%O", ""}, {`"it's"`, "%o", "it's"}, {"`'\"`", "%o", `'"`},
		{"'\\'\"`'", "%O", "'\"`"}, {"'\\'\"${x}'", "%o", "'\"${x}"}, {`"'${x}"`, "%o", "'${x}"},
		{`'a\\b\n\t\r\b\f\x0B\x01\x1F\x7F\x00'`, "%o", "a\\b\n\t\r\b\f\v\x01\x1f\x7f\x00"}, {`'a b~'`, "%o", "a b~"},
	} {
		require.Equal(t, tc.want, console.Line(logged(t, "string,string", tc.first, tc.second)), "%q, %q", tc.first, tc.second)
	}
	require.Equal(t, "%% %s", console.Line(logged(t, "string", "%% %s")), "alone it is as it is")
	require.Equal(t, "a, b c", console.Line(logged(t, "string,string,string,string", "%s, %s", "a", "b", "c")))
	require.Equal(t, "1 is 0x0000000000000000000000000000000000000000", console.Line(logged(t, "string,uint256,address", "%d is %s", common.Big1, common.Address{})))
	require.Equal(t, "7 %s", console.Line(logged(t, "uint256,string", big.NewInt(7), "%s")), "those behind the first are not read")
}
