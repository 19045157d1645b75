package fakenode_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// testsOf is what the tests of one package are called.
type testsOf struct {
	directory string
	functions map[string]bool
	words     map[string]bool // string constants, which cases are named by; those of packages below count, too
}

func readTests(t *testing.T, directory string) testsOf {
	t.Helper()
	p := testsOf{directory, map[string]bool{}, map[string]bool{}}
	for _, pattern := range []string{"*.go", "*/*.go"} {
		paths, err := filepath.Glob(filepath.Join(directory, pattern))
		require.NoError(t, err)
		for _, path := range paths {
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			p.read(file, strings.HasSuffix(path, "_test.go") && filepath.Dir(path) == filepath.Clean(directory))
		}
	}
	return p
}

func (p testsOf) read(file *ast.File, tests bool) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if tests && n.Recv == nil {
				p.functions[n.Name.Name] = true
			}
		case *ast.BasicLit:
			if word, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				p.words[word] = true
			}
		}
		return true
	})
}

// has says whether there is a test of that name, with a case where one is named: an .io file, or a case whose whole
// name or last part is a word of the package.
func (p testsOf) has(name string) bool {
	function, subtest, named := strings.Cut(name, "/")
	if !p.functions[function] || !named {
		return p.functions[function]
	}
	for _, pattern := range []string{"testdata/", "testdata/*/"} {
		if found, _ := filepath.Glob(filepath.Join(p.directory, pattern+subtest+".io")); len(found) > 0 {
			return true
		}
	}
	last := subtest[strings.LastIndex(subtest, "/")+1:]
	return p.words[subtest] || p.words[last] || p.words["/"+last]
}

// Ensure every rule in docs/coverage.md has an id of its own and a test, and that every test named there exists.
func TestCoverageNamesTests(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("docs/coverage.md")
	require.NoError(t, err)
	name := regexp.MustCompile("`([a-z_0-9/]+) ((?:Test|Fuzz|Example)[^`]*)`")
	packages, ids := map[string]testsOf{}, map[string]bool{}
	var missing []string
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		if !strings.HasPrefix(line, "| ") || cells[0] == "id" {
			continue
		}
		require.Len(t, cells, 3, line)
		require.False(t, ids[cells[0]], "%s is there twice", cells[0])
		ids[cells[0]] = true
		named := name.FindAllStringSubmatch(cells[2], -1)
		require.NotEmpty(t, named, "%s has no test", cells[0])
		require.Empty(t, strings.Trim(name.ReplaceAllString(cells[2], ""), ", "), "%s names something that is no test", cells[0])
		for _, test := range named {
			directory := test[1]
			if directory == "fakenode" {
				directory = "."
			}
			if _, read := packages[directory]; !read {
				packages[directory] = readTests(t, directory)
			}
			if !packages[directory].has(test[2]) {
				missing = append(missing, cells[0]+": "+test[0])
			}
		}
	}
	require.NotEmpty(t, ids)
	require.Empty(t, missing)
}
