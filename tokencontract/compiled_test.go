package tokencontract_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/tokencontract"
)

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

// listed returns the lines of a file about FiatTokenV2_2: a selector or the beginning of a first topic, and what it is
// of.
func listed(t *testing.T, name string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	require.NoError(t, err)
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

// Ensure the token has the real one's functions, and no others. The build fails if the variants' interfaces differ.
func TestSelectors(t *testing.T) {
	t.Parallel()
	want := map[string]string{}
	for _, line := range listed(t, "functions.txt") {
		selector, signature, _ := strings.Cut(line, " ")
		want[signature] = selector
	}
	require.Len(t, tokencontract.ABI().Methods, len(want))
	for _, method := range tokencontract.ABI().Methods {
		require.Equal(t, want[method.Sig], hex.EncodeToString(method.ID), method.Sig)
		require.NotEqual(t, "payable", method.StateMutability, method.Sig)
	}
}

// Ensure the token has the real one's events, and no others, with its indexed fields.
func TestEvents(t *testing.T) {
	t.Parallel()
	want := map[string]string{} // event -> first topic, whole or its beginning
	for _, line := range listed(t, "events.txt") {
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
