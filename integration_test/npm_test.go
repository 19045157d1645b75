package integration_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"sync"
	"time"

	"github.com/fakenode/fakenode/internal/test/cache"
)

// npmTimeout is the longest that npm may take.
const npmTimeout = 15 * time.Minute

// installPackages gives a folder the packages of its lock file, which npm fetches once a user.
func installPackages(folder string) error {
	modules, err := packagesOf(folder)
	if err != nil {
		return err
	}
	return linkPackages(folder, modules)
}

// linkPackages makes a folder's node_modules a link to another one.
func linkPackages(folder, modules string) error {
	link := filepath.Join(folder, "node_modules")
	if current, err := os.Readlink(link); err == nil && current == modules {
		return nil
	}
	stage, err := os.MkdirTemp(folder, ".link-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	made := filepath.Join(stage, "node_modules")
	if err := os.Symlink(modules, made); err != nil {
		return err
	}
	if found, err := os.Lstat(link); err == nil && found.IsDir() { // npm was run by hand
		if err := os.RemoveAll(link); err != nil {
			return err
		}
	}
	return os.Rename(made, link)
}

// packagesOf returns the node_modules folder of a lock file. It is in the user's cache, named for the file's hash.
func packagesOf(folder string) (modules string, err error) {
	lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return "", err
	}
	hash := sha256.Sum256(lock)
	made, err := cache.Folder("npm/"+hex.EncodeToString(hash[:]), func(stage string) error {
		for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
			content, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(stage, name), content, 0o600); err != nil {
				return err
			}
		}
		// On an older Node.js npm would leave out what does not run there.
		node, err := findNode22()
		if err != nil {
			return err
		}
		// npm ci would miss the packages of other platforms that the lock file leaves out.
		return runNPM(stage, node, "install", "--no-save")
	})
	return filepath.Join(made, "node_modules"), err
}

// runNPM runs npm in a folder, on a Node.js, or the one that is installed if node is empty.
func runNPM(folder, node string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), npmTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "npm", append(args, "--prefer-offline")...)
	command.Dir = folder
	if node != "" {
		command.Env = append(os.Environ(), "PATH="+filepath.Dir(node)+string(os.PathListSeparator)+os.Getenv("PATH"))
	}
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, output)
	}
	return nil
}

// findNode22 returns the program of a Node.js 22 or later, from npm where the one installed is older, and an empty path
// where npm has none for this platform.
var findNode22 = sync.OnceValues(func() (string, error) {
	output, err := exec.Command("node", "--version").Output()
	if err != nil {
		return "", err
	}
	if !regexp.MustCompile(`^v(\d|1\d|2[01])\.`).Match(output) {
		return exec.LookPath("node")
	}
	cpu := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if cpu == "" || runtime.GOOS == "windows" {
		return "", nil
	}
	name := "node-" + runtime.GOOS + "-" + cpu
	made, err := cache.Folder("npm/"+name+"@22.23.3", func(stage string) error {
		return runNPM(stage, "", "install", "--no-save", "--prefix", stage, name+"@22.23.3")
	})
	return filepath.Join(made, "node_modules", name, "bin", "node"), err
})
