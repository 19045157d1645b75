package integration_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// releaseServer serves this platform's archive and its checksum as a release of version 1.2.3.
func releaseServer(t *testing.T) *httptest.Server {
	t.Helper()
	release := t.TempDir()
	archive := "fakenode-1.2.3-" + runtime.GOOS + "-" + runtime.GOARCH + ".tar.gz"
	runIn(t, filepath.Dir(programPath(t, nodeProgram)), "tar", "-czf", filepath.Join(release, archive), "fakenode")
	checksum := runIn(t, release, "sha256sum", archive)
	require.NoError(t, os.WriteFile(filepath.Join(release, "SHA256SUMS"), []byte(checksum), 0o600))
	mux := http.NewServeMux()
	mux.Handle("/download/v1.2.3/", http.StripPrefix("/download/v1.2.3/", http.FileServer(http.Dir(release))))
	mux.Handle("/latest", http.RedirectHandler("/tag/v1.2.3", http.StatusFound))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// Ensure the GitHub Action takes a release, checks it, starts the node and reports its address; and that it fails, with
// a reason, when there is no such release or a flag is wrong.
func TestAction(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skipf("the test is written for Linux: the action is not run on %s", runtime.GOOS)
	}
	laboratory.Needs(t, laboratory.Shell, "bash", "curl", "tar", "sha256sum")
	releases := releaseServer(t)
	port := freePort(t)
	act := func(version, args string) (folder, output string, err error) {
		folder = t.TempDir()
		ctx, cancel := context.WithTimeout(t.Context(), scriptTimeout)
		defer cancel()
		command := exec.CommandContext(ctx, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", readAction(t).Runs.Steps[0].Run+"echo $node > pid\n")
		command.Env = append(os.Environ(), "ACTION_VERSION="+version, "ACTION_ARGS="+args, "ACTION_PORT="+port, "ACTION_RELEASES="+releases.URL,
			"RUNNER_OS=Linux", "RUNNER_ARCH="+map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH],
			"RUNNER_TEMP="+folder, "GITHUB_PATH="+filepath.Join(folder, "path"), "GITHUB_OUTPUT="+filepath.Join(folder, "output"))
		text, err := command.CombinedOutput()
		return folder, string(text), err
	}

	_, output, err := act("1.2.4", "")
	require.Error(t, err)
	require.Contains(t, output, "404")
	_, output, err = act("1.2.3", "--seal never")
	require.Error(t, err)
	require.Contains(t, output, "want interval or instant or manual")

	_, output, err = act("v1", "--seal never") // the newest release
	require.Error(t, err)
	require.Contains(t, output, "want interval or instant or manual")

	folder, output, err := act("v1.2.3", "--preset anvil --quiet")
	require.NoError(t, err, output)
	process, err := os.ReadFile(filepath.Join(folder, "fakenode", "pid"))
	require.NoError(t, err)
	defer runIn(t, ".", "kill", strings.TrimSpace(string(process)))
	outputs, err := os.ReadFile(filepath.Join(folder, "output"))
	require.NoError(t, err)
	require.Equal(t, "url=http://127.0.0.1:"+port+"\ntestnet-url=http://127.0.0.1:"+port+"/testnet\n", string(outputs))
	client, err := ethclient.Dial("http://127.0.0.1:" + port)
	require.NoError(t, err)
	defer client.Close()
	_, err = client.BlockNumber(t.Context())
	require.NoError(t, err)
	path, err := os.ReadFile(filepath.Join(folder, "path"))
	require.NoError(t, err)
	runIn(t, ".", filepath.Join(strings.TrimSpace(string(path)), "fakenode"), "health", "http://127.0.0.1:"+port)
}
