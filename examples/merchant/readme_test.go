package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// Ensure the session of the README works as it stands, but for the ports.
func TestSessionOfREADME(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"bash", "curl", "jq"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the session needs %s, which is not installed", tool)
		}
	}
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	session := regexp.MustCompile("(?s)```sh\n(.*?)```").FindSubmatch(readme)
	require.NotNil(t, session)

	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	m := startMerchant(t, node)
	script := strings.NewReplacer("http://127.0.0.1:8080", m.url, "http://127.0.0.1:8545", node.URL()).Replace(string(session[1]))
	bash := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	bash.Stderr = m.written
	output, err := bash.Output()
	require.NoError(t, err, "%s%s", output, m.written)
	require.Regexp(t, `^"stored"\n\{\n  "stage": "captured",\n  "amount": "25.000000",\n  "settlement": \{\n    "outcome": "captured",`, string(output))
	m.settled(dollars25, 1)
}
