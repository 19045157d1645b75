package integration_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// The folder with the scripts, and the time one of them and the installation of their libraries may take.
const (
	scripts        = "npm"
	scriptTimeout  = 15 * time.Minute
	installTimeout = 15 * time.Minute
)

// runScript runs a script of the npm folder against a node and returns what it prints. It is one of the
// laboratory's.
func runScript[T any](t *testing.T, node *fakenode.Node, script string, options ...string) T {
	t.Helper()
	requireNode(t)
	require.NoError(t, installed())

	ctx, cancel := context.WithTimeout(t.Context(), scriptTimeout)
	defer cancel()
	owner := hexutil.Encode(crypto.FromECDSA(fakenode.TokenOwner.Key))
	arguments := append([]string{script, node.URL(), node.WebSocketURL(), node.Token().Address().Hex(), owner}, options...)
	command := exec.CommandContext(ctx, "node", arguments...)
	command.Dir = scripts
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	require.NoError(t, command.Run(), "node %s\n%s%s", script, &stderr, &stdout)

	var result T
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &result), "%s printed %s", script, &stdout)
	return result
}

// requireNode skips the test unless clients in JavaScript run, and where there is no Node.js.
func requireNode(t *testing.T) {
	t.Helper()
	laboratory.Needs(t, laboratory.NPM, "node", "npm")
}

// Ensure the libraries are the same everywhere: exact versions, and a lock file that names no place to load them from.
func TestPackagesPinned(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{scripts, hardhatProject, hardhat3Project, ponderProject, foundryProject} {
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

// installed installs the libraries of the scripts, unless they are in place; once per process.
var installed = sync.OnceValue(func() error { return install(scripts, "ci") })

// install installs the libraries of a folder's lock file, unless they are in place. The command is npm's: "ci", or
// "install" where the lock file leaves out packages for other platforms. It has further variables in its environment.
func install(folder, command string, variables ...string) error {
	lock, err := os.ReadFile(filepath.Join(folder, "package-lock.json"))
	if err != nil {
		return err
	}
	hash := sha256.Sum256(lock)
	install := installation{folder: folder, command: command, variables: variables, modules: filepath.Join(folder, "node_modules"), lock: hex.EncodeToString(hash[:])}
	if install.current() {
		return nil
	}
	return install.run()
}

// installation is a node_modules folder that belongs to one lock file.
type installation struct {
	folder    string
	command   string
	variables []string
	modules   string
	lock      string // the lock file's hash
}

// marker is a file inside the folder that holds the hash of the lock file it was made from.
func (i installation) marker(modules string) string { return filepath.Join(modules, ".lock-hash") }

func (i installation) current() bool {
	made, err := os.ReadFile(i.marker(i.modules))
	return err == nil && string(made) == i.lock
}

// run installs beside the folder and moves the result into its place, so that test processes running at the same time
// never see half an installation.
func (i installation) run() error {
	stage, err := os.MkdirTemp(i.folder, ".install-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(stage)
	for _, name := range []string{"package.json", "package-lock.json", ".npmrc"} {
		content, err := os.ReadFile(filepath.Join(i.folder, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(stage, name), content, 0o600); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), installTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, "npm", i.command, "--prefer-offline")
	command.Dir, command.Env = stage, append(os.Environ(), i.variables...)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("npm %s: %w\n%s", i.command, err, output)
	}
	made := filepath.Join(stage, "node_modules")
	if err := os.WriteFile(i.marker(made), []byte(i.lock), 0o600); err != nil {
		return err
	}
	if i.current() { // another process was faster
		return nil
	}
	if err := os.Rename(i.modules, filepath.Join(stage, "stale")); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(made, i.modules); err != nil && !i.current() {
		return err
	}
	return nil
}
