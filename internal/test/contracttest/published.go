package contracttest

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/cache"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Published returns a file of an npm package, name@version, which is fetched once and not installed. It is for tests of
// the laboratory.
func Published(t *testing.T, name, path string) []byte {
	t.Helper()
	laboratory.Needs(t, laboratory.NPM, "npm")
	folder, err := cache.Folder("npm/packed/"+strings.ReplaceAll(name, "/", "+"), func(folder string) error {
		command := exec.CommandContext(t.Context(), "npm", "pack", name, "--prefer-offline", "--silent", "--pack-destination", folder)
		if output, err := command.CombinedOutput(); err != nil {
			return fmt.Errorf("%s: %w\n%s", command, err, output)
		}
		return nil
	})
	require.NoError(t, err)
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
