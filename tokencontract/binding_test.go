package tokencontract_test

import (
	"flag"
	"os"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi/abigen"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite binding.go from the artifact")

// Ensure binding.go is what abigen v2 makes of the artifact's ABI.
func TestBindingMatchesArtifact(t *testing.T) {
	t.Parallel()
	// abigen numbers overloads in the order of the ABI; name them by the form of their signature instead.
	aliases := map[string]string{
		"transferWithAuthorization0": "TransferWithAuthorizationVRS",
		"receiveWithAuthorization0":  "ReceiveWithAuthorizationVRS",
		"cancelAuthorization":        "CancelAuthorizationVRS",
		"cancelAuthorization0":       "CancelAuthorization",
		"permit0":                    "PermitVRS",
	}
	token := readArtifact(t, "token.json")
	source, err := abigen.BindV2([]string{"Token"}, []string{string(token.ABI)}, []string{""}, "tokencontract", nil, aliases)
	require.NoError(t, err)
	if *update {
		require.NoError(t, os.WriteFile("binding.go", []byte(source), 0o644))
	}
	onDisk, err := os.ReadFile("binding.go")
	require.NoError(t, err)
	require.Equal(t, source, string(onDisk), "run: go test ./tokencontract -run TestBinding -update")
}
