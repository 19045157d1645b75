package fakenode_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure Go code shown in a document is in a test, word for word and in one piece.
func TestShownCodeIsTested(t *testing.T) {
	t.Parallel()
	const door = "internal/test/door/"
	for document, file := range map[string]string{
		"README.md":              "readme_test.go",
		"doc.go":                 "readme_test.go",
		"docs/recipes.md":        door + "recipes_test.go",
		"docs/from-simulated.md": door + "simulated_test.go",
		"docs/migrate-denim.md":  door + "migrate_test.go",
	} {
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		tested := unindented(string(code))
		var shown []string
		for _, block := range regexp.MustCompile("(?s)\n```go\n(.*?)```\n").FindAllStringSubmatch(string(text), -1) {
			shown = append(shown, block[1])
		}
		if document == "doc.go" {
			shown = append(shown, packageExample(string(text)))
		}
		require.NotEmpty(t, shown, document)
		for _, block := range shown {
			require.Contains(t, tested, unindented(block), "%s shows what %s does not run", document, file)
		}
	}
}

// packageExample returns the code in a package comment.
func packageExample(file string) string {
	_, code, _ := strings.Cut(file, "//\n//\t")
	code, _, _ = strings.Cut(code, "\n//\n// ")
	return regexp.MustCompile(`(?m)^//`).ReplaceAllString(code, "")
}

// unindented returns text without the space at the start and end of its lines.
func unindented(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Join(lines, "\n")
}
