package fakenode_test

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// goFiles returns the text of each file of Go that git lists, by its path.
func goFiles(t *testing.T) map[string]string {
	t.Helper()
	laboratory.OneGoroutine(t)
	listed, err := exec.CommandContext(t.Context(), "git", "ls-files", "*.go").Output()
	if err != nil {
		t.Skipf("git lists no files, so there is nothing to read: %v", err)
	}
	files := map[string]string{}
	for _, name := range strings.Fields(string(listed)) {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		files[name] = string(text)
	}
	return files
}

// Ensure files stay small and comments readable, as CONTRIBUTING.md has it. Code that is shown in a comment may be
// wider.
func TestFilesAndCommentsAreShort(t *testing.T) {
	t.Parallel()
	const lines, columns = 450, 120
	for name, text := range goFiles(t) {
		if strings.HasPrefix(text, "// Code generated") {
			continue
		}
		all := strings.Split(text, "\n")
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

// riddle matches the beginning of a doc comment that describes a thing and does not name it.
var riddle = regexp.MustCompile(`^\s*// (\w+) (is|are|returns|holds|reports) (what|who|that of|those of|those that) `)

// Ensure doc comments name the thing that they are about, so that they need one reading.
func TestDocCommentsNameTheThing(t *testing.T) {
	t.Parallel()
	for name, text := range goFiles(t) {
		before := ""
		for i, line := range strings.Split(text, "\n") {
			begins := !strings.HasPrefix(strings.TrimSpace(before), "//")
			if found := riddle.FindStringSubmatch(line); found != nil && begins {
				assert.Fail(t, "a comment that needs two readings", "%s:%d begins with \"%s %s %s\": name the thing, such as \"head is the newest block\" in place of \"head is what a chain ends with\"",
					name, i+1, found[1], found[2], found[3])
			}
			before = line
		}
	}
}

// Ensure words that docs/architecture.md lists as gone are in no code and no comment.
func TestWordsThatAreGone(t *testing.T) {
	t.Parallel()
	table, _, _ := strings.Cut(behind(t, "docs/architecture.md", "| gone | in its place |\n|---|---|\n"), "\n\n")
	var gone []string
	for row := range strings.SplitSeq(table, "\n") {
		words, _, _ := strings.Cut(strings.TrimPrefix(row, "| "), " | ")
		gone = append(gone, strings.Split(words, ", ")...)
	}
	pattern := regexp.MustCompile(`(?i)\b(` + strings.Join(gone, "|") + `)\b`)
	for name, text := range goFiles(t) {
		assert.Empty(t, pattern.FindString(text), "%s has a word that is gone", name)
	}
}
