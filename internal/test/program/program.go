// Package program compiles the programs of the repository that tests of the laboratory start.
package program

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

// Node is the folder of the node's program.
const Node = "cmd/fakenode"

// Path returns the path of the program in a folder of the repository, compiled of the sources beside the tests.
func Path(t testing.TB, folder string) string {
	t.Helper()
	laboratory.Needs(t, laboratory.Shell)
	path, err := Build(folder)
	require.NoError(t, err)
	return path
}

// ready is the node's program that FAKENODE_BINARY names. The variable is taken out of the environment: the node warns
// of variables that are none of its flags'.
var ready = func() string {
	defer os.Unsetenv("FAKENODE_BINARY")
	return os.Getenv("FAKENODE_BINARY")
}()

// built holds a function for each folder that compiles its program once.
var built sync.Map

// Build returns the path of the program in a folder of the repository. It is in dist, in a folder named for the
// platform as a release has it. FAKENODE_BINARY names a node's program that is there already, so that several test
// processes link it once.
func Build(folder string) (string, error) {
	if ready != "" && folder == Node {
		return ready, nil
	}
	result, _ := built.LoadOrStore(folder, sync.OnceValues(func() (string, error) { return build(folder) }))
	return result.(func() (string, error))()
}

func build(folder string) (string, error) {
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
