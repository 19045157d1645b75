package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the sessions of the README work as they stand, but for the ports.
func TestSessionOfREADME(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell)
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	var session strings.Builder
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(readme, -1) {
		session.Write(block[1])
	}

	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Instant})
	m := startMerchant(t, node)
	script := strings.NewReplacer("http://127.0.0.1:8080", m.url, "http://127.0.0.1:8545", node.URL()).Replace(session.String())
	bash := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	bash.Stderr = m.written
	output, err := bash.Output()
	require.NoError(t, err, "%s%s", output, m.written)
	require.Regexp(t, `^"stored"\n\{\n  "stage": "captured",\n  "amount": "25.000000",\n  "settlement": \{\n    "outcome": "captured",`, string(output))
	require.Contains(t, string(output), `
"stored"
"12.500000"
{"path":"variable","stage":"captured","amount":"40.000000","received":"12.500000"}
"12.500000"
"7.250000"
{"path":"variable","stage":"captured","amount":"40.000000","received":"19.750000"}
null
"approve"
"capture"
{"path":"subscription","stage":"captured","amount":"9.990000","received":"9.990000"}
0.010000
0.020000
0.030000
"capture"
{"path":"requests","stage":"captured","amount":"1.000000","received":"0.030000"}
`)
	m.settled(dollars25+19_750_000+9_990_000+30_000, 7)
}

// Ensure the README names every file, and its commands are ones that the program takes.
func TestFilesAndCommandsOfREADME(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, pattern := range []string{"*.go", "checkout/*"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			if filepath.Dir(file) == "checkout" && strings.HasSuffix(file, "_test.go") {
				continue // of single functions
			}
			require.Contains(t, string(readme), filepath.Base(file)+"`", "README.md does not say what %s is for", file)
		}
	}
	key := regexp.MustCompile(`export MERCHANT_KEY=(\S+)`).FindSubmatch(readme)
	command := regexp.MustCompile(`(?m)^\$ go run ./examples/merchant (.*)$`).FindSubmatch(readme)
	require.NotNil(t, key)
	require.NotNil(t, command)
	config, listen, err := parse(strings.Fields(string(command[1])), func(string) string { return string(key[1]) }, io.Discard)
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:8545", config.URL)
	require.Equal(t, "127.0.0.1:8080", listen)
	require.Equal(t, fixtures.Dev(1).Address, crypto.PubkeyToAddress(config.Key.PublicKey))
}
