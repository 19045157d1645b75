package fakenode_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var updateLLMs = flag.Bool("update-llms", false, "write llms.txt anew")

// Ensure llms.txt, the list of pages for a user's coding agent, says what the pages say: each one's title, how it
// begins, and its sections. Update it with: go test . -run TestLLMs -update-llms.
func TestLLMs(t *testing.T) {
	t.Parallel()
	want := llms(t)
	if *updateLLMs {
		require.NoError(t, os.WriteFile("llms.txt", []byte(want), 0o644))
	}
	got, err := os.ReadFile("llms.txt")
	require.NoError(t, err)
	require.Equal(t, want, string(got), "run: go test . -run TestLLMs -update-llms")
}

func llms(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	_, summary, _ := page(t, "README.md")
	fmt.Fprintf(&b, "# fakenode\n\n> %s\n", summary)
	b.WriteString("\nPaths are those of the repository. Methods and their parameters are in docs/rpc.md, flags in `fakenode --help` and docs/cli.md, the Go API in docs/go.md and `go doc github.com/fakenode/fakenode`.\n")
	for _, group := range []struct{ title, pattern string }{
		{"Docs", "docs/*.md"},
		{"Recipes", "docs/recipes/*.md"},
		{"Packages and examples", "npm/README.md python/README.md tokencontract/README.md examples/*/README.md"},
		{"Optional", "README.md CONTRIBUTING.md CHANGELOG.md docs/maintainers/*.md"},
	} {
		fmt.Fprintf(&b, "\n## %s\n\n", group.title)
		for _, pattern := range strings.Fields(group.pattern) {
			paths, err := filepath.Glob(pattern)
			require.NoError(t, err)
			require.NotEmpty(t, paths, pattern)
			for _, path := range paths {
				title, begins, sections := page(t, path)
				fmt.Fprintf(&b, "- [%s](%s): %s", title, filepath.ToSlash(path), begins)
				if len(sections) > 0 {
					fmt.Fprintf(&b, " Sections: %s.", strings.Join(sections, " · "))
				}
				b.WriteString("\n")
			}
		}
	}
	return b.String()
}

// page returns the title of a document, how it begins in one line, without links, and the titles of its sections.
func page(t *testing.T, path string) (title, begins string, sections []string) {
	t.Helper()
	file, err := os.ReadFile(path)
	require.NoError(t, err)
	text := regexp.MustCompile("(?s)```.*?```").ReplaceAllString(string(file), "") // where # begins a comment
	text = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(text, "$1")
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		line := strings.Join(strings.Fields(paragraph), " ")
		switch {
		case strings.HasPrefix(line, "# "):
			title = line[2:]
		case strings.HasPrefix(line, "## "):
			sections = append(sections, strings.TrimPrefix(line, "## "))
		case begins == "" && line != "" && !strings.HasPrefix(paragraph, " "):
			begins = strings.TrimSuffix(line, ":")
		}
	}
	require.NotEmpty(t, title, path)
	require.NotEmpty(t, begins, path)
	return title, begins, sections
}
