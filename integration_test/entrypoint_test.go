package integration_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/internal/entrypointtest"
)

// Ensure the published EntryPoint v0.6 does what the table says, which fakenode's own does as well.
func TestPublishedEntryPoint(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: the published EntryPoint is not tested", tool)
		}
	}
	require.NoError(t, installed())
	file, err := os.ReadFile(filepath.Join(scripts, "node_modules/@account-abstraction/contracts/artifacts/EntryPoint.json"))
	require.NoError(t, err)
	var artifact struct{ DeployedBytecode hexutil.Bytes }
	require.NoError(t, json.Unmarshal(file, &artifact))
	code := contracts.Immutable(artifact.DeployedBytecode, entrypoint.V06SenderCreatorAddress)
	for _, c := range entrypointtest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.Run(t, code)
		})
	}
}
