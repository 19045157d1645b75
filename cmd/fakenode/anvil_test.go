package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure anvil's flags have the effect of ours, with the value behind a space or =, and in the forms without a value.
func TestAnvilFlags(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ theirs, ours []string }{
		{[]string{"-p", "0", "-a", "3", "-m", "words", "-b", "2", "-q"}, []string{"--port=0", "--accounts=3", "--mnemonic=words", "--block-time=2s", "--quiet"}},
		{[]string{"--blockTime=0.25"}, []string{"--block-time=250ms"}},
		{[]string{"--block-time", "2"}, []string{"--block-time=2s"}},
		{[]string{"--init", "genesis.json", "--silent"}, []string{"--genesis=genesis.json", "--quiet"}},
		{[]string{"--no-mining", "--timestamp", "1700000000"}, []string{"--seal=manual", "--start-time=1700000000"}},
		{[]string{"--no-mine"}, []string{"--seal=manual"}},
		{[]string{"--no-bundler", "--bundler"}, nil},
		{[]string{"--bundler=false", "--control=true"}, []string{"--no-bundler"}},
		{[]string{"--block-base-fee-per-gas=7"}, []string{"--base-fee=7"}},
		{[]string{"--slots-in-an-epoch", "1"}, []string{"--safe-lag=1", "--finalized-lag=2"}},
		{[]string{"--prune-history", "10"}, []string{"--history=10"}},
		{[]string{"--prune-history", "--silent"}, []string{"--history=1", "--quiet"}},
		{
			[]string{"-f", "http://host", "--fork-block-number", "5", "--retries", "2", "--timeout=1500", "--no-storage-caching", "--no-rate-limit"},
			[]string{"--fork-url=http://host", "--fork-block=5", "--fork-retries=2", "--fork-timeout=1.5s"},
		},
		{[]string{"--hardfork", "Prague"}, []string{"--hardfork=prague"}},
		{[]string{"--hardfork", "latest"}, nil},
		{[]string{"--steps-tracing", "--no-cors", "--disable-console-log", "--color", "never", "-n", "ethereum"}, nil},
		{[]string{"--disable-code-size-limit"}, []string{"--code-size-limit=0"}},
		{[]string{"--enable-tx-gas-limit"}, []string{"--tx-gas-limit=16777216"}},
		{[]string{"-f", "http://127.0.0.1:1", "--fork-block-number", "7", "--retries", "2", "--timeout", "500", "--no-rate-limit", "--no-storage-caching"},
			[]string{"--fork-url=http://127.0.0.1:1", "--fork-block=7", "--fork-retries=2", "--fork-timeout=500ms"}},
		{[]string{"--host", "--silent"}, []string{"--host=--silent"}}, // a value, whatever it looks like
	} {
		theirs, err := serving().parse(tc.theirs, nil)
		require.NoError(t, err, "%v", tc.theirs)
		ours, err := serving().parse(tc.ours, nil)
		require.NoError(t, err, "%v", tc.ours)
		ours.set, theirs.set = nil, nil // the texts, in which a value may be said in two ways
		require.Equal(t, ours, theirs, "%v", tc.theirs)
	}
}

// documentedAnvilFlags returns the names in the first cells of the flags' table of docs/anvil.md, without dashes.
func documentedAnvilFlags(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile("../../docs/anvil.md")
	require.NoError(t, err)
	_, section, _ := strings.Cut(string(text), "\n## Flags\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var names []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`--.*?) \\|").FindAllStringSubmatch(section, -1) {
		for _, flag := range regexp.MustCompile("`--([a-z0-9-]+)`").FindAllStringSubmatch(row[1], -1) {
			names = append(names, flag[1])
		}
	}
	require.NotEmpty(t, names)
	return names
}

// Ensure docs/anvil.md has a row for every flag that we translate or reject, and that each row is true: a flag is known
// here.
func TestAnvilFlagsAreDocumented(t *testing.T) {
	t.Parallel()
	documented := documentedAnvilFlags(t)
	flags := serving().flagSet(new(options))
	for _, name := range documented {
		known := flags.Lookup(name) != nil || findAnvilFlag(name) != nil || name == "help"
		require.True(t, known, "--%s is unknown to the binary", name)
	}
	otherNames := []string{"a", "b", "m", "p", "q", "V", "silent", "auto-unlock", "f", "enable-trace-printing"} // of flags that have a row
	for _, f := range anvilFlags {
		if !slices.Contains(otherNames, f.names[0]) {
			require.Contains(t, documented, f.names[0])
		}
	}
}

// Ensure docs/anvil.md has a row for every flag of anvil --help, where anvil is installed.
func TestAnvilHelpIsCovered(t *testing.T) {
	laboratory.Needs(t, laboratory.Peers)
	t.Parallel()
	anvil, err := exec.LookPath("anvil")
	if err != nil {
		t.Skip("anvil is not installed: its flags are not compared with docs/anvil.md")
	}
	help, err := exec.CommandContext(t.Context(), anvil, "--help").Output()
	require.NoError(t, err)
	documented := documentedAnvilFlags(t)
	flags := regexp.MustCompile(`(?m)^ +(?:-\w, |    )--([a-z0-9-]+)`).FindAllStringSubmatch(string(help), -1)
	require.Greater(t, len(flags), 50)
	for _, f := range flags {
		require.Contains(t, documented, f[1])
	}
}
