package fakenode_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Ensure files stay small and comments readable, as CONTRIBUTING.md has it. Code that is shown in a comment may be
// wider.
func TestFilesAndCommentsAreShort(t *testing.T) {
	t.Parallel()
	const lines, columns = 300, 120
	listed, err := exec.CommandContext(t.Context(), "git", "ls-files", "*.go").Output()
	if err != nil {
		t.Skipf("git lists no files, so there is nothing to read: %v", err)
	}
	for _, name := range strings.Fields(string(listed)) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		if strings.HasPrefix(string(text), "// Code generated") {
			continue
		}
		all := strings.Split(string(text), "\n")
		if !strings.HasSuffix(name, "_test.go") {
			assert.LessOrEqual(t, len(all)-1, lines, "%s has more lines than a file should", name)
		}
		for i, line := range all {
			comment := strings.TrimLeft(line, "\t")
			if strings.HasPrefix(comment, "//") && !strings.HasPrefix(comment, "//\t") && !strings.HasPrefix(comment, "//go:") {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), columns, "%s:%d is a comment wider than it should be", name, i+1)
			}
		}
	}
}
