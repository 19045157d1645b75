package artifacts_test

import (
	"math/big"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
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

// Ensure the contracts of our own folders are read on first use, from .code files or the deployed part of .bin files,
// and that a damaged folder is named.
func TestCompiled(t *testing.T) {
	t.Parallel()
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	good := func() fstest.MapFS {
		return fstest.MapFS{
			"pay/compiled.json": file(`{"contracts":{"Vault":{"file":"vault"},"Till":{"file":"till","runtime":[1,3]},"Proxy":{"file":"proxy","runtime":[0,1]}}}`),
			"pay/vault.abi":     file(`[{"type":"function","name":"open","inputs":[],"outputs":[]}]`), "pay/vault.code": file("\x01"),
			"pay/till.abi": file(`[{"type":"error","name":"Closed","inputs":[]}]`), "pay/till.bin": file("0xff0102"),
			"pay/proxy.bin": file("05ff"), "pay/other.json": file("{"),
		}
	}
	set := artifacts.Compiled(fstest.MapFS{}, good())
	require.Equal(t, "open()", set.Call(nil, packed(t, "open()", nil)))
	require.Equal(t, "Closed()", set.Error(packed(t, "Closed()", nil)))
	for code, want := range map[string]string{"\x01": "Vault", "\x01\x02": "Till", "\x05": "Proxy"} {
		require.Equal(t, want, set.Contract(crypto.Keccak256Hash([]byte(code)), []byte(code)).Name)
	}
	require.Nil(t, set.Contract(common.Hash{1}, []byte{0xff}))

	compiled := func(runtime string) *fstest.MapFile {
		return file(`{"contracts":{"Till":{"file":"till","runtime":` + runtime + `}}}`)
	}
	for _, c := range []struct {
		name string
		file *fstest.MapFile // nil: it is missing
		want string
	}{
		{"pay/compiled.json", file("{"), "artifacts: pay/compiled.json: unexpected end of JSON input"},
		{"pay/compiled.json", compiled("[1,4]"), "artifacts: pay/till: the deployed code ends at 4, behind the bytecode"},
		{"pay/vault.code", nil, "artifacts: pay/vault: open pay/vault.code: file does not exist"},
		{"pay/till.bin", file("0xffzz02"), "artifacts: pay/till: encoding/hex: invalid byte: U+007A 'z'"},
		{"pay/till.abi", file("[7]"), "artifacts: pay/till: json: cannot unmarshal number into Go value of type struct"},
	} {
		system := good()
		if system[c.name] = c.file; c.file == nil {
			delete(system, c.name)
		}
		set := artifacts.Compiled(system) // reads nothing yet
		func() {
			defer func() {
				have, _ := recover().(string)
				require.True(t, strings.HasPrefix(have, c.want), "%s\n%s", c.want, have)
			}()
			set.Call(nil, packed(t, "open()", nil))
		}()
	}
}
