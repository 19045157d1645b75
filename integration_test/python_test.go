package integration_test

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
	"github.com/fakenode/fakenode/scenario"
)

// The sources of the Python package.
const pythonPackage = "../python"

// Ensure the Python client has a method for every method fakenode_*, and no other.
func TestPythonMethodsAreTheMethods(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(pythonPackage, "src", "fakenode", "client.py"))
	require.NoError(t, err)
	commands := firstGroups(`\n        (?:return )?self\._command\("(\w+)"`, string(source))
	slices.Sort(commands)
	require.Equal(t, controlMethods(t), commands)
	methods := firstGroups(`\n    def ([a-z]\w*)\(`, string(source))
	for i, name := range methods {
		methods[i] = regexp.MustCompile(`_[a-z0-9]`).ReplaceAllStringFunc(name, func(s string) string { return strings.ToUpper(s[1:]) })
	}
	slices.Sort(methods)
	i, found := slices.BinarySearch(methods, "rpc") // for all other methods
	require.True(t, found)
	require.Equal(t, commands, slices.Delete(methods, i, i+1))
}

// Ensure the type ScenarioName has the names that the node knows, so that type checkers let a test play each.
func TestPythonPackageKnowsTheScenarios(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(pythonPackage, "src", "fakenode", "control.py"))
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(source), "ScenarioName = Literal[")
	list, _, _ = strings.Cut(list, "]")
	require.Equal(t, scenarioNames(scenario.All(), scenario.Crossings()), firstGroups(`"(\w+)"`, list))
}

// pythonWith returns a Python 3.11 or later that has a module: python3, or the system's.
func pythonWith(t *testing.T, module string) (program string, found bool) {
	t.Helper()
	laboratory.Needs(t, laboratory.Python)
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		check := "import sys, " + module + "; sys.exit(sys.version_info < (3, 11))"
		if exec.CommandContext(t.Context(), python, "-c", check).Run() == nil {
			return python, true
		}
	}
	return "", false
}

// buildWheels makes wheels of a folder with binaries as a release leaves them, and returns their paths by name.
func buildWheels(t *testing.T, python, binaries string, platforms ...string) []string {
	t.Helper()
	output := t.TempDir()
	args := append([]string{filepath.Join(pythonPackage, "build.py"), binaries, output, "v" + npmPackageVersion}, platforms...)
	runIn(t, ".", python, args...)
	wheels, err := filepath.Glob(filepath.Join(output, "*.whl"))
	require.NoError(t, err)
	return wheels
}

// Ensure there is a wheel for each platform, whose record fits its files and whose binary is executable, and that
// making them again gives the same bytes.
func TestWheels(t *testing.T) {
	t.Parallel()
	python, found := pythonWith(t, "venv")
	if !found {
		t.Skip("python3 3.11 or later is not installed: no wheel is made")
	}
	folder := t.TempDir()
	for _, platform := range []string{"darwin-amd64", "darwin-arm64", "linux-amd64", "linux-arm64", "windows-amd64"} {
		path := filepath.Join(folder, platform, "fakenode")
		if platform == "windows-amd64" {
			path += ".exe"
		}
		if platform == runtime.GOOS+"-"+runtime.GOARCH {
			copyFile(t, programPath(t, nodeProgram), path)
			continue
		}
		require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(platform), 0o600))
	}
	wheels, again := buildWheels(t, python, folder), buildWheels(t, python, folder)
	require.Len(t, wheels, 5)
	systems := []string{
		"macosx_12_0_arm64", "macosx_12_0_x86_64",
		"manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
		"manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64", "win_amd64",
	}
	for i, wheel := range wheels {
		require.Equal(t, "fakenode-"+npmPackageVersion+"-py3-none-"+systems[i]+".whl", filepath.Base(wheel))
		first, err := os.ReadFile(wheel)
		require.NoError(t, err)
		second, err := os.ReadFile(again[i])
		require.NoError(t, err)
		require.True(t, slices.Equal(first, second), "%s: made again it differs", wheel)
		requireRecord(t, wheel)
	}
}

// requireRecord checks the files of a wheel against its record.
func requireRecord(t *testing.T, wheel string) {
	t.Helper()
	archive, err := zip.OpenReader(wheel)
	require.NoError(t, err)
	defer archive.Close()
	var recorded []string
	record := ""
	for _, file := range archive.File {
		reader, err := file.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(reader)
		require.NoError(t, err)
		require.NoError(t, reader.Close())
		require.Equal(t, strings.HasPrefix(file.Name, "fakenode/bin/"), file.Mode().Perm() == 0o755, file.Name)
		if strings.HasSuffix(file.Name, "/RECORD") {
			recorded, record = append(recorded, file.Name+",,"), string(content)
			continue
		}
		sum := sha256.Sum256(content)
		recorded = append(recorded, fmt.Sprintf("%s,sha256=%s,%d", file.Name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content)))
	}
	require.Equal(t, strings.Join(recorded, "\n")+"\n", record)
}

// Ensure pip installs the package without the network, from a wheel and from a checkout, and that its command, its
// fixtures and its types do what they should.
func TestPythonPackage(t *testing.T) {
	t.Parallel()
	python, found := pythonWith(t, "ensurepip")
	if !found {
		t.Skip("python3 3.11 or later with pip is not installed: the Python package is not tried")
	}
	node := programPath(t, nodeProgram)
	wheel := buildWheels(t, python, binaries(node), runtime.GOOS+"-"+runtime.GOARCH)[0]
	environment := filepath.Join(t.TempDir(), "venv")
	runIn(t, ".", python, "-m", "venv", "--system-site-packages", environment)
	within := filepath.Join(environment, "bin", "python3")
	runIn(t, ".", within, "-m", "pip", "install", "--no-index", "--no-deps", wheel)
	version := runIn(t, ".", node, "--version")
	require.Contains(t, version, fakenode.ClientVersion())
	require.Equal(t, version, runIn(t, ".", filepath.Join(environment, "bin", "fakenode"), "--version"))
	require.Equal(t, version, runIn(t, ".", within, "-m", "fakenode", "--version"))

	t.Run("fixtures", func(t *testing.T) { testPythonFixtures(t, within) })
	t.Run("types", func(t *testing.T) { testPythonTypes(t, within) })
	t.Run("from a checkout", func(t *testing.T) {
		runIn(t, ".", within, "-m", "pip", "install", "--no-index", "--no-deps", "--force-reinstall", pythonPackage)
		require.Contains(t, runIn(t, ".", within, "-m", "fakenode", "--version"), "fakenode/")
	})
}

// testPythonFixtures runs the package's own tests and the one that its README shows.
func testPythonFixtures(t *testing.T, python string) {
	if output, err := exec.CommandContext(t.Context(), python, "-m", "pytest", "--version").CombinedOutput(); err != nil {
		t.Skipf("pytest is not installed: the fixtures are not tried: %s", output)
	}
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS(filepath.Join(pythonPackage, "test"))))
	readme, err := os.ReadFile(filepath.Join(pythonPackage, "README.md"))
	require.NoError(t, err)
	blocks := firstGroups("(?ms)^```py\n(.*?)^```$", string(readme))
	require.Len(t, blocks, 3)
	shown := filepath.Join(folder, "shown")
	require.NoError(t, os.Mkdir(shown, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(shown, "test_readme.py"), []byte(blocks[0]), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(shown, "conftest.py"), []byte("import pytest\n"+strings.Replace(blocks[1], "anvil", "dev", 1)), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "program.py"), []byte(blocks[2]), 0o600))
	t.Log(runIn(t, folder, python, "-m", "pytest", "-q", "-rs"))
	require.Contains(t, runIn(t, folder, python, "program.py"), "http://127.0.0.1:")
}

// testPythonTypes lets mypy look at the package and at its tests.
func testPythonTypes(t *testing.T, python string) {
	if output, err := exec.CommandContext(t.Context(), python, "-m", "mypy", "--version").CombinedOutput(); err != nil {
		t.Skipf("mypy is not installed: the types are not checked: %s", output)
	}
	tests, err := filepath.Abs(filepath.Join(pythonPackage, "test"))
	require.NoError(t, err)
	check := []string{"-m", "mypy", "--strict", "--no-warn-return-any", "--enable-incomplete-feature=Unpack"}
	runIn(t, t.TempDir(), python, append(check, "-p", "fakenode")...)
	runIn(t, t.TempDir(), python, append(check, tests)...)
}
