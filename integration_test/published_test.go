package integration_test

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/fixtures/contracts/permit2"
	"github.com/fakenode/fakenode/internal/test/contracttest"
	"github.com/fakenode/fakenode/internal/test/entrypointtest"
	"github.com/fakenode/fakenode/internal/test/permit2test"
)

// Ensure the published EntryPoints behave as in the tables, as fakenode's own do.
func TestPublishedEntryPoints(t *testing.T) {
	t.Parallel()
	for version, table := range map[string]struct {
		senderCreator common.Address
		cases         []entrypointtest.Case
	}{
		"0.6.0": {entrypoint.V06SenderCreatorAddress, entrypointtest.V06Cases()},
		"0.7.0": {entrypoint.V07SenderCreatorAddress, entrypointtest.V07Cases()},
	} {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			code := contracts.Immutable(entryPoint(t, version), table.senderCreator)
			for _, c := range table.cases {
				t.Run(c.Name, func(t *testing.T) {
					t.Parallel()
					c.Run(t, code)
				})
			}
		})
	}
}

// entryPoint returns the published code, without the address of its SenderCreator.
func entryPoint(t *testing.T, version string) []byte {
	t.Helper()
	var artifact struct{ DeployedBytecode hexutil.Bytes }
	require.NoError(t, json.Unmarshal(publishedFile(t, "@account-abstraction/contracts@"+version, "package/artifacts/EntryPoint.json"), &artifact))
	return artifact.DeployedBytecode
}

// Ensure the published Permit2 behaves as in the table, as fakenode's own does.
func TestPublishedPermit2(t *testing.T) {
	t.Parallel()
	source := publishedFile(t, "@eth-optimism/contracts-bedrock@0.17.3", "package/src/libraries/Preinstalls.sol")
	found := regexp.MustCompile(`Permit2TemplateCode =\s+hex"([0-9a-f]+)"`).FindSubmatch(source)
	require.NotNil(t, found)
	code := common.FromHex(string(found[1]))
	// It is a template: the chain id and the domain separator that the code caches are filled in where it is placed.
	chainID := common.BigToHash(common.Big0)
	chainID.SetBytes(hexutil.MustDecode("0x7a69")) // contracttest.ChainID
	copy(code[6945:], chainID[:])
	domain := permit2.TransferPermit{}.TypedData(contracttest.ChainID)
	separator, err := domain.HashStruct("EIP712Domain", domain.Domain.Map())
	require.NoError(t, err)
	copy(code[6983:], separator)
	for _, c := range permit2test.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.Run(t, code)
		})
	}
}

// publishedFile returns a file of an npm package, which is fetched and not installed. The test is skipped where npm is
// missing.
func publishedFile(t *testing.T, name, path string) []byte {
	t.Helper()
	requireNode(t)
	ctx, cancel := context.WithTimeout(t.Context(), installTimeout)
	defer cancel()
	folder := t.TempDir()
	output, err := exec.CommandContext(ctx, "npm", "pack", name, "--prefer-offline", "--silent", "--pack-destination", folder).CombinedOutput()
	require.NoError(t, err, "%s", output)
	files, err := filepath.Glob(filepath.Join(folder, "*.tgz"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	file, err := os.Open(files[0])
	require.NoError(t, err)
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	require.NoError(t, err)
	archive := tar.NewReader(unzipped)
	for {
		header, err := archive.Next()
		if errors.Is(err, io.EOF) {
			require.Fail(t, "no such file", "%s has no %s", name, path)
		}
		require.NoError(t, err)
		if header.Name == path {
			content, err := io.ReadAll(archive)
			require.NoError(t, err)
			return content
		}
	}
}
