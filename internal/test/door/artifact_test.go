package door_test

import (
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Code of artifacts: a contract whose code is its argument, one whose code is the address of a library, and that
// library.
const (
	echoCode     = "6020601c5f3960205ff3" + "000000000000000000000000000000000000"
	linkedCode   = "73__$4a1c0a1c0a1c0a1c0a1c0a1c0a1c0a1c0a$__5f5260205ff3"
	libraryCode  = "60015ff3"
	echoABI      = `[{"type":"constructor","inputs":[{"name":"value","type":"uint64"}],"stateMutability":"nonpayable"}]`
	foundryLinks = `{"src/Maths.sol":{"Maths":[{"start":1,"length":20}]}}`
	hardhatLinks = `{"contracts/lib/Maths.sol":{"Maths":[{"start":1,"length":20}]}}`
)

// artifacts writes files below a new folder and returns it.
func artifacts(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(content), 0o600))
	}
	return folder
}

// Ensure artifacts of Foundry and Hardhat are deployed in one call, with arguments of Go's usual types and with the
// libraries that they are to be linked with.
func TestDeployArtifact(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	folder := artifacts(t, map[string]string{
		"out/Echo.sol/Echo.json":                       `{"abi":` + echoABI + `,"bytecode":{"object":"0x` + echoCode + `","linkReferences":{}}}`,
		"out/Vault.sol/Vault.json":                     `{"abi":[],"bytecode":{"object":"0x` + linkedCode + `","linkReferences":` + foundryLinks + `}}`,
		"out/Maths.sol/Maths.json":                     `{"abi":[],"bytecode":{"object":"0x` + libraryCode + `"}}`,
		"artifacts/contracts/Vault.sol/Vault.json":     `{"sourceName":"contracts/Vault.sol","abi":[],"bytecode":"0x` + linkedCode + `","linkReferences":` + hardhatLinks + `}`,
		"artifacts/contracts/lib/Maths.sol/Maths.json": `{"sourceName":"contracts/lib/Maths.sol","abi":[],"bytecode":"0x` + libraryCode + `","linkReferences":{}}`,
	})
	codeOf := func(path string, arguments ...any) []byte {
		address, err := node.DeployArtifact(node.Account(0), filepath.Join(folder, filepath.FromSlash(path)), arguments...)
		require.NoError(t, err)
		code, err := node.Client().CodeAt(t.Context(), address, nil)
		require.NoError(t, err)
		return code
	}
	for _, argument := range []any{7, uint64(7), big.NewInt(7)} {
		require.Equal(t, common.BigToHash(big.NewInt(7)).Bytes(), codeOf("out/Echo.sol/Echo.json", argument))
	}
	for _, path := range []string{"out/Vault.sol/Vault.json", "artifacts/contracts/Vault.sol/Vault.json"} {
		library := common.BytesToAddress(codeOf(path))
		code, err := node.Client().CodeAt(t.Context(), library, nil)
		require.NoError(t, err)
		require.Equal(t, []byte{0}, code, "the library is there")
	}
}

// Ensure the error of an artifact or argument that cannot be deployed is one line with the path.
func TestDeployArtifactRefusals(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	folder := artifacts(t, map[string]string{
		"out/Echo.sol/Echo.json":   `{"abi":` + echoABI + `,"bytecode":{"object":"0x` + echoCode + `"}}`,
		"out/Vault.sol/Vault.json": `{"abi":[],"bytecode":{"object":"0x` + linkedCode + `","linkReferences":` + foundryLinks + `}}`,
		"out/Far.sol/Far.json":     `{"abi":[],"bytecode":{"object":"0x6000","linkReferences":` + foundryLinks + `}}`,
		"out/Self.sol/Maths.json":  `{"abi":[],"bytecode":{"object":"0x` + linkedCode + `","linkReferences":{"Self.sol":{"Maths":[{"start":1}]}}}}`,
	})
	for _, test := range []struct {
		path      string
		arguments []any
		want      string
	}{
		{"out/Absent.sol/Absent.json", nil, "no such file"},
		{"out/Vault.sol/Vault.json", nil, "library Maths of "},
		{"out/Far.sol/Far.json", nil, "outside of the bytecode"},
		{"out/Self.sol/Maths.json", nil, "linked with itself"},
		{"out/Echo.sol/Echo.json", nil, "the constructor takes 1 arguments, not 0"},
		{"out/Echo.sol/Echo.json", []any{"seven"}, "argument 0 of the constructor, uint64 value: cannot take the string seven"},
		{"out/Echo.sol/Echo.json", []any{-1}, "cannot take the int -1: want 0 to 18446744073709551615"},
	} {
		file := filepath.Join(folder, filepath.FromSlash(test.path))
		_, err := node.DeployArtifact(node.Account(0), file, test.arguments...)
		require.ErrorContains(t, err, test.want, test.path)
		require.ErrorContains(t, err, file)
		require.NotContains(t, err.Error(), "\n")
	}
}
