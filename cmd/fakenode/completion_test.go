package main

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// completionScript returns the output of "fakenode completion".
func completionScript(t *testing.T, shell string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	require.Equal(t, exitOK, run(t.Context(), []string{"completion", shell}, nil, &stdout, &stderr))
	require.Empty(t, stderr.String())
	return stdout.String()
}

// runShell runs a script in a shell and returns its output. The test is skipped if the shell is missing.
func runShell(t *testing.T, shell, script string, args ...string) string {
	t.Helper()
	laboratory.Needs(t, laboratory.Shell)
	path, err := exec.LookPath(shell)
	if err != nil {
		t.Skipf("%s is not installed: its completions are not tried", shell)
	}
	file := filepath.Join(t.TempDir(), "script")
	require.NoError(t, os.WriteFile(file, []byte(script), 0o600))
	output, err := exec.CommandContext(t.Context(), path, append(args, file)...).CombinedOutput()
	require.NoError(t, err, string(output))
	return string(output)
}

// Ensure each shell's script names every flag.
func TestCompletionNamesEveryFlag(t *testing.T) {
	t.Parallel()
	for _, shell := range shells {
		script := completionScript(t, shell)
		serving().flagSet(new(options)).VisitAll(func(f *flag.Flag) {
			require.True(t, strings.Contains(script, "--"+f.Name) || strings.Contains(script, " -l "+f.Name+" "), "%s: --%s", shell, f.Name)
		})
	}
}

// Ensure bash completes flags and the values of flags with a list of values.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	script := completionScript(t, "bash") + `
complete_words() { COMP_WORDS=(fakenode "$@"); COMP_CWORD=$#; _fakenode; echo "${COMPREPLY[*]}"; }
complete_words --seal in
complete_words --no-p
complete_words --port ""
`
	require.Equal(t, "interval instant\n--no-preconf\n\n", runShell(t, "bash", script, "--norc"))
}

// Ensure zsh takes its script.
func TestCompletionInZsh(t *testing.T) {
	t.Parallel()
	script := "autoload -Uz compinit && compinit -u -D\n" + completionScript(t, "zsh") + "print $_comps[fakenode]\n"
	require.Equal(t, "_fakenode\n", runShell(t, "zsh", script, "-f"))
}

// Ensure fish completes flags and values.
func TestCompletionInFish(t *testing.T) {
	t.Parallel()
	script := completionScript(t, "fish") + "complete -C 'fakenode --seal=in' | string replace -r '\\t.*' ''\ncomplete -C 'fakenode --no-p' | string replace -r '\\t.*' ''\n"
	require.Equal(t, "--seal=instant\n--seal=interval\n--no-preconf\n", runShell(t, "fish", script, "--no-config"))
}
