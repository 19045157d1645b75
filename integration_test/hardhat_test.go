package integration_test

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// hardhatProject is a Hardhat project whose tests run against a node.
const hardhatProject = "hardhat"

// Ensure the tests of a Hardhat project pass as its authors would write them, with hardhat-network-helpers and the chai
// matchers from npm as they are: fixtures, time travel, impersonation, snapshots, custom errors. The node is as
// --preset hardhat makes it. The tests take about 5 s, the first installation half a minute.
func TestHardhatProject(t *testing.T) {
	t.Parallel()
	requireNode(t)
	require.NoError(t, installPackages(hardhatProject))
	node := fakenode.RunConfigT(t, fakenode.Config{Preset: fakenode.Hardhat, RealClock: true})
	ctx, cancel := context.WithTimeout(t.Context(), scriptTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "node", "node_modules/hardhat/internal/cli/bootstrap.js", "test")
	command.Dir = hardhatProject
	command.Env = append(os.Environ(), "FAKENODE_URL="+node.URL(), "HARDHAT_DISABLE_TELEMETRY_PROMPT=true")
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	require.Contains(t, string(output), "9 passing")
}
