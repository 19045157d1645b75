package integration_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the banner under the name anvil ends with the sections that anvil's own program prints, line by line.
func TestBannerBesideAnvil(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Peers)
	theirs := foundryProgram(t, "anvil")
	ours := filepath.Join(t.TempDir(), "anvil")
	require.NoError(t, os.Symlink(programPath(t, nodeProgram), ours))
	require.Equal(t, sections(t, theirs), sections(t, ours))
}

// sections returns the output of a program from Available Accounts to the line with the address, without its port.
func sections(t *testing.T, program string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), program, "--timestamp", "1700000000", "--balance", "12", "--port", "0")
	command.Env = append(os.Environ(), "NO_COLOR=1")
	output, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	var text strings.Builder
	for lines := bufio.NewScanner(output); lines.Scan(); {
		text.WriteString(lines.Text() + "\n")
		if strings.HasPrefix(lines.Text(), "Listening on ") {
			break
		}
	}
	require.NoError(t, command.Process.Kill())
	_ = command.Wait()
	_, rest, ok := strings.Cut(text.String(), "Available Accounts")
	require.True(t, ok, text.String())
	return regexp.MustCompile(`(Listening on 127\.0\.0\.1:)\d+`).ReplaceAllString(rest, "$1")
}
