package cache_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/cache"
)

// Ensure a folder is filled once, and that what fails leaves nothing behind.
func TestFolder(t *testing.T) {
	root := t.TempDir()
	for _, variable := range []string{"XDG_CACHE_HOME", "HOME", "LocalAppData"} {
		t.Setenv(variable, root)
	}
	broken := errors.New("no network")
	_, err := cache.Folder("npm/abc", func(string) error { return broken })
	require.ErrorIs(t, err, broken)
	times := 0
	for range 2 {
		folder, err := cache.Folder("npm/abc", func(folder string) error {
			times++
			return os.WriteFile(filepath.Join(folder, "package"), []byte("whole"), 0o600)
		})
		require.NoError(t, err)
		content, err := os.ReadFile(filepath.Join(folder, "package"))
		require.NoError(t, err)
		require.Equal(t, "whole", string(content))
		require.Equal(t, 1, times)
		beside, err := os.ReadDir(filepath.Dir(folder))
		require.NoError(t, err)
		require.Len(t, beside, 1)
	}
}
