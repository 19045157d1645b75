package fakenode_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/preconf/control"
)

// testsOf holds the names of the tests of one package.
type testsOf struct {
	directory string
	functions map[string]bool
	words     map[string]bool // string constants, which cases are named by; also those of packages below and of internal/test
}

func readTests(t *testing.T, directory string) testsOf {
	t.Helper()
	p := testsOf{directory, map[string]bool{}, map[string]bool{}}
	for _, pattern := range []string{directory + "/*.go", directory + "/*/*.go", "internal/test/*/*.go"} { // tables are there
		paths, err := filepath.Glob(pattern)
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

// has reports whether there is a test of that name, with a case where one is named: an .io file, or a case whose whole
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

// contractRules returns the rows of docs/contract.md whose table is one of rules: id, rule, tests.
func contractRules(t *testing.T) [][]string {
	t.Helper()
	text, err := os.ReadFile("docs/contract.md")
	require.NoError(t, err)
	var rules [][]string
	inRules := false
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(line, "|\n "), " | ")
		switch {
		case !strings.HasPrefix(line, "|"):
			inRules = false
		case cells[0] == "id":
			inRules = true
		case inRules && !strings.HasPrefix(line, "|--"):
			require.Len(t, cells, 3, line)
			rules = append(rules, cells)
		}
	}
	require.NotEmpty(t, rules)
	return rules
}

// Ensure every rule in docs/contract.md has an id of its own and a test or the words "no test", and that every test
// named there exists.
func TestContractNamesTests(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	name := regexp.MustCompile("`([a-z_0-9/]+) ((?:Test|Fuzz|Example)[^`]*)`")
	packages, ids := map[string]testsOf{}, map[string]bool{}
	var missing []string
	for _, cells := range contractRules(t) {
		require.False(t, ids[cells[0]], "%s is there twice", cells[0])
		ids[cells[0]] = true
		if cells[2] == "no test" {
			continue
		}
		named := name.FindAllStringSubmatch(cells[2], -1)
		require.NotEmpty(t, named, "%s has no test and does not say so", cells[0])
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
	require.Empty(t, missing)
}

// Ensure every rule that a file cites, as "contract 2.2-fromBlock", is in docs/contract.md, and that no file cites
// sections, which belong to documents that the repository does not have.
func TestCitationsAreRules(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	ids := map[string]bool{}
	for _, cells := range contractRules(t) {
		ids[cells[0]] = true
	}
	section := regexp.MustCompile(`(?i)\b(contract|design|spec|reference)('s)? sections?\b`)
	const id = `(?:D-|[0-9])[\w.-]*\w`
	citation := regexp.MustCompile(`\b[Cc]ontract (` + id + `(?:(?:, | and )` + id + `)*)`)
	var wrong []string
	for _, path := range citingFiles(t) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for i, line := range strings.Split(string(text), "\n") {
			where := path + ":" + strconv.Itoa(i+1) + ": "
			if found := section.FindString(line); found != "" {
				wrong = append(wrong, where+found)
			}
			for _, cited := range citation.FindAllStringSubmatch(line, -1) {
				for _, rule := range strings.Split(strings.ReplaceAll(cited[1], " and ", ", "), ", ") {
					if !ids[rule] {
						wrong = append(wrong, where+cited[0])
					}
				}
			}
		}
	}
	require.Empty(t, wrong)
}

// citingFiles returns the Go files, documents and transcripts of the repository.
func citingFiles(t *testing.T) []string {
	t.Helper()
	var files []string
	require.NoError(t, filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains([]string{"node_modules", "dist"}, entry.Name()) || path != "." && entry.Name()[0] == '.'):
			return filepath.SkipDir
		case slices.Contains([]string{".go", ".md", ".io"}, filepath.Ext(path)):
			files = append(files, path)
		}
		return nil
	}))
	return files
}

// Ensure every link of a document leads to a file of the repository and, behind #, to a heading in it.
func TestLinksLeadSomewhere(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^()\s]+)\)`)
	var broken []string
	for _, document := range citingFiles(t) {
		if filepath.Ext(document) != ".md" {
			continue
		}
		text, err := os.ReadFile(document)
		require.NoError(t, err)
		for _, found := range link.FindAllStringSubmatch(string(text), -1) {
			path, heading, _ := strings.Cut(found[1], "#")
			if repository, ours := strings.CutPrefix(path, "https://github.com/fakenode/fakenode/blob/main/"); ours {
				path = repository
			} else if strings.Contains(path, "://") {
				continue
			} else if path == "" {
				path = document
			} else {
				path = filepath.Join(filepath.Dir(document), path)
			}
			if _, err := os.Stat(path); err != nil || heading != "" && !slices.Contains(headings(t, path), heading) {
				broken = append(broken, document+": "+found[1])
			}
		}
	}
	require.Empty(t, broken)
}

// headings returns the names of a document's headings in links.
func headings(t *testing.T, document string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(document)
	require.NoError(t, err)
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(string(text), -1) {
		name := strings.ReplaceAll(strings.ToLower(heading[1]), " ", "-")
		names = append(names, regexp.MustCompile(`[^\p{L}\p{N}_-]`).ReplaceAllString(name, ""))
	}
	return names
}

// Ensure the pages for users have at most 34,000 words, as wc counts them: the README, those of the packages and of
// docs, but for the contract and what is for those who change fakenode. A new fact takes the place of one that is said
// twice.
func TestPagesForUsersStayShort(t *testing.T) {
	t.Parallel()
	const most = 34_000
	pages := []string{"README.md", "npm/README.md", "python/README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/recipes/*.md"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		pages = append(pages, found...)
	}
	words := 0
	for _, page := range pages {
		if slices.Contains([]string{"docs/architecture.md", "docs/contract.md", "docs/preconfirmations.md"}, page) {
			continue
		}
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		words += len(strings.Fields(string(text)))
	}
	require.LessOrEqual(t, words, most)
}

// behind returns the part of a page behind a text in it.
func behind(t *testing.T, page, text string) string {
	t.Helper()
	all, err := os.ReadFile(page)
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(all), text)
	require.True(t, found, "%s has no %q", page, text)
	return rest
}

// Ensure docs/architecture.md names each room: a stranger learns there what it owns.
func TestRoomsAreNamed(t *testing.T) {
	t.Parallel()
	table, _, found := strings.Cut(behind(t, "docs/architecture.md", "## The rooms"), "\n## ")
	require.True(t, found)
	within := regexp.MustCompile(`^(contracts|internal/test|internal/tool|integration_test)/`)
	for room := range doors {
		if room != "" && !within.MatchString(room) {
			named := strings.Contains(table, "`"+room+"`") || strings.Contains(table, "`…/"+path.Base(room)+"`")
			require.True(t, named, "docs/architecture.md does not name %s among the rooms", room)
		}
	}
}

// Ensure the files and folders that "Where to add" names in docs/architecture.md are there.
func TestWhereToAddIsThere(t *testing.T) {
	t.Parallel()
	table := behind(t, "docs/architecture.md", "## Where to add")
	paths := regexp.MustCompile("`((?:[a-z0-9_]+/)*[A-Za-z0-9_]+(?:\\.[a-z]+)?)`").FindAllStringSubmatch(table, -1)
	var named int
	for _, path := range paths {
		if strings.Contains(path[1], "/") || filepath.Ext(path[1]) == ".md" {
			named++
			_, err := os.Stat(path[1])
			require.NoError(t, err, "docs/architecture.md names %s", path[1])
		}
	}
	require.Greater(t, named, 20)
}

// Ensure each kind of flashblock fault is wherever a user may name one.
func TestFaultKindsAreNamedEverywhere(t *testing.T) {
	t.Parallel()
	declared, err := os.ReadFile("preconf/control/fault.go")
	require.NoError(t, err)
	names, err := os.ReadFile("names.go")
	require.NoError(t, err)
	constants := regexp.MustCompile(`(?m)^\t(\w+) +FaultKind = "`).FindAllSubmatch(declared, -1)
	require.Len(t, constants, len(control.FaultKinds()))
	for _, constant := range constants {
		require.Regexp(t, `(?m)^\t`+string(constant[1])+` +=`, string(names), "names.go lacks a fault")
	}
	var missing []string
	for _, file := range []string{
		"docs/rpc.md", "npm/src/control.ts", "python/src/fakenode/control.py", "rpcserver/page/assets/index.html",
	} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, kind := range control.FaultKinds() {
			if !strings.Contains(string(text), `"`+string(kind)+`"`) && !strings.Contains(string(text), "`"+string(kind)+"`") {
				missing = append(missing, file+" lacks the fault "+string(kind))
			}
		}
	}
	require.Empty(t, missing)
}
