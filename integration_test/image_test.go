package integration_test

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// tagImage builds the image of the Dockerfile as fakenode, with a builder's command such as docker build.
func tagImage(t *testing.T, builder ...string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skipf("the image is made of a binary for Linux, and this is %s", runtime.GOOS)
	}
	runIn(t, "..", builder[0], append(builder[1:], "--tag", "fakenode", ".")...)
}

// Ensure the checkout less what .dockerignore leaves out has everything that the Dockerfile compiles and copies; this
// needs no docker.
func TestImageContext(t *testing.T) {
	t.Parallel()
	context := t.TempDir()
	ignored, err := os.ReadFile("../.dockerignore")
	require.NoError(t, err)
	listed := runIn(t, "..", "git", "ls-files", "--cached", "--others", "--exclude-standard")
	for _, name := range strings.Fields(listed) {
		left := slices.ContainsFunc(strings.Fields(string(ignored)), func(folder string) bool { return name == folder || strings.HasPrefix(name, folder+"/") })
		content, err := os.ReadFile(filepath.Join("..", name))
		if left || errors.Is(err, fs.ErrNotExist) { // deleted, and not committed yet
			continue
		}
		require.NoError(t, err)
		path := filepath.Join(context, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, content, 0o600))
	}
	require.FileExists(t, filepath.Join(context, "LICENSE"))
	dockerfile, err := os.ReadFile("../Dockerfile")
	require.NoError(t, err)
	require.Contains(t, string(dockerfile), "make binaries")
	require.FileExists(t, filepath.Join(context, "Makefile"))
	runIn(t, context, "go", "list", "-deps", "./cmd/fakenode")
	modules, err := os.ReadFile("../go.mod")
	require.NoError(t, err)
	language := firstGroups(`(?m)^go (\d+\.\d+)`, string(modules))
	require.Equal(t, language, firstGroups(`FROM .* golang:(\S+) AS build`, string(dockerfile)))
}

// Ensure the image runs nothing but the binary, as an unprivileged user, and can check its own health.
func TestImage(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell, "buildah")
	tagImage(t, "buildah", "bud", "--format", "docker")
	var image struct {
		Docker struct {
			Config struct {
				User        string
				Entrypoint  []string
				Healthcheck struct{ Test []string }
			} `json:"config"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(runIn(t, ".", "buildah", "inspect", "--type", "image", "localhost/fakenode")), &image))
	config := image.Docker.Config
	require.Equal(t, "65532:65532", config.User)
	require.Equal(t, []string{"/fakenode"}, config.Entrypoint)
	require.Equal(t, []string{"CMD", "/fakenode", "health", "http://127.0.0.1:8545"}, config.Healthcheck.Test)

	container := strings.TrimSpace(runIn(t, ".", "buildah", "from", "localhost/fakenode"))
	defer runIn(t, ".", "buildah", "rm", container)
	inside := func(args ...string) []string {
		return append([]string{"run", "--isolation", "chroot", container, "--"}, args...)
	}
	require.Contains(t, runIn(t, ".", "buildah", inside("/fakenode", "--version")...), "v0.0.0-devel")
	node := fakenode.RunT(t)
	runIn(t, ".", "buildah", inside("/fakenode", "health", node.URL())...)
}
