package integration_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/cache"
)

// recipesProject has the packages that the recipes of the documents install, and Hardhat 3.
const recipesProject = "recipes"

// installTimeout is the longest that npm may take, or a script that does what npm does.
const installTimeout = 15 * time.Minute

// Ensure the libraries are the same everywhere: exact versions, and a lock file that names no place to load them from.
func TestPackagesPinned(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{scripts, hardhatProject, recipesProject, ponderProject, foundryProject} {
		requirePinned(t, folder)
	}
}

// requirePinned checks a folder's package.json against its lock file.
func requirePinned(t *testing.T, folder string) {
	t.Helper()
	manifest, err := os.ReadFile(filepath.Join(folder, "package.json"))
	require.NoError(t, err)
	var wanted struct{ Dependencies map[string]string }
	require.NoError(t, json.Unmarshal(manifest, &wanted))
	require.NotEmpty(t, wanted.Dependencies)

	content, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	require.NoError(t, err)
	var lock struct {
		Packages map[string]struct{ Version, Integrity, Resolved string }
	}
	require.NoError(t, json.Unmarshal(content, &lock))
	for name, version := range wanted.Dependencies {
		require.Equal(t, version, lock.Packages["node_modules/"+name].Version, name)
	}
	for path, locked := range lock.Packages {
		require.Empty(t, locked.Resolved, path)
		require.True(t, path == "" || locked.Integrity != "", path)
	}
}

// install gives a folder the packages of its lock file.
func install(folder string) error {
	modules, err := packages(folder)
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

// packages returns the node_modules folder of a lock file. It is in the user's cache, named for the file's hash.
func packages(folder string) (modules string, err error) {
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
		node, err := node22Once()
		if err != nil {
			return err
		}
		// npm ci would miss the packages of other platforms that the lock file leaves out.
		return npm(stage, node, "install", "--no-save")
	})
	return filepath.Join(made, "node_modules"), err
}

// npm runs npm in a folder, on a Node.js, or the one that is installed if node is empty.
func npm(folder, node string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), installTimeout)
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
