// Package readme runs what the READMEs of the examples show, and compares them with the programs. Only tests import it.
package readme

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Read returns the README of the folder that the test is in.
func Read(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	return string(text)
}

// Find returns the groups of the only place where a pattern matches.
func Find(t *testing.T, text, pattern string) []string {
	t.Helper()
	found := regexp.MustCompile(pattern).FindStringSubmatch(text)
	require.NotNil(t, found, "README.md has no %s", pattern)
	return found[1:]
}

// Arguments returns the arguments of the command line that runs an example.
func Arguments(t *testing.T, text, example string) string {
	t.Helper()
	return Find(t, text, `(?m)^\$ go run ./examples/`+example+` (.*)$`)[0]
}

// Session runs commands of a shell, in which texts are replaced, and returns what they print.
func Session(t *testing.T, commands string, replacements ...string) string {
	t.Helper()
	script := strings.NewReplacer(replacements...).Replace(commands)
	bash := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	var complaints bytes.Buffer
	bash.Stderr = &complaints
	output, err := bash.Output()
	require.NoError(t, err, "%s%s", output, &complaints)
	return string(output)
}

// NamesFiles requires that a README says what each file is for that matches a pattern.
func NamesFiles(t *testing.T, text string, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			inner := filepath.Dir(file) != "." && strings.HasSuffix(file, "_test.go") // of single functions
			require.True(t, inner || strings.Contains(text, filepath.Base(file)+"`"), "README.md does not say what %s is for", file)
		}
	}
}
