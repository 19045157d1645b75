package main

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure docs/cli.md has a row for every flag, with its variable, and for nothing else.
func TestFlagsAreDocumented(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/cli.md")
	require.NoError(t, err)
	var documented, defined [][2]string
	for _, row := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)` \\| `([A-Z_]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		documented = append(documented, [2]string{row[1], row[2]})
	}
	new(options).flagSet().VisitAll(func(f *flag.Flag) {
		defined = append(defined, [2]string{f.Name, variablePrefix + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))})
	})
	require.Equal(t, defined, documented)
}
