package integration_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// recipe is a page of docs/recipes: files to write, a script to run, and lines that it prints.
type recipe struct {
	files  map[string]string
	script string
	prints []string
}

// readRecipe reads a page, or the section of it whose heading is named behind "#". A block of code whose first line has
// a name behind the language is a file, sh blocks are the script, text blocks what it prints.
func readRecipe(t *testing.T, page string) recipe {
	t.Helper()
	page, heading, _ := strings.Cut(page, "#")
	text, err := os.ReadFile(filepath.Join("..", "docs", "recipes", page))
	require.NoError(t, err)
	if heading != "" {
		_, section, found := strings.Cut(string(text), "\n## "+heading+"\n")
		require.True(t, found, "%s has no section %s", page, heading)
		section, _, _ = strings.Cut(section, "\n## ")
		text = []byte(section)
	}
	r := recipe{files: map[string]string{}}
	for _, block := range regexp.MustCompile("(?ms)^```(\\w+) ?(\\S*)\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		switch language, name, content := block[1], block[2], block[3]; {
		case name != "":
			r.files[name] = content
		case language == "sh":
			r.script += content
		case language == "text":
			r.prints = append(r.prints, strings.Split(strings.TrimSpace(content), "\n")...)
		}
	}
	return r
}

// kitchen is where a recipe runs: a folder, and one with programs that comes first in PATH.
type kitchen struct{ folder, programs string }

// newKitchen has the binary among its programs.
func newKitchen(t *testing.T) kitchen {
	t.Helper()
	k := kitchen{folder: t.TempDir(), programs: t.TempDir()}
	k.link(t, "fakenode", binary(t))
	return k
}

// cook writes the files of a recipe and runs its script, with a free port in place of 8545.
func (k kitchen) cook(t *testing.T, r recipe) {
	t.Helper()
	port := freePort(t)
	for name, content := range r.files {
		path := filepath.Join(k.folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(strings.ReplaceAll(content, "8545", port)), 0o600))
	}
	ctx, cancel := context.WithTimeout(t.Context(), installTimeout)
	defer cancel()
	script := "set -euo pipefail\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n" + strings.ReplaceAll(r.script, "8545", port)
	command := exec.CommandContext(ctx, "bash", "-c", script)
	command.Dir = k.folder
	command.Env = append(os.Environ(), "PATH="+k.programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s", output)
	for _, line := range r.prints {
		require.Contains(t, string(output), line)
	}
}

// program adds a shell script to the programs.
func (k kitchen) program(t *testing.T, name, script string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(k.programs, name), []byte("#!/bin/sh\n"+script), 0o700))
}

// link adds a program that is elsewhere.
func (k kitchen) link(t *testing.T, name, path string) {
	t.Helper()
	require.NoError(t, os.Symlink(path, filepath.Join(k.programs, name)))
}

// Ensure the recipe for Python runs. The package comes from the sources beside it.
func TestRecipePython(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Python, "bash")
	python, found := pythonWith(t, "pip, pytest")
	if !found {
		t.Skip("python3 3.11 or later with pip and pytest is not installed: the recipe is not run")
	}
	binary(t)
	wheel := buildWheels(t, python, binaries, runtime.GOOS+"-"+runtime.GOARCH)[0]
	k := kitchen{folder: t.TempDir(), programs: t.TempDir()}
	packages := t.TempDir()
	program, err := exec.LookPath(python)
	require.NoError(t, err)
	k.program(t, "pip", `exec `+program+` -m pip install --quiet --no-index --no-deps --target '`+packages+`' '`+wheel+`'`)
	k.program(t, "python3", `PYTHONPATH='`+packages+`':"${PYTHONPATH-}" exec `+program+` "$@"`)
	k.cook(t, readRecipe(t, "python.md"))
}

// Ensure what docs/anvil.md shows of Foundry runs.
func TestRecipeFoundry(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Peers, "bash")
	cast := foundryProgram(t, "cast")
	k := newKitchen(t)
	k.link(t, "cast", cast)
	k.cook(t, readRecipe(t, filepath.Join("..", "anvil.md")))
}

// newNPMKitchen has an empty project, and an npm that takes the package from the sources beside the tests.
func newNPMKitchen(t *testing.T) kitchen {
	t.Helper()
	laboratory.Needs(t, laboratory.NPM, "bash")
	packages := strings.Join(tarballs(t), `' '`)
	npm, err := exec.LookPath("npm")
	require.NoError(t, err)
	k := kitchen{folder: t.TempDir(), programs: t.TempDir()}
	require.NoError(t, os.WriteFile(filepath.Join(k.folder, "package.json"), []byte(`{"private": true, "type": "module"}`), 0o600))
	k.program(t, "npm", `for word; do shift; if [ "$word" = fakenode ]; then set -- "$@" '`+packages+`'; else set -- "$@" "$word"; fi; done
exec `+npm+` "$@" --prefer-offline`)
	return k
}

// newNode22Kitchen is one whose programs run on Node.js 22 or later.
func newNode22Kitchen(t *testing.T) kitchen {
	t.Helper()
	k := newNPMKitchen(t)
	k.link(t, "node", node22(t))
	return k
}

// Ensure the recipe for vitest and viem runs.
func TestRecipeVitest(t *testing.T) {
	t.Parallel()
	newNPMKitchen(t).cook(t, readRecipe(t, "javascript.md#vitest"))
}

// Ensure the recipe for jest runs.
func TestRecipeJest(t *testing.T) {
	t.Parallel()
	newNPMKitchen(t).cook(t, readRecipe(t, "javascript.md#jest"))
}

// Ensure the recipe for bun's test runner runs.
func TestRecipeBun(t *testing.T) {
	t.Parallel()
	newNPMKitchen(t).cook(t, readRecipe(t, "javascript.md#bun"))
}

// Ensure the recipe for prool runs on a Node.js that prool runs on.
func TestRecipeProol(t *testing.T) {
	t.Parallel()
	newNode22Kitchen(t).cook(t, readRecipe(t, "javascript.md#prool"))
}

// Ensure the recipe for Hardhat 3 runs.
func TestRecipeHardhat3(t *testing.T) {
	t.Parallel()
	newNode22Kitchen(t).cook(t, readRecipe(t, "hardhat.md#Hardhat 3"))
}

// Ensure the recipe for Playwright runs, with a browser that is installed in place of the one that it downloads.
func TestRecipePlaywright(t *testing.T) {
	t.Parallel()
	chromium := browser(t)
	k := newNPMKitchen(t)
	npx, err := exec.LookPath("npx")
	require.NoError(t, err)
	k.program(t, "npx", `test "$*" = "playwright install chromium" || CHROMIUM='`+chromium+`' exec `+npx+` "$@"`)
	k.cook(t, readRecipe(t, "playwright.md"))
}

// Ensure the recipe for x402, a file that the npm package brings, runs.
func TestRecipeX402(t *testing.T) {
	t.Parallel()
	newNPMKitchen(t).cook(t, readRecipe(t, "x402.md"))
}

// Ensure the recipe for docker compose runs with an image made of the Dockerfile.
func TestRecipeDockerCompose(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell, "bash", "docker")
	if output, err := exec.CommandContext(t.Context(), "docker", "info").CombinedOutput(); err != nil {
		t.Skipf("docker does not run: the recipe is not run: %s", output)
	}
	k := newKitchen(t)
	tagImage(t, "docker", "build")
	k.cook(t, readRecipe(t, "docker-compose.md"))
}

// Ensure the Python of every page is Python, whether or not the test can run it.
func TestRecipesArePython(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Python, "python3")
	pages, err := filepath.Glob("../docs/recipes/*.md")
	require.NoError(t, err)
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, block := range regexp.MustCompile("(?ms)^```py\\b[^\n]*\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
			found++
			check := exec.CommandContext(t.Context(), "python3", "-c", "import ast, sys; ast.parse(sys.stdin.read())")
			check.Stdin = strings.NewReader(block[1])
			output, err := check.CombinedOutput()
			require.NoError(t, err, "%s: %s", page, output)
		}
	}
	require.Equal(t, 4, found)
}
