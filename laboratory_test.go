package fakenode_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// laboratoryRun is a line of the Makefile that runs a part of the laboratory.
type laboratoryRun struct {
	opens    string // parts, with commas between them
	filter   string // "run" or "skip", or empty
	packages []string
}

// Ensure make everything runs every test of the laboratory: whatever part it asks for is open in one of the runs.
func TestLaboratoryRunsEverything(t *testing.T) {
	laboratory.OneGoroutine(t)
	t.Parallel()
	makefile, err := os.ReadFile("Makefile")
	require.NoError(t, err)
	var runs []laboratoryRun
	for i, line := range regexp.MustCompile(`(?m)^lab-(\d).*\n\tFAKENODE_LAB=(\S+) \$\(LAB\)(?: -(run|skip) '\$\(PACKAGED\)')? (.*)$`).FindAllStringSubmatch(string(makefile), -1) {
		require.Equal(t, i+1, int(line[1][0]-'0'))
		runs = append(runs, laboratoryRun{line[2], line[3], strings.Fields(line[4])})
	}
	require.Len(t, runs, 8)
	packaged := regexp.MustCompile(`(?m)^PACKAGED := (.*)\$\$$`).FindStringSubmatch(string(makefile))
	require.NotNil(t, packaged)
	expression := regexp.MustCompile(packaged[1] + "$")
	for folder, parts := range laboratoryParts(t) {
		for test := range readTests(t, folder).functions {
			for part := range parts {
				require.True(t, slices.ContainsFunc(runs, func(run laboratoryRun) bool {
					filtered := run.filter == "run" && !expression.MatchString(test) || run.filter == "skip" && expression.MatchString(test)
					return run.has(folder) && slices.Contains(strings.Split(run.opens, ","), part) && !filtered
				}), "no part of make lab runs the tests of %s that need %q: add it to the Makefile", folder, part)
			}
		}
	}
}

// has reports whether a folder is among the packages of a run.
func (r laboratoryRun) has(folder string) bool {
	for _, pattern := range r.packages {
		root, below := strings.CutSuffix(strings.TrimPrefix(pattern, "./"), "/...")
		if folder == root || below && strings.HasPrefix(folder, root+"/") {
			return true
		}
	}
	return false
}

// laboratoryParts returns the parts that the tests of each folder ask for, by themselves or by a helper.
func laboratoryParts(t *testing.T) map[string]map[string]bool {
	t.Helper()
	asks := map[string]string{
		"laboratory.NPM": laboratory.NPM, "laboratory.Peers": laboratory.Peers, "laboratory.Geth": laboratory.Geth,
		"laboratory.Browser": laboratory.Browser, "laboratory.Python": laboratory.Python, "laboratory.Shell": laboratory.Shell,
		"laboratory.Long": laboratory.Long, "laboratory.Budget": laboratory.Long, "contracttest.Published(": laboratory.NPM,
		"programPath(": laboratory.Shell,
	}
	parts := map[string]map[string]bool{}
	for _, path := range citingFiles(t) {
		if !strings.HasSuffix(path, "_test.go") || path == "laboratory_test.go" || strings.HasPrefix(path, "internal/test/laboratory/") {
			continue
		}
		text, err := fs.ReadFile(os.DirFS("."), filepath.ToSlash(path))
		require.NoError(t, err)
		folder := filepath.ToSlash(filepath.Dir(path))
		for asked, part := range asks {
			if !strings.Contains(string(text), asked) {
				continue
			}
			if parts[folder] == nil {
				parts[folder] = map[string]bool{}
			}
			parts[folder][part] = true
		}
	}
	require.Len(t, parts["integration_test"], 7)
	return parts
}
