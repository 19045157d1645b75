package contracttest

import (
	"archive/tar"
	"compress/gzip"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Published returns a file of an npm package, which is fetched and not installed. It skips the test with -short and
// where npm is missing.
func Published(t *testing.T, name, path string) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("left out with -short: the race detector does not look into contracts")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm is not installed: published contracts are not tested")
	}
	folder := t.TempDir()
	output, err := exec.CommandContext(t.Context(), "npm", "pack", name, "--prefer-offline", "--silent", "--pack-destination", folder).CombinedOutput()
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
		require.NoError(t, err, "%s has no %s", name, path)
		if header.Name == path {
			content, err := io.ReadAll(archive)
			require.NoError(t, err)
			return content
		}
	}
}
