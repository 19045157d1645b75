package integration_test

import (
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// ponderProject is a project of ponder, an indexer, with the script that drives a node under it.
const ponderProject = "ponder"

// Ensure ponder's table of transfers agrees with the chain after blocks, reorgs of several depths and a late block. It
// takes half a minute, most of it until ponder is up; the first installation a minute more.
func TestPonderFollowsReorgs(t *testing.T) {
	t.Parallel()
	requireNode(t)
	require.NoError(t, installPackages(ponderProject))
	node := fakenode.RunT(t)
	ctx, cancel := context.WithTimeout(t.Context(), scriptTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "node", "follow.mjs", node.URL(), node.Token().Address().Hex(), t.TempDir())
	command.Dir = ponderProject
	output, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		require.NoError(t, err, "%s", failed.Stderr)
	}
	require.NoError(t, err)
	transfers := map[string]int{}
	require.NoError(t, json.Unmarshal(output, &transfers))
	require.Equal(t, map[string]int{
		"history": 3, "blocks": 15, "reorg of 1, mined again": 15, "reorg of 3, lost": 13, "reorg of 8": 17,
		"two reorgs at once": 17, "a late block": 18, "blocks after all": 21,
	}, transfers)
}
