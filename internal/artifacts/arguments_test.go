package artifacts_test

import (
	"encoding/hex"
	"math"
	"math/big"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/artifacts"
)

// word returns the 32 bytes of a number in hex.
func word(n int64) string {
	w := uint256.MustFromBig(big.NewInt(n)).Bytes32()
	return hex.EncodeToString(w[:])
}

// read writes an artifact and reads it.
func read(t *testing.T, name, content string) *artifacts.Artifact {
	t.Helper()
	a, err := artifacts.Read(filepath.Join(write(t, map[string]string{name: content}), filepath.FromSlash(name)))
	require.NoError(t, err)
	return a
}

// Ensure the arguments of a constructor may be whole numbers of any Go type within the range of the parameter, and
// that the error of any other names the file, the parameter, the argument and the range.
func TestConstructorArguments(t *testing.T) {
	t.Parallel()
	power := func(bits uint, less int64) *big.Int {
		n := new(big.Int).Lsh(common.Big1, bits)
		return n.Sub(n, big.NewInt(less))
	}
	type cents int16
	address := common.HexToAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266")
	for _, c := range []struct {
		kind     string
		argument any
		want     string // hex of the encoding, or the error after "… cannot take "
	}{
		{"uint8", 255, word(255)},
		{"uint8", 256, "the int 256: want 0 to 255"},
		{"uint8", int8(-1), "the int8 -1: want 0 to 255"},
		{"uint8", 0, word(0)},
		{"int8", int64(127), word(127)},
		{"int8", int64(128), "the int64 128: want -128 to 127"},
		{"int8", cents(-128), word(-128)},
		{"int8", cents(-129), "the artifacts_test.cents -129: want -128 to 127"},
		{"uint16", uint16(65_535), word(65_535)},
		{"int32", uint32(1 << 31), "the uint32 2147483648: want -2147483648 to 2147483647"},
		{"uint64", uint64(math.MaxUint64), strings.Repeat("00", 24) + strings.Repeat("ff", 8)},
		{"uint64", power(64, 0), "the *big.Int 18446744073709551616: want 0 to 18446744073709551615"},
		{"int64", int64(math.MinInt64), word(math.MinInt64)},
		{"uint72", 7, word(7)},
		{"uint72", power(72, 1), strings.Repeat("00", 23) + strings.Repeat("ff", 9)},
		{"uint72", power(72, 0), "the *big.Int 4722366482869645213696: want 0 to 4722366482869645213695"},
		{"int256", power(255, 1), "7f" + strings.Repeat("ff", 31)},
		{"int256", -7, word(-7)},
		{"uint256", uint256.MustFromBig(power(256, 1)), strings.Repeat("ff", 32)},
		{"uint256", (*uint256.Int)(nil), "the *uint256.Int <nil>: nil is no value"},
		{"uint256", (*big.Int)(nil), "the *big.Int <nil>: nil is no value"},
		{"uint256", "7", "the string 7: abi: cannot use string as type ptr as argument"},
		{"uint256", nil, "the <nil> <nil>: nil is no value"},
		{"address", address, strings.Repeat("00", 12) + hex.EncodeToString(address[:])},
		{"bool", true, word(1)},
		{"bytes", nil, "the <nil> <nil>: nil is no value"},
		{"bool", 1, "the int 1: abi: cannot use int as type bool as argument"},
		{"bool", strings.Repeat("x", 81), "the string " + strings.Repeat("x", 80) + ": abi: cannot use string as type bool as argument"},
		{"string", "hi", word(32) + word(2) + "6869" + strings.Repeat("00", 30)},
		{"uint256[]", []*big.Int{big.NewInt(7)}, word(32) + word(1) + word(7)},
	} {
		a := read(t, "Vault.json", `{"abi":[{"type":"constructor","inputs":[{"name":"flag","type":"bool"},{"name":"limit","type":"`+c.kind+`"}]}],"bytecode":"0xc0de"}`)
		code, err := a.InitCode(nil, []any{true, c.argument})
		if err != nil {
			require.EqualError(t, err, a.Path+": argument 1 of the constructor, "+c.kind+" limit: cannot take "+c.want)
			continue
		}
		encoded := "c0de" + word(1) + c.want
		if strings.HasPrefix(c.want, word(32)) { // a type of any length
			encoded = "c0de" + word(1) + word(64) + c.want[64:]
		}
		require.Equal(t, encoded, hex.EncodeToString(code), "%s %v", c.kind, c.argument)
	}
}

// Ensure init code has the address of each library at each of its places, and that what cannot be deployed is refused
// with its path.
func TestInitCode(t *testing.T) {
	t.Parallel()
	hole := strings.Repeat("_", 40)
	a := read(t, "out/Vault.sol/Vault.json", `{"abi":[],"bytecode":{"object":"0x01`+hole+hole+`02`+hole+`","linkReferences":{
		"src/Maths.sol":{"Maths":[{"start":42},{"start":1}]},"src/Text.sol":{"Text":[{"start":21}]}}}}`)
	folder := filepath.Dir(filepath.Dir(a.Path))
	require.Equal(t, []artifacts.Link{{"src/Maths.sol", "Maths", 1}, {"src/Text.sol", "Text", 21}, {"src/Maths.sol", "Maths", 42}}, a.Links)
	require.Equal(t, filepath.Join(folder, "Maths.sol", "Maths.json"), a.Library(a.Links[0]))
	code, err := a.InitCode(map[string]common.Address{a.Library(a.Links[0]): {0xaa, 19: 0xab}, a.Library(a.Links[1]): {0xbb, 19: 0xbc}}, nil)
	require.NoError(t, err)
	first := "aa" + strings.Repeat("00", 18) + "ab"
	require.Equal(t, "01"+first+"bb"+strings.Repeat("00", 18)+"bc02"+first, hex.EncodeToString(code))
	_, err = a.InitCode(nil, []any{1, 2})
	require.EqualError(t, err, a.Path+": the constructor takes 0 arguments, not 2")

	hardhat := read(t, "artifacts/contracts/pay/Vault.sol/Vault.json", `{"sourceName":"contracts/pay/Vault.sol","abi":[],"bytecode":"0x`+hole+`","linkReferences":{"contracts/lib/Maths.sol":{"Maths":[{"start":0}]}}}`)
	artifactsFolder := strings.TrimSuffix(hardhat.Path, filepath.FromSlash("contracts/pay/Vault.sol/Vault.json"))
	require.Equal(t, filepath.Join(artifactsFolder, "contracts", "lib", "Maths.sol", "Maths.json"), hardhat.Library(hardhat.Links[0]))

	empty := read(t, "IVault.json", `{"abi":[],"bytecode":"0x"}`)
	_, err = empty.InitCode(nil, nil)
	require.EqualError(t, err, empty.Path+": the bytecode is empty: an interface or abstract contract cannot be deployed")
	broken := read(t, "Broken.json", `{"abi":[],"bytecode":"0x0"}`)
	_, err = broken.InitCode(nil, nil)
	require.EqualError(t, err, broken.Path+": bytecode: encoding/hex: odd length hex string")

	for start, want := range map[string]string{"1": "", "2": "library Maths is to be linked at 2, outside of the bytecode", "-1": "library Maths is to be linked at -1, outside of the bytecode"} {
		path := filepath.Join(write(t, map[string]string{"Far.json": `{"abi":[],"bytecode":{"object":"0x01` + hole + `","linkReferences":{"Maths.sol":{"Maths":[{"start":` + start + `}]}}}}`}), "Far.json")
		if _, err := artifacts.Read(path); want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, path+": "+want)
		}
	}
}

// Ensure arguments are encoded by their Go types, and that one of another type is refused by its place.
func TestEncode(t *testing.T) {
	t.Parallel()
	type many uint8
	address := common.HexToAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266")
	encoded, err := artifacts.Encode([]any{
		address, common.Hash{1}, true, int8(-7), many(200), uint64(math.MaxUint64), big.NewInt(-1), uint256.NewInt(9), "hi", []byte{0xca, 0xfe},
	})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("00", 12)+hex.EncodeToString(address[:])+"01"+strings.Repeat("00", 31)+word(1)+word(-7)+word(200)+
		strings.Repeat("00", 24)+strings.Repeat("ff", 8)+word(-1)+word(9)+word(320)+word(384)+
		word(2)+"6869"+strings.Repeat("00", 30)+word(2)+"cafe"+strings.Repeat("00", 30), hex.EncodeToString(encoded))
	encoded, err = artifacts.Encode(nil)
	require.NoError(t, err)
	require.Empty(t, encoded)
	for want, argument := range map[string]any{
		"[]string": []string{"a"}, "*big.Int": (*big.Int)(nil), "*uint256.Int": (*uint256.Int)(nil), "<nil>": nil, "float64": 1.5,
	} {
		_, err = artifacts.Encode([]any{true, argument})
		require.EqualError(t, err, "argument 1: a "+want+" has no one meaning in the ABI: encode it and append it to the code")
	}
}
