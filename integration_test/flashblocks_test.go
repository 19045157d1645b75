package integration_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the session of docs/flashblocks.md goes as shown, with the ws package of npm.
func TestFlashblocksSession(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.NPM, "bash", "node")
	modules, err := packagesOf(scripts)
	require.NoError(t, err)
	k := newKitchen(t)
	k.program(t, "npm", `exec ln -s '`+modules+`' node_modules`)
	session := readRecipe(t, filepath.Join("..", "flashblocks.md"))
	require.Contains(t, session.files, "feed.mjs")
	require.NotEmpty(t, session.prints)
	k.cook(t, session)
	_, err = os.Stat(filepath.Join(k.folder, "node_modules", "ws"))
	require.NoError(t, err)
}
