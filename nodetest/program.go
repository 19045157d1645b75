package nodetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
)

const module = "github.com/fakenode/fakenode"

// program finds the node's program, and builds it if there is none, once a process. how says what it did.
var program = sync.OnceValues(func() (found located, err error) {
	if named := os.Getenv("FAKENODE_BINARY"); named != "" {
		path, err := exec.LookPath(named)
		if err != nil {
			return located{}, fmt.Errorf("FAKENODE_BINARY names %s, which is no program: %w", named, err)
		}
		return located{path, "fakenode: " + path + ", which FAKENODE_BINARY names"}, nil
	}
	if path, err := exec.LookPath("fakenode"); err == nil {
		return located{path, "fakenode: " + path + ", from the PATH"}, nil
	}
	return build()
})

// located is a program, and a line for the log that says where it comes from.
type located struct{ path, how string }

// build makes the program in the user's cache: from the checkout that this package is in, else of its version.
func build() (located, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return located{}, fmt.Errorf("there is no folder to build fakenode in: %w: set FAKENODE_BINARY to the program", err)
	}
	folder := filepath.Join(cache, "fakenode", "nodetest")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return located{}, err
	}
	_, source, _, _ := runtime.Caller(0)
	if checkout := filepath.Dir(filepath.Dir(source)); filepath.IsAbs(source) && exists(filepath.Join(checkout, "cmd", "fakenode")) {
		// A checkout changes, so it is built each time, which costs little when nothing changed. Other test processes
		// may do the same at this moment: each has a name of its own, and the last one stays.
		path := filepath.Join(folder, executable("devel"))
		own := fmt.Sprintf("%s.%d", path, os.Getpid())
		if err := run(checkout, nil, "go", "build", "-o", own, "./cmd/fakenode"); err != nil {
			return located{}, err
		}
		return located{path, "fakenode: built from " + checkout}, os.Rename(own, path)
	}
	version, err := versionOf(source)
	if err != nil {
		return located{}, err
	}
	bin := filepath.Join(folder, version)
	path := filepath.Join(bin, executable("fakenode"))
	if exists(path) {
		return located{path, "fakenode: " + path + ", built before"}, nil
	}
	command := module + "/cmd/fakenode@" + version
	if err := run(os.TempDir(), []string{"GOBIN=" + bin, "GOWORK=off", "GOFLAGS="}, "go", "install", command); err != nil {
		return located{}, err
	}
	return located{path, "fakenode: built by go install " + command}, nil
}

// versionOf returns the version of this package from the path of one of its files in Go's cache of modules.
func versionOf(source string) (string, error) {
	found := regexp.MustCompile(`nodetest@(v[^/\\]+)`).FindStringSubmatch(source)
	if found == nil {
		return "", errors.New("there is no fakenode on the PATH, and the version to build is not known here: set FAKENODE_BINARY to the program")
	}
	return found[1], nil
}

// run runs a command in a folder. The error has what it printed.
func run(folder string, variables []string, name string, args ...string) error {
	command := exec.Command(name, args...)
	command.Dir, command.Env = folder, append(os.Environ(), variables...)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("fakenode is not on the PATH and cannot be built: %s: %w\n%sset FAKENODE_BINARY to the program, or put it on the PATH", command, err, output)
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}
