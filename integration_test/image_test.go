package integration_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// tagImage builds the image of the Dockerfile as fakenode, with a builder's command such as docker build.
func tagImage(t *testing.T, builder ...string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skipf("the image is made of a binary for Linux, and this is %s", runtime.GOOS)
	}
	context := t.TempDir()
	for _, name := range []string{"Dockerfile", "LICENSE", ".dockerignore"} {
		content, err := os.ReadFile(filepath.Join("..", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(context, name), content, 0o600))
	}
	copyFile(t, binary(t), filepath.Join(context, "dist", "bin", "linux-"+runtime.GOARCH, "fakenode"))
	require.NoError(t, os.Chmod(filepath.Join(context, "LICENSE"), 0o644))
	runIn(t, context, builder[0], append(builder[1:], "--build-arg", "TARGETARCH="+runtime.GOARCH, "--tag", "fakenode", ".")...)
}

// Ensure the image runs nothing but the binary, as an unprivileged user, and can check its own health.
func TestImage(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("buildah"); err != nil {
		t.Skip("buildah is not installed: the image is not built")
	}
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
	require.Equal(t, []string{"CMD", "/fakenode", "--health", "http://127.0.0.1:8545"}, config.Healthcheck.Test)

	container := strings.TrimSpace(runIn(t, ".", "buildah", "from", "localhost/fakenode"))
	defer runIn(t, ".", "buildah", "rm", container)
	inside := func(args ...string) []string {
		return append([]string{"run", "--isolation", "chroot", container, "--"}, args...)
	}
	require.Contains(t, runIn(t, ".", "buildah", inside("/fakenode", "--version")...), fakenode.ClientVersion())
	node := fakenode.RunT(t)
	runIn(t, ".", "buildah", inside("/fakenode", "--health", node.URL())...)
}
