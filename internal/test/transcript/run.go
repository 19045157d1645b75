package transcript

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Node is the other side of a conversation.
type Node struct {
	// URL is where requests are posted. A WebSocket opens at the same place.
	URL string
	// Step takes a "!!" step, given without the mark. If it is nil, every step is an error.
	Step func(step string) error
}

// Run replays every .io file under dir, each in a parallel subtest with a node of its own from start. If update is
// true, it writes the answers into the files instead of comparing them.
func Run(t *testing.T, dir string, update bool, start func(t *testing.T) Node) {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ".io") {
			files = append(files, path)
		}
		return err
	})
	require.NoError(t, err)
	require.NotEmpty(t, files, "no .io files under %s", dir)
	for _, file := range files {
		name, err := filepath.Rel(dir, file)
		require.NoError(t, err)
		t.Run(strings.TrimSuffix(filepath.ToSlash(name), ".io"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			c := conversation{node: start(t)}
			defer c.close()
			if update {
				text, err = c.record(string(text))
				require.NoError(t, err, file)
				require.NoError(t, os.WriteFile(file, text, 0o644))
				return
			}
			require.NoError(t, c.replay(string(text), func(line int, want, have string) {
				require.Equal(t, want, have, "%s:%d", file, line)
			}), file)
		})
	}
}
