package artifacts_test

import (
	"encoding/hex"
	"math"
	"math/big"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/artifacts"
)

// Ensure values are shown in full up to 256 bytes, and in the form that their type has.
func TestValues(t *testing.T) {
	t.Parallel()
	address := common.HexToAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266")
	long := strings.Repeat("a", 256)
	for _, c := range []struct {
		kind  string
		value any
		want  string
	}{
		{"string", long, `"` + long + `"`},
		{"string", long + "b", `"` + long + `"… (257 bytes)`},
		{"string", long[1:] + "é", `"` + long[1:] + `"… (257 bytes)`},
		{"string", "a\n\"", `"a\n\""`},
		{"bytes", make([]byte, 256), "0x" + strings.Repeat("00", 256)},
		{"bytes", make([]byte, 257), "0x" + strings.Repeat("00", 256) + "… (257 bytes)"},
		{"bytes", []byte{}, "0x"},
		{"bytes4", [4]byte{1, 2}, "0x01020000"},
		{"function", [24]byte{23: 1}, "0x" + strings.Repeat("00", 23) + "01"},
		{"bool", false, "false"},
		{"address", address, address.Hex()},
		{"int256", big.NewInt(-7), "-7"},
		{"uint8[2]", [2]uint8{1, 2}, "[1, 2]"},
		{"string[][]", [][]string{{"a"}, {}}, `[["a"], []]`},
	} {
		a := `{"abi":[{"type":"error","name":"Failed","inputs":[{"name":"","type":"` + c.kind + `"}]},{"type":"function","name":"get","inputs":[],"outputs":[{"name":"","type":"` + c.kind + `"}]}],"bytecode":"0x"}`
		set, err := artifacts.Load([]string{write(t, map[string]string{"A.json": a})})
		require.NoError(t, err)
		data := packed(t, "Failed("+c.kind+")", []string{c.kind}, c.value)
		require.Equal(t, "Failed(arg0: "+c.want+")", set.Error(data))
		require.Equal(t, c.want, set.Result(nil, packed(t, "get()", nil), data[4:]))
		require.Empty(t, set.Error(data[:35]))
	}
}

// Ensure indexed arguments are shown by their values where a topic holds one, and that of two events of one signature
// the one with the log's topics is shown.
func TestIndexedArguments(t *testing.T) {
	t.Parallel()
	set, err := artifacts.Load([]string{write(t, map[string]string{
		"A.json": `{"abi":[{"type":"event","name":"Moved","inputs":[{"name":"a","type":"bool","indexed":true},{"name":"b","type":"bytes","indexed":true}]},
			{"type":"event","name":"Nothing","anonymous":false,"inputs":[]},{"type":"event","name":"Pair","inputs":[{"name":"x","type":"bool"},{"name":"y","type":"uint8"}]}],"bytecode":"0x"}`,
		"B.json": `{"abi":[{"type":"event","name":"Moved","inputs":[{"name":"x","type":"bool","indexed":false},{"name":"y","type":"bytes","indexed":true}]}],"bytecode":"0x"}`,
	})})
	require.NoError(t, err)
	moved, yes, odd := crypto.Keccak256Hash([]byte("Moved(bool,bytes)")), common.Hash{31: 1}, common.Hash{31: 2}
	for _, c := range []struct {
		topics []common.Hash
		data   []byte
		want   string
	}{
		{[]common.Hash{moved, yes, odd}, nil, "Moved(a: true, b: " + odd.Hex() + ")"},
		{[]common.Hash{moved, odd, yes}, nil, "Moved(a: " + odd.Hex() + ", b: " + yes.Hex() + ")"}, // no bool
		{[]common.Hash{moved, odd}, yes[:], "Moved(x: true, y: " + odd.Hex() + ")"},
		{[]common.Hash{moved, odd}, odd[:], ""},
		{[]common.Hash{moved, odd}, nil, ""},
		{[]common.Hash{moved}, yes[:], ""},
		{[]common.Hash{crypto.Keccak256Hash([]byte("Nothing()"))}, nil, "Nothing()"},
		{[]common.Hash{crypto.Keccak256Hash([]byte("Pair(bool,uint8)"))}, append(yes[:], odd[:]...), "Pair(x: true, y: 2)"},
	} {
		require.Equal(t, c.want, set.Event(nil, &types.Log{Topics: c.topics, Data: c.data}))
	}
}

// Ensure a slot has the name of its variable, also in mappings, in structs of mappings and in mappings of mappings,
// as far as the names and the hashes are known.
func TestVariable(t *testing.T) {
	t.Parallel()
	a := read(t, "Vault.json", `{"abi":[],"bytecode":"0x","storageLayout":{"storage":[{"label":"owner","slot":"0"},{"label":"paused","slot":"0"},{"label":"open","slot":"0"},
		{"label":"balances","slot":"18446744073709551615"},{"label":"far","slot":"18446744073709551616"},{"label":"odd","slot":"x"}]}}`)
	preimages := map[common.Hash][64]byte{}
	hash := func(key, slot common.Hash) common.Hash {
		var preimage [64]byte
		copy(preimage[:32], key[:])
		copy(preimage[32:], slot[:])
		h := crypto.Keccak256Hash(preimage[:])
		preimages[h] = preimage
		return h
	}
	plus := func(h common.Hash, n int64) common.Hash {
		return common.BigToHash(new(big.Int).Add(h.Big(), big.NewInt(n)))
	}
	balances := common.HexToHash("0xffffffffffffffff")
	user := common.HexToAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266")
	ofUser := hash(common.BytesToHash(user[:]), balances)
	nested, text := ofUser, "balances["+user.Hex()+"]"
	for range 7 {
		nested, text = hash(common.Hash{31: 5}, nested), text+"[5]"
	}
	tooNested := hash(common.Hash{31: 6}, nested)
	for _, c := range []struct {
		slot common.Hash
		want string
	}{
		{common.Hash{}, "owner, paused, open"},
		{common.Hash{31: 1}, "slot 1"},
		{balances, "balances"},
		{common.Hash{23: 1}, "slot 0x0000000000000000000000000000000000000000000000010000000000000000"},
		{ofUser, "balances[" + user.Hex() + "]"},
		{plus(ofUser, 1), "balances[" + user.Hex() + "] + 1"},
		{plus(ofUser, 31), "balances[" + user.Hex() + "] + 31"},
		{plus(ofUser, 32), "slot " + plus(ofUser, 32).Hex()},
		{plus(ofUser, -1), "slot " + plus(ofUser, -1).Hex()},
		{hash(common.Hash{31: 7}, common.Hash{31: 9}), "slot 9[7]"},
		{hash(balances, common.Hash{}), "owner, paused, open[18446744073709551615]"},
		{hash(common.Hash{12: 1}, common.Hash{31: 9}), "slot 9[" + common.Address{0: 1}.Hex() + "]"},
		{hash(common.Hash{11: 1}, common.Hash{31: 9}), "slot 9[" + common.Hash{11: 1}.Hex() + "]"},
		{nested, text},
		{tooNested, "slot " + ofUser.Hex() + strings.TrimPrefix(text, "balances["+user.Hex()+"]") + "[6]"},
	} {
		require.Equal(t, c.want, a.Variable(c.slot, preimages))
	}
	// A member's slot may carry over bytes.
	carried := common.Hash{0: 1, 31: 0}
	preimages[common.HexToHash("0x00ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff")] = [64]byte{31: 3, 63: 4}
	require.Equal(t, "slot 4[3] + 1", a.Variable(carried, preimages))

	var unknown *artifacts.Artifact
	require.Equal(t, "slot 0", unknown.Variable(common.Hash{}, nil))
	require.Equal(t, "slot 9[7]", unknown.Variable(hash(common.Hash{31: 7}, common.Hash{31: 9}), preimages))
}

// accounts are accounts with code.
type accounts map[common.Address][]byte

func (a accounts) Code(address common.Address) []byte { return a[address] }
func (a accounts) CodeHash(address common.Address) common.Hash {
	return crypto.Keccak256Hash(a[address])
}

// Ensure a Set looks into the one behind it for all that it does not know, and that an account is known by its code
// or by the code that it delegates to.
func TestSetBeforeAnother(t *testing.T) {
	t.Parallel()
	artifact := func(name, deployed, more string) string {
		return `{"contractName":"` + name + `","abi":[{"type":"function","name":"pay","inputs":[{"name":"by` + name + `","type":"bool"}],"outputs":[{"name":"` + name + `","type":"bool"}]},
			{"type":"error","name":"Failed","inputs":[{"name":"by` + name + `","type":"bool"}]},{"type":"event","name":"Paid","inputs":[{"name":"by` + name + `","type":"bool"}]},
			{"type":"function","name":"` + more + `","inputs":[],"outputs":[]},{"type":"error","name":"` + more + `","inputs":[]},{"type":"event","name":"` + more + `","inputs":[]}],
			"bytecode":"0x","deployedBytecode":"0x` + deployed + `"}`
	}
	one, err := artifacts.Load([]string{write(t, map[string]string{"A.json": artifact("A", "01", "onlyA")}), write(t, map[string]string{"A.json": artifact("C", "0102", "onlyC")})})
	require.NoError(t, err)
	other, err := artifacts.Load([]string{write(t, map[string]string{"B.json": artifact("B", "01", "onlyB"), "D.json": artifact("D", "02", "onlyD")})})
	require.NoError(t, err)
	var none *artifacts.Set
	require.Same(t, other, none.Before(other))
	both := one.Before(other)

	pay, failed := packed(t, "pay(bool)", []string{"bool"}, true), packed(t, "Failed(bool)", []string{"bool"}, true)
	paid := &types.Log{Topics: []common.Hash{crypto.Keccak256Hash([]byte("Paid(bool)"))}, Data: pay[4:]}
	require.Equal(t, "pay(byA: true) A: true Failed(byA: true) Paid(byA: true)", both.Call(nil, pay)+" "+both.Result(nil, pay, pay[4:])+" "+both.Error(failed)+" "+both.Event(nil, paid))
	for _, name := range []string{"onlyA", "onlyB", "onlyC", "onlyD"} {
		data := packed(t, name+"()", nil)
		log := &types.Log{Topics: []common.Hash{crypto.Keccak256Hash([]byte(name + "()"))}}
		require.Equal(t, strings.Repeat(name+"()", 3), both.Call(nil, data)+both.Error(data)+both.Event(nil, log))
		require.Equal(t, name+"()", both.Function(nil, data))
		require.Empty(t, both.Result(nil, data, nil))
		require.Equal(t, name > "onlyB" && name != "onlyD" || name == "onlyA", one.Call(nil, data) != "")
	}
	require.Empty(t, both.Call(nil, failed)+both.Error(pay))

	state := accounts{{1}: {1}, {2}: {2}, {3}: {1, 2}, {4}: types.AddressToDelegation(common.Address{2}), {5}: types.AddressToDelegation(common.Address{6}), {7}: {3}}
	for address, want := range map[byte]string{1: "A", 2: "D", 3: "C", 4: "D", 5: "", 6: "", 7: ""} {
		a := both.At(state, common.Address{address})
		require.Equal(t, want == "", a == nil, address)
		if a != nil {
			require.Equal(t, want, a.Name)
			require.Equal(t, "pay(by"+want+": true)", both.Call(a, pay))
		}
	}
}

// Ensure the contracts of our own folders are read from .code files or the deployed part of .bin files.
func TestCompiled(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	good := fstest.MapFS{
		"pay/compiled.json": file(`{"contracts":{"Vault":{"file":"vault"},"Till":{"file":"till","runtime":[1,3]},"Proxy":{"file":"proxy","runtime":[0,1]}}}`),
		"pay/vault.abi":     file(`[{"type":"function","name":"open","inputs":[],"outputs":[]}]`), "pay/vault.code": file("\x01"),
		"pay/till.abi": file(`[{"type":"error","name":"Closed","inputs":[]}]`), "pay/till.bin": file("0xff0102"),
		"pay/proxy.bin": file("05ff"), "pay/other.json": file("{"),
	}
	set := artifacts.Compiled(fstest.MapFS{}, good)
	require.Equal(t, "open()", set.Call(nil, packed(t, "open()", nil)))
	require.Equal(t, "Closed()", set.Error(packed(t, "Closed()", nil)))
	for code, want := range map[string]string{"\x01": "Vault", "\x01\x02": "Till", "\x05": "Proxy"} {
		require.Equal(t, want, set.Contract(crypto.Keccak256Hash([]byte(code)), []byte(code)).Name)
	}
	require.Nil(t, set.Contract(common.Hash{1}, []byte{0xff}))
}

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
