package rpcserver

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/rpcserver/eth"
)

// reference is the document that describes the methods.
const reference = "../docs/rpc.md"

// firstCells returns the first cells of the rows that pattern matches, in the tables of the reference.
func firstCells(t *testing.T, pattern string) (cells []string) {
	t.Helper()
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		cell, _, row := strings.Cut(strings.TrimPrefix(line, "| "), " |")
		if row && strings.HasPrefix(line, "| ") && regexp.MustCompile("^"+pattern+"$").MatchString(cell) {
			cells = append(cells, cell)
		}
	}
	return cells
}

// requireMethods fails with the methods that a file lacks, and with what it has that is no method.
func requireMethods(t *testing.T, file string, names []string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		assert.True(t, slices.Contains(names, name), "%s has no row for %s", file, name)
	}
	for i, name := range names {
		_, served := methods[name]
		assert.True(t, served, "%s has a row for %s, which is no method", file, name)
		assert.False(t, slices.Contains(names[:i], name), "%s has %s twice", file, name)
	}
}

// Ensure docs/rpc.md has a row for every method, and for nothing else.
func TestMethodsAreDocumented(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`[a-z0-9]+_[A-Za-z0-9_]+`)
	var documented []string
	for _, cell := range firstCells(t, "`[a-z0-9]+_[A-Za-z0-9_]+`(, `[a-z0-9]+_[A-Za-z0-9_]+`)*") {
		documented = append(documented, name.FindAllString(cell, -1)...)
	}
	requireMethods(t, "docs/rpc.md", documented)
}

// Ensure every method has its bound in docs/maintainers/bounds.md, and just one.
func TestMethodsHaveBounds(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../docs/maintainers/bounds.md")
	require.NoError(t, err)
	var bounded []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, "|")
		if len(cells) != 6 || strings.HasPrefix(line, "|---") || cells[1] == " work " {
			continue
		}
		require.NotEmpty(t, strings.TrimSpace(cells[2]), "time of %s", cells[1])
		require.NotEmpty(t, strings.TrimSpace(cells[3]), "bytes of %s", cells[1])
		for _, name := range strings.Split(cells[4], ",") {
			bounded = append(bounded, strings.Trim(name, " `"))
		}
	}
	requireMethods(t, "docs/maintainers/bounds.md", bounded)
}

// Ensure docs/rpc.md has a row for every kind of subscription.
func TestSubscriptionsAreDocumented(t *testing.T) {
	t.Parallel()
	var documented []string
	cells := firstCells(t, "`[a-zA-Z]+`")
	for _, cell := range cells {
		documented = append(documented, strings.Trim(cell, "`"))
	}
	slices.Sort(documented)
	require.Equal(t, eth.Notifications["eth_subscription"], documented)
}

// Ensure docs/rpc.md has a row for every error code that the node sends.
func TestErrorCodesAreDocumented(t *testing.T) {
	t.Parallel()
	var codes []int
	for _, name := range []string{"api/errors.go", "jsonrpc/errors.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || !strings.HasPrefix(strings.ToLower(spec.Names[0].Name), "code") {
				return true
			}
			value, sign := spec.Values[0], 1
			if negative, ok := value.(*ast.UnaryExpr); ok {
				value, sign = negative.X, -1
			}
			literal, ok := value.(*ast.BasicLit) // else a name for a code of the other file
			if !ok {
				return true
			}
			code, err := strconv.Atoi(literal.Value)
			require.NoError(t, err)
			codes = append(codes, sign*code)
			return true
		})
	}
	var documented []int
	cells := firstCells(t, `-?\d+`)
	for _, cell := range cells {
		code, err := strconv.Atoi(cell)
		require.NoError(t, err)
		documented = append(documented, code)
	}
	slices.Sort(codes)
	slices.Sort(documented)
	require.Equal(t, codes, documented)
}

// Ensure a transcript calls every method, so that each answer is recorded as clients see it.
func TestMethodsHaveTranscripts(t *testing.T) {
	t.Parallel()
	called := make(map[string]bool)
	name := regexp.MustCompile(`"method": ?"([a-z0-9]+_[A-Za-z0-9_]+)"`)
	transcripts, err := filepath.Glob("testdata/*/*.io")
	require.NoError(t, err)
	for _, path := range transcripts {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, found := range name.FindAllSubmatch(text, -1) {
			called[string(found[1])] = true
		}
	}
	for _, method := range slices.Sorted(maps.Keys(methods)) {
		assert.True(t, called[method], "no transcript calls %s: add it to a file rpcserver/testdata/*/*.io and run `make golden`", method)
	}
}

// Ensure CHANGELOG.md names every method that only fakenode has.
func TestMethodsAreInTheChangelog(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../CHANGELOG.md")
	require.NoError(t, err)
	for _, method := range slices.Sorted(maps.Keys(methods)) {
		if strings.HasPrefix(method, "fakenode_") {
			assert.True(t, strings.Contains(string(text), "`"+method+"`"), "CHANGELOG.md has no line for %s", method)
		}
	}
}
