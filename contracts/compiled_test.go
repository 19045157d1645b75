package contracts_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
)

// compiled is the compiled.json of a folder.
type compiled struct {
	Sources   map[string]string // SHA-256 by file name
	Contracts map[string]compiledContract
}

type compiledContract struct {
	File      string // without its ending
	Runtime   []int  // where its .bin has the deployed code, in bytes: from and to; nil: it has a .code instead
	Immutable []int  // where the deployed code has its immutable variable
}

func readCompiled(t *testing.T, folder string) compiled {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "compiled.json"))
	require.NoError(t, err)
	var c compiled
	require.NoError(t, json.Unmarshal(text, &c))
	return c
}

// variable returns the name of a file as Go has it: "tokenStore" for "token_store".
func (c compiledContract) variable() string {
	words := strings.Split(c.File, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// deployedCode returns the code of a deployed contract as the compiler leaves it.
func (c compiledContract) deployedCode(t *testing.T, folder string) []byte {
	t.Helper()
	if c.Runtime == nil {
		code, err := os.ReadFile(filepath.Join(folder, c.File+".code"))
		require.NoError(t, err)
		return code
	}
	bin, err := os.ReadFile(filepath.Join(folder, c.File+".bin"))
	require.NoError(t, err)
	code, err := hex.DecodeString(strings.TrimPrefix(string(bin), "0x"))
	require.NoError(t, err)
	return code[c.Runtime[0]:c.Runtime[1]]
}

// The folders of the contracts that only a genesis places.
const (
	predeploys = "../internal/contracts/predeploys"
	l1         = "../internal/contracts/l1"
)

// folders lists where compiled contracts are, each with the folders of its sources.
var folders = map[string][]string{
	"../tokencontract":          {"../tokencontract/solidity"},
	"../fixtures/contracts":     {"../fixtures/contracts"},
	".":                         {"."},
	"b20":                       {"b20", "interfaces"},
	"permit2":                   {"permit2", "interfaces"},
	"channels":                  {"channels", "interfaces"},
	"checkout":                  {"checkout", "interfaces"},
	"escrow":                    {"escrow", "interfaces"},
	"entrypoint":                {"entrypoint", "interfaces"},
	"smartwallet":               {"smartwallet", "interfaces"},
	"simple7702":                {"simple7702", "interfaces"},
	"simpleaccount":             {"simpleaccount", "interfaces"},
	"spendpermission":           {"spendpermission", "interfaces"},
	predeploys:                  {predeploys, "interfaces"},
	l1:                          {l1, "interfaces"},
	"x402":                      {"x402", "interfaces"},
	"entrypoint/testdata/actor": {"entrypoint/testdata/actor", "interfaces"},
}

// Ensure contracts were compiled from the sources in their folder, and for some also from the published interfaces: a
// changed source without a rebuild fails here.
func TestCompiledFromSources(t *testing.T) {
	t.Parallel()
	for folder, sources := range folders {
		want := map[string]string{}
		for _, source := range sources {
			paths, err := filepath.Glob(filepath.Join(source, "*.sol"))
			require.NoError(t, err)
			require.NotEmpty(t, paths, source)
			for _, path := range paths {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				require.NotContains(t, string(text), "\r", path)
				sum := sha256.Sum256(text)
				want[filepath.Base(path)] = hex.EncodeToString(sum[:])
			}
		}
		require.Equal(t, want, readCompiled(t, folder).Sources, "%s: run make contracts", folder)
	}
}

// Ensure an immutable variable is where the compiler says and nowhere else, and that deployed code fits a chain's
// limit.
func TestImmutable(t *testing.T) {
	t.Parallel()
	for folder := range folders {
		for name, contract := range readCompiled(t, folder).Contracts {
			code := contract.deployedCode(t, folder)
			require.Less(t, len(code), params.MaxCodeSize, name)
			value := common.Address{1, 19: 2}
			filled := contracts.Immutable(code, value)
			for _, offset := range contract.Immutable {
				copy(code[offset:], common.LeftPadBytes(value[:], 32))
			}
			require.Equal(t, code, filled, name)
		}
	}
}

// Ensure numbers, domains and digests of typed data are those of EIP-712, and that data which does not fit its types,
// or no interface, is not taken for any.
func TestTypedData(t *testing.T) {
	t.Parallel()
	require.Equal(t, "0", contracts.Number(nil))
	require.Equal(t, "0", contracts.Number(new(uint256.Int)))
	require.Equal(t, "18446744073709551616", contracts.Number(uint256.MustFromHex("0x10000000000000000")))

	data := contracts.TypedData(contracts.Domain("Shop", 1<<40, common.Address{19: 5}), "Sum(uint256 units)", apitypes.TypedDataMessage{
		"units": contracts.Number(uint256.NewInt(7)),
	})
	word := func(n uint64) []byte { return uint256.NewInt(n).PaddedBytes(32) }
	hash := func(text string) []byte { return crypto.Keccak256([]byte(text)) }
	domain := crypto.Keccak256(hash("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
		hash("Shop"), hash("1"), word(1<<40), word(5))
	want := crypto.Keccak256Hash([]byte{0x19, 1}, domain, crypto.Keccak256(hash("Sum(uint256 units)"), word(7)))
	require.Equal(t, want, contracts.Digest(data))

	data.Message["units"] = "seven"
	require.PanicsWithValue(t, `contracts: typed data: invalid hex or decimal integer "seven"`, func() { contracts.Digest(data) })
	require.Panics(t, func() { contracts.ABI([]byte("[")) })
	require.Empty(t, contracts.ABI([]byte("[]")).Methods)
}

// Ensure an immutable variable is set wherever the code reads it, and arguments follow the creation code.
func TestCodes(t *testing.T) {
	t.Parallel()
	hole := append([]byte{0x7f}, make([]byte, 32)...)
	code := append(append(append([]byte{0x60, 1}, hole...), 0x50), hole...)
	filled := contracts.Immutable(code, common.Address{0xaa, 19: 0xbb})
	word := common.LeftPadBytes(common.Address{0xaa, 19: 0xbb}.Bytes(), 32)
	require.Equal(t, append(append(append(append([]byte{0x60, 1, 0x7f}, word...), 0x50), 0x7f), word...), filled)
	require.Equal(t, hole, code[2:35], "the code of the compiler stays")
	require.Equal(t, []byte{0x60, 0x01, 7, 8}, helpers.DeployCode("0x6001", 7, 8))
	require.Equal(t, []byte{0x60}, helpers.DeployCode("60"))
}

// Ensure contracts have the functions, events and errors that clients know the published ones by: each line of testdata
// names an interface, a kind, a selector or the beginning of a topic, and what it is of.
func TestPublishedInterfaces(t *testing.T) {
	t.Parallel()
	published, err := os.ReadFile("testdata/published.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(published)) {
		fields := strings.Fields(line)
		require.Len(t, fields, 4, line)
		text, err := os.ReadFile(fields[0] + ".abi")
		require.NoError(t, err)
		parsed := contracts.ABI(text)
		var ids []string
		switch name := fields[3]; fields[1] {
		case "function":
			for _, method := range parsed.Methods {
				if method.RawName == name || method.Sig == name {
					ids = append(ids, common.Bytes2Hex(method.ID))
				}
			}
		case "event":
			ids = append(ids, common.Bytes2Hex(parsed.Events[name].ID.Bytes()))
		case "error":
			ids = append(ids, common.Bytes2Hex(parsed.Errors[name].ID.Bytes()))
		}
		require.True(t, slices.ContainsFunc(ids, func(id string) bool { return strings.HasPrefix(id, fields[2]) }), "%s: have %s", line, ids)
	}
}
