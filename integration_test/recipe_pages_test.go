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
	k.link(t, "fakenode", programPath(t, nodeProgram))
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
	wheel := buildWheels(t, python, binaries(programPath(t, nodeProgram)), runtime.GOOS+"-"+runtime.GOARCH)[0]
	k := kitchen{folder: t.TempDir(), programs: t.TempDir()}
	packages := t.TempDir()
	interpreter, err := exec.LookPath(python)
	require.NoError(t, err)
	k.program(t, "pip", `exec `+interpreter+` -m pip install --quiet --no-index --no-deps --target '`+packages+`' '`+wheel+`'`)
	k.program(t, "python3", `PYTHONPATH='`+packages+`':"${PYTHONPATH-}" exec `+interpreter+` "$@"`)
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

// newNPMKitchen has a project with the package from the sources beside the tests and whatever else the recipe installs.
func newNPMKitchen(t *testing.T, r recipe) kitchen {
	t.Helper()
	laboratory.Needs(t, laboratory.NPM, "bash", "node", "npm")
	project := newNPMProject(t)
	wanted := firstGroups(`(?m)^npm install --save-dev fakenode (.*)$`, r.script)
	require.Len(t, wanted, 1)
	project.add(t, strings.Fields(wanted[0])...)
	k := kitchen{folder: project.folder, programs: t.TempDir()}
	k.program(t, "npm", `test "$*" = "install --save-dev fakenode `+wanted[0]+`"`)
	return k
}

// Ensure the recipes for npm projects run. prool and Hardhat 3 need Node.js 22; the script of x402 is in the package.
func TestRecipesForNPM(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"vitest": "javascript.md#vitest", "jest": "javascript.md#jest", "bun": "javascript.md#bun", "prool": "javascript.md#prool",
		"hardhat3": "hardhat.md#Hardhat 3", "x402": "x402.md",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := readRecipe(t, page)
			k := newNPMKitchen(t, r)
			if name == "prool" || name == "hardhat3" {
				k.link(t, "node", node22(t))
			}
			k.cook(t, r)
		})
	}
}

// Ensure the recipe for Playwright runs, with a browser that is installed in place of the one that it downloads.
func TestRecipePlaywright(t *testing.T) {
	t.Parallel()
	chromium := browser(t)
	r := readRecipe(t, "playwright.md")
	k := newNPMKitchen(t, r)
	npx, err := exec.LookPath("npx")
	require.NoError(t, err)
	k.program(t, "npx", `test "$*" = "playwright install chromium" || CHROMIUM='`+chromium+`' exec `+npx+` "$@"`)
	k.cook(t, r)
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
	require.Equal(t, 3, found)
}
