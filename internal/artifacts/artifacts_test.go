package artifacts_test

import (
	"encoding/hex"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/artifacts"
)

const vaultABI = `[
	{"type":"constructor","inputs":[{"name":"limit","type":"uint256"}]},
	{"type":"function","name":"deposit","inputs":[{"name":"amount","type":"uint256"},{"name":"","type":"bool"}],"outputs":[{"name":"","type":"uint8"},{"name":"note","type":"string"}]},
	{"type":"function","name":"deposit","inputs":[{"name":"order","type":"tuple","components":[{"name":"id","type":"bytes4"},{"name":"tags","type":"string[]"},{"name":"body","type":"bytes"}]}],"outputs":[]},
	{"type":"function","name":"internalOnly","inputs":[{"name":"set","type":"Sets.Set storage"}],"outputs":[]},
	{"type":"error","name":"TooMuch","inputs":[{"name":"have","type":"int8"},{"name":"who","type":"address"}]},
	{"type":"error","name":"Closed","inputs":[]},
	{"type":"event","name":"Moved","inputs":[{"name":"from","type":"address","indexed":true},{"name":"label","type":"string","indexed":true},{"name":"amount","type":"uint256","indexed":false}]}
]`

// write puts files below a new folder and returns it.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return folder
}

// load returns the Set of a project with the contract Vault of this deployed code.
func load(t *testing.T, deployed string) *artifacts.Set {
	t.Helper()
	set, err := artifacts.Load([]string{write(t, map[string]string{
		"Vault.sol/Vault.json": `{"abi":` + vaultABI + `,"bytecode":{"object":"0x00"},"deployedBytecode":{"object":"0x` + deployed + `"}}`,
	})})
	require.NoError(t, err)
	return set
}

// packed returns the selector of a signature and the encoding of values.
func packed(t *testing.T, signature string, kinds []string, values ...any) []byte {
	t.Helper()
	var arguments abi.Arguments
	for _, kind := range kinds {
		parsed, err := abi.NewType(kind, "", nil)
		require.NoError(t, err)
		arguments = append(arguments, abi.Argument{Type: parsed})
	}
	data, err := arguments.Pack(values...)
	require.NoError(t, err)
	return append(crypto.Keccak256([]byte(signature))[:4], data...)
}

// Ensure calls, their results, errors and events are shown with the names of their arguments, and that data with an
// undeclared selector, or that do not encode the arguments, are not shown.
func TestDecoding(t *testing.T) {
	t.Parallel()
	set := load(t, "00")
	who := common.HexToAddress("0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266")

	deposit := packed(t, "deposit(uint256,bool)", []string{"uint256", "bool"}, big.NewInt(7), true)
	require.Equal(t, "deposit(amount: 7, true)", set.Call(nil, deposit))
	require.Equal(t, "deposit(uint256,bool)", set.Function(nil, deposit))
	output := packed(t, "", []string{"uint8", "string"}, uint8(1), `say "it"`)[4:]
	require.Equal(t, `1, note: "say \"it\""`, set.Result(nil, deposit, output))
	require.Empty(t, set.Result(nil, deposit, nil))

	order := struct {
		Id   [4]byte
		Tags []string
		Body []byte
	}{[4]byte{1, 2, 3, 4}, []string{"a", "b"}, make([]byte, 300)}
	tuple, err := abi.NewType("tuple", "", []abi.ArgumentMarshaling{{Name: "id", Type: "bytes4"}, {Name: "tags", Type: "string[]"}, {Name: "body", Type: "bytes"}})
	require.NoError(t, err)
	data, err := abi.Arguments{{Type: tuple}}.Pack(order)
	require.NoError(t, err)
	data = append(crypto.Keccak256([]byte("deposit((bytes4,string[],bytes))"))[:4], data...)
	require.Equal(t, `deposit(order: (id: 0x01020304, tags: ["a", "b"], body: 0x`+strings.Repeat("00", 256)+`… (300 bytes)))`, set.Call(nil, data))

	failure := packed(t, "TooMuch(int8,address)", []string{"int8", "address"}, int8(-5), who)
	require.Equal(t, "TooMuch(have: -5, who: 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266)", set.Error(failure))
	require.Equal(t, "Closed()", set.Error(packed(t, "Closed()", nil)))
	for _, unknown := range [][]byte{nil, {1}, failure[:40], packed(t, "Other()", nil), deposit} {
		require.Empty(t, set.Error(unknown))
	}
	require.Empty(t, set.Call(nil, deposit[:10]))

	label := crypto.Keccak256Hash([]byte("rent"))
	log := &types.Log{
		Topics: []common.Hash{crypto.Keccak256Hash([]byte("Moved(address,string,uint256)")), common.BytesToHash(who.Bytes()), label},
		Data:   common.BigToHash(big.NewInt(9)).Bytes(),
	}
	require.Equal(t, "Moved(from: 0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266, label: "+label.Hex()+", amount: 9)", set.Event(nil, log))
	for _, topics := range [][]common.Hash{nil, log.Topics[:2], {{1}}} {
		require.Empty(t, set.Event(nil, &types.Log{Topics: topics, Data: log.Data}))
	}

	var none *artifacts.Set
	require.Empty(t, none.Error(failure)+none.Call(nil, deposit)+none.Event(nil, log))
	require.Nil(t, none.Contract(common.Hash{1}, []byte{0}))
}

// Ensure a contract is known by its deployed code, whatever its constructor put in the place of immutables, and
// whatever libraries it was linked with.
func TestContract(t *testing.T) {
	t.Parallel()
	word, address := strings.Repeat("00", 32), strings.Repeat("00", 20)
	for name, test := range map[string]struct {
		deployed, is string
		not          []string
	}{
		"plain":     {"60015ff3", "60015ff3", []string{"60025ff3", "60015ff300", ""}},
		"immutable": {"607f7f" + word + "00", "607f7f" + strings.Repeat("ab", 32) + "00", []string{"607f7f" + word + "01"}},
		"constant":  {"7f" + word[2:] + "0100", "7f" + word[2:] + "0100", []string{"7f" + word[2:] + "0200", "7f" + strings.Repeat("ab", 31) + "0100"}},
		"first":     {"7f01" + word[2:] + "00", "7f01" + word[2:] + "00", []string{"7f02" + word[2:] + "00"}},
		"last":      {"5f7f" + word + "00", "5f7f" + strings.Repeat("ab", 32) + "00", []string{"5f7f" + word + "01", "5e7f" + word + "00"}},
		"inner":     {"5f73" + address + "00", "5f73" + address + "00", []string{"5f73" + strings.Repeat("cd", 20) + "00"}},
		"data":      {"61007f" + word, "61007f" + word, []string{"61007f" + strings.Repeat("ab", 32)}},
		"linked":    {"73__$4a1c0a1c0a1c0a1c0a1c0a1c0a1c0a1c0a$__00", "73" + strings.Repeat("cd", 20) + "00", []string{"73" + strings.Repeat("cd", 20) + "01"}},
		"library":   {"73" + address + "3014", "73" + strings.Repeat("ef", 20) + "3014", []string{"73" + address + "3015"}},
		"truncated": {"7f" + word[2:], "7f" + word[2:], []string{"7f" + strings.Repeat("ab", 31)}},
	} {
		set := load(t, test.deployed)
		known := func(text string) bool {
			code, err := hex.DecodeString(text)
			require.NoError(t, err)
			hash := crypto.Keccak256Hash(code)
			first := set.Contract(hash, code)
			require.Equal(t, text, hex.EncodeToString(code), "the code is read only")
			require.Same(t, first, set.Contract(hash, code), "the same code again")
			if first != nil {
				require.Equal(t, "Vault", first.Name)
			}
			return first != nil
		}
		require.True(t, known(test.is), name)
		for _, other := range test.not {
			require.False(t, known(other), "%s: %s", name, other)
		}
	}
}

// Ensure a contract's own ABI is used before others', and the first one read if it has none.
func TestContractsBeforeOthers(t *testing.T) {
	t.Parallel()
	artifact := func(argument, deployed string) string {
		return `{"contractName":"C` + argument + `","abi":[{"type":"function","name":"pay","inputs":[{"name":"` + argument + `","type":"uint256"}],"outputs":[]},
			{"type":"event","name":"Paid","inputs":[{"name":"` + argument + `","type":"uint256"}]}],"bytecode":"0x00","deployedBytecode":"0x` + deployed + `"}`
	}
	set, err := artifacts.Load([]string{write(t, map[string]string{
		"contracts/A.sol/A.json": artifact("first", "01"), "contracts/B.sol/B.json": artifact("second", "02"),
	})})
	require.NoError(t, err)
	data := packed(t, "pay(uint256)", []string{"uint256"}, big.NewInt(7))
	log := &types.Log{Topics: []common.Hash{crypto.Keccak256Hash([]byte("Paid(uint256)"))}, Data: data[4:]}
	second := set.Contract(common.Hash{2}, []byte{2})
	require.Equal(t, "Csecond", second.Name)
	require.Equal(t, "pay(second: 7)", set.Call(second, data))
	require.Equal(t, "Paid(second: 7)", set.Event(second, log))
	require.Equal(t, "pay(first: 7)", set.Call(nil, data))
	require.Equal(t, "Paid(first: 7)", set.Event(nil, log))
}

// Ensure files that are no artifacts are left out, and that a fault in an artifact yields a line with its path.
func TestLoad(t *testing.T) {
	t.Parallel()
	good := `{"abi":` + vaultABI + `,"bytecode":"0x"}`
	folder := write(t, map[string]string{
		"Vault.json": good, "Vault.dbg.json": `{"_format":"hh-sol-dbg-1","buildInfo":"…"}`, "abi.json": vaultABI, "abis.json": `[{"type":"function","name":"abi","inputs":[]}]`,
		"tsconfig.json": "{ // of TypeScript\n}", "build-info/1.json": `{"abi":`, "notes.txt": `{"abi":`,
	})
	set, err := artifacts.Load([]string{folder})
	require.NoError(t, err)
	require.NotNil(t, set)
	_, err = artifacts.Load([]string{filepath.Join(folder, "Vault.json")})
	require.NoError(t, err)
	none, err := artifacts.Load(nil)
	require.NoError(t, err)
	require.Nil(t, none)

	for name, test := range map[string]struct{ content, want string }{
		"cut.json":       {`{"abi":`, "unexpected end of JSON input"},
		"number.json":    {`{"abi":7,"bytecode":"0x"}`, "json: cannot unmarshal number into Go struct field file.abi of type []json.RawMessage"},
		"entry.json":     {`{"abi":[7],"bytecode":"0x"}`, "abi: "},
		"code.json":      {`{"abi":[],"bytecode":7}`, "bytecode: "},
		"deployed.json":  {`{"abi":[],"bytecode":"0x","deployedBytecode":"0xzz"}`, "deployedBytecode: encoding/hex: invalid byte"},
		"deep.json":      {`{"abi":[{"type":"function","name":"f","inputs":[{"type":"uint8` + strings.Repeat("[]", 100_000) + `"}]}],"bytecode":"0x"}`, "abi: a type has more than 64 dimensions"},
		"something.json": {`{"compiler":"solc"}`, "no artifact of Foundry or Hardhat"},
	} {
		folder := write(t, map[string]string{name: test.content})
		_, err := artifacts.Load([]string{folder})
		require.ErrorContains(t, err, test.want, name)
		require.True(t, strings.HasPrefix(err.Error(), folder), err)
		require.NotContains(t, err.Error(), "\n")
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(folder, "pipe.json"), 0o600))
	_, err = artifacts.Load([]string{folder})
	require.ErrorContains(t, err, "pipe.json: not a file")
	_, err = artifacts.Load([]string{filepath.Join(folder, "absent")})
	require.ErrorContains(t, err, "absent")
}
