package tokencontract_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/params"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/tokencontract"
)

var artifactFiles = []string{"token.json", "documented_flow.json"}

type artifact struct {
	ContractName      string            `json:"contractName"`
	SourceSha256      map[string]string `json:"sourceSha256"`
	ABI               json.RawMessage   `json:"abi"`
	MethodIdentifiers map[string]string `json:"methodIdentifiers"`
	StorageLayout     struct {
		Storage []struct {
			Label  string `json:"label"`
			Offset int    `json:"offset"`
			Slot   string `json:"slot"`
		} `json:"storage"`
	} `json:"storageLayout"`
}

func readArtifact(t *testing.T, path string) artifact {
	t.Helper()
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	var a artifact
	require.NoError(t, json.Unmarshal(file, &a))
	return a
}

// Ensure the artifacts were compiled from the sources beside them: a changed source without a rebuild fails here.
func TestArtifactsMatchSources(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("solidity/*.sol")
	require.NoError(t, err)
	require.NotEmpty(t, sources)
	want := map[string]string{}
	for _, path := range sources {
		source, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NotContains(t, string(source), "\r", path)
		sum := sha256.Sum256(source)
		want[filepath.Base(path)] = hex.EncodeToString(sum[:])
	}
	for _, file := range artifactFiles {
		require.Equal(t, want, readArtifact(t, file).SourceSha256, "%s: run make contracts", file)
	}
}

// Ensure the pinned compiler gives the checked-in artifacts, byte for byte, those of the fixtures included.
func TestRebuildGivesSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("left out with -short: the race detector does not look into the compiler")
	}
	t.Parallel()
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("skipped: node is not installed")
	}
	if _, err := os.Stat("solidity/node_modules/solc"); err != nil {
		t.Skip("skipped: the pinned compiler is not installed (make contracts)")
	}
	dir := t.TempDir()
	out, err := exec.Command("node", "solidity/build.mjs", dir).CombinedOutput()
	require.NoError(t, err, string(out))
	rebuilt, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	checkedIn := slices.Clone(artifactFiles)
	for _, pattern := range []string{"../fixtures/contracts/*.json", "../fixtures/contracts/*/*.json", "../fixtures/contracts/*/*.code"} {
		helpers, err := filepath.Glob(pattern)
		require.NoError(t, err)
		checkedIn = append(checkedIn, helpers...)
	}
	require.Len(t, rebuilt, len(checkedIn))
	for _, path := range checkedIn {
		want, err := os.ReadFile(path)
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join(dir, filepath.Base(path)))
		require.NoError(t, err)
		require.True(t, string(want) == string(got), "%s differs from what the pinned compiler makes", path)
	}
}

// Ensure the pinned build names one exact compiler and no place to fetch it from.
func TestCompilerIsPinned(t *testing.T) {
	t.Parallel()
	lock, err := os.ReadFile("solidity/package-lock.json")
	require.NoError(t, err)
	require.NotContains(t, string(lock), `"resolved"`)
	var manifest struct{ Dependencies map[string]string }
	file, err := os.ReadFile("solidity/package.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(file, &manifest))
	require.Equal(t, map[string]string{"solc": "0.8.37"}, manifest.Dependencies)
}

// Ensure both variants have the real token's functions, and no others.
func TestSelectors(t *testing.T) {
	t.Parallel()
	want := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(selectors), "\n") {
		selector, signature, _ := strings.Cut(line, " ")
		want[signature] = selector
	}
	for _, file := range artifactFiles {
		require.Equal(t, want, readArtifact(t, file).MethodIdentifiers, file)
	}
	require.Len(t, tokencontract.ABI().Methods, len(want))
	for _, method := range tokencontract.ABI().Methods {
		require.Equal(t, want[method.Sig], hex.EncodeToString(method.ID), method.Sig)
		require.NotEqual(t, "payable", method.StateMutability, method.Sig)
	}
}

// Ensure both variants have the real token's events, and no others, with its indexed fields.
func TestEvents(t *testing.T) {
	t.Parallel()
	want := map[string]string{} // event -> first topic, whole or its beginning
	for _, line := range strings.Split(strings.TrimSpace(events), "\n") {
		topic, declaration, _ := strings.Cut(line, " ")
		want[declaration] = topic
	}
	require.Len(t, tokencontract.ABI().Events, len(want))
	for _, event := range tokencontract.ABI().Events {
		fields := make([]string, len(event.Inputs))
		for i, input := range event.Inputs {
			fields[i] = input.Type.String()
			if input.Indexed {
				fields[i] += " indexed"
			}
		}
		declaration := event.Name + "(" + strings.Join(fields, ",") + ")"
		require.Contains(t, want, declaration)
		require.True(t, strings.HasPrefix(event.ID.Hex(), want[declaration]), declaration)
	}
	require.JSONEq(t, string(readArtifact(t, "token.json").ABI), string(readArtifact(t, "documented_flow.json").ABI))
}

// Ensure the typehashes that Go computes are the real token's.
func TestTypehashes(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]tokencontract.Message{
		"0x7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267": tokencontract.Authorization{}.TransferMessage(),
		"0xd099cc98ef71107a616c4f0f941f04c322d8e254fe26b3c6668db87aae413de8": tokencontract.Authorization{}.ReceiveMessage(),
		"0x158b0a9edf7a828aad02f63cd515c68ef2f50ba807396f6d12842833a1597429": tokencontract.Cancellation{}.Message(),
		"0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9": tokencontract.Permit{}.Message(),
	} {
		require.Equal(t, want, m.Typehash().Hex(), m.PrimaryType())
	}
}

// Ensure the token returns those typehashes.
func TestTypehashConstants(t *testing.T) {
	t.Parallel()
	chain, token := deploy(t, tokencontract.Strict)
	for constant, m := range map[string]tokencontract.Message{
		"TRANSFER_WITH_AUTHORIZATION_TYPEHASH": tokencontract.Authorization{}.TransferMessage(),
		"RECEIVE_WITH_AUTHORIZATION_TYPEHASH":  tokencontract.Authorization{}.ReceiveMessage(),
		"CANCEL_AUTHORIZATION_TYPEHASH":        tokencontract.Cancellation{}.Message(),
		"PERMIT_TYPEHASH":                      tokencontract.Permit{}.Message(),
	} {
		outcome := chain.Call(common.Address{}, token, tokencontract.ABI().Methods[constant].ID)
		require.Equal(t, m.Typehash().Bytes(), outcome.Output, constant)
	}
}

// Ensure variables are where recipes for the real token look for them.
func TestStorageLayout(t *testing.T) {
	t.Parallel()
	want := []string{
		"0+0", "1+0", "1+20", "2+0", "3+0", "4+0", "5+0", "6+0", "7+0", "8+0", "8+20", "9+0", "10+0", "11+0", "12+0", "13+0", "14+0", "15+0", "16+0", "17+0", "18+0",
	}
	for _, file := range artifactFiles {
		a := readArtifact(t, file)
		var got []string
		for _, variable := range a.StorageLayout.Storage {
			got = append(got, variable.Slot+"+"+strconv.Itoa(variable.Offset))
		}
		require.Equal(t, want, got)
		require.Equal(t, "balanceWords", a.StorageLayout.Storage[11].Label)
	}
}

// Ensure either variant fits a chain's code size limit with room to spare.
func TestCodeSize(t *testing.T) {
	t.Parallel()
	for _, v := range []tokencontract.Variant{tokencontract.Strict, tokencontract.DocumentedFlow} {
		require.Less(t, len(v.RuntimeCode()), params.MaxCodeSize*3/4, v)
	}
}
