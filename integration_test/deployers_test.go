package integration_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// deployersProject is a Hardhat project with OpenZeppelin's plugin for upgrades, Hardhat Ignition and hardhat-deploy.
const deployersProject = "deployers"

// Ensure the programs with which Hardhat's projects deploy work as they are: what they deployed they find again, and
// after a reset they deploy anew.
func TestDeployers(t *testing.T) {
	t.Parallel()
	requireNode(t)
	modules, err := packagesOf(deployersProject)
	require.NoError(t, err)
	for preset, mode := range map[fakenode.Preset]fakenode.Mode{fakenode.Anvil: fakenode.Instant, fakenode.Hardhat: fakenode.Instant, fakenode.Base: fakenode.Interval} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Mode: mode, RealClock: true})
			go func() { _ = node.Run(t.Context()) }()
			project := t.TempDir()
			require.NoError(t, os.CopyFS(project, os.DirFS(deployersProject)))
			require.NoError(t, os.Symlink(modules, filepath.Join(project, "node_modules")))
			for _, step := range []struct {
				args []string
				want string
			}{
				{[]string{"run", "upgrades.cjs"}, "upgraded: 43\nagain: 43\n"},
				{[]string{"ignition", "deploy", "ignition/modules/Box.cjs"}, "[ Boxes ] successfully deployed"},
				{[]string{"deploy"}, "value 5\n"},
				{[]string{"deploy"}, `reusing "BoxV2"`},
			} {
				command := exec.CommandContext(t.Context(), "node", append([]string{"node_modules/hardhat/internal/cli/bootstrap.js"}, step.args...)...)
				command.Dir = project
				command.Env = append(os.Environ(), "FAKENODE_URL="+node.URL(), "HARDHAT_DISABLE_TELEMETRY_PROMPT=true", "HARDHAT_IGNITION_CONFIRM_DEPLOYMENT=false")
				output, err := command.CombinedOutput()
				require.NoError(t, err, "%s: %s", step.args, output)
				require.Contains(t, string(output), step.want)
			}
		})
	}
}
