package integration_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// nodeProgram is the folder of the node's program.
const nodeProgram = "cmd/fakenode"

// programPath returns the path of the program in a folder of the repository, compiled of the sources beside the tests.
func programPath(t testing.TB, folder string) string {
	t.Helper()
	laboratory.Needs(t, laboratory.Shell)
	path, err := buildProgram(folder)
	require.NoError(t, err)
	return path
}

// readyProgram is the node's program that FAKENODE_BINARY names. The variable is taken out of the environment: the node
// warns of variables that are none of its flags'.
var readyProgram = func() string {
	defer os.Unsetenv("FAKENODE_BINARY")
	return os.Getenv("FAKENODE_BINARY")
}()

// builtPrograms holds a function for each folder that compiles its program once.
var builtPrograms sync.Map

// buildProgram returns the path of the program in a folder of the repository. It is in dist, in a folder named for the
// platform as a release has it. FAKENODE_BINARY names a node's program that is there already, so that several test
// processes link it once.
func buildProgram(folder string) (string, error) {
	if readyProgram != "" && folder == nodeProgram {
		return readyProgram, nil
	}
	result, _ := builtPrograms.LoadOrStore(folder, sync.OnceValues(func() (string, error) { return compileProgram(folder) }))
	return result.(func() (string, error))()
}

func compileProgram(folder string) (string, error) {
	root, err := os.Getwd()
	for err == nil {
		if _, err = os.Stat(filepath.Join(root, "go.work")); !errors.Is(err, fs.ErrNotExist) || root == filepath.Dir(root) {
			break
		}
		root, err = filepath.Dir(root), nil
	}
	if err != nil {
		return "", err
	}
	path := filepath.Join(root, "dist", "test", runtime.GOOS+"-"+runtime.GOARCH, filepath.Base(folder))
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	mine := fmt.Sprintf("%s.%d", path, os.Getpid()) // another process may run the last one, or compile it now
	command := exec.Command("go", "build", "-o", mine, "./"+folder)
	command.Dir = root
	if output, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", command, err, output)
	}
	return path, os.Rename(mine, path)
}
