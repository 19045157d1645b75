package integration_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure the shell sessions of the documents go as shown: every command is run, on the binary, and its output compared.
// A "…" stands for anything in a line; a line of its own, for any lines.
func TestShownSessions(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell, "bash", "curl")
	binary := programPath(t, nodeProgram)
	for _, document := range []string{"README.md", "docs/recipes.md", "docs/worlds.md"} {
		t.Run(document, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("..", document))
			require.NoError(t, err)
			s := newSession(t, binary)
			blocks := regexp.MustCompile("(?s)\n```\n(\\$ .*?)```\n").FindAllStringSubmatch(string(text), -1)
			require.NotEmpty(t, blocks)
			for _, block := range blocks {
				s.play(block[1])
			}
		})
	}
}

// session is a shell with one node at a time, which stands for the one at 127.0.0.1:8545.
type session struct {
	t       *testing.T
	binary  string
	dir     string
	in      io.Writer
	out     *bufio.Reader
	address string
	stop    context.CancelFunc
}

const shownAddress = "127.0.0.1:8545"

func newSession(t *testing.T, binary string) *session {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "bash")
	s := &session{t: t, binary: binary, dir: t.TempDir(), stop: func() {}}
	shell.Dir = s.dir
	in, err := shell.StdinPipe()
	require.NoError(t, err)
	out, err := shell.StdoutPipe()
	require.NoError(t, err)
	shell.Stderr = shell.Stdout
	require.NoError(t, shell.Start())
	s.in, s.out = in, bufio.NewReader(out)
	t.Cleanup(func() {
		s.stop()
		_ = in.Close()
		_ = shell.Wait()
	})
	return s
}

// play runs the commands of a block, which begin with "$ ", and compares their output.
func (s *session) play(block string) {
	s.t.Helper()
	for _, part := range strings.Split("\n"+strings.TrimSuffix(block, "\n"), "\n$ ")[1:] {
		lines := strings.Split(part, "\n")
		n := 1
		for strings.HasSuffix(lines[n-1], `\`) {
			n++
		}
		command, want := strings.Join(lines[:n], "\n"), strings.Join(lines[n:], "\n")
		var got string
		if flags, starts := strings.CutPrefix(strings.TrimPrefix(command, "go run ./cmd/"), "fakenode"); starts {
			got = s.start(strings.Fields(flags))
		} else {
			got = s.run(command)
		}
		require.Regexp(s.t, pattern(want), strings.ReplaceAll(got, s.address, shownAddress), command)
	}
}

// pattern returns a pattern for an output that is shown shortened.
func pattern(shown string) string {
	quoted := regexp.QuoteMeta(shown)
	quoted = regexp.MustCompile(`(?m)^…$`).ReplaceAllString(quoted, `(?s:.*)`)
	return `\A` + strings.ReplaceAll(quoted, "…", `[^\n]*`) + `\s*\z`
}

// start runs a node on a free port in place of the last one, and returns its output.
func (s *session) start(flags []string) string {
	s.t.Helper()
	s.stop()
	ctx, stop := context.WithCancel(s.t.Context())
	node := exec.CommandContext(ctx, s.binary, append(flags, "--port", "0")...)
	node.Cancel = func() error { return node.Process.Signal(os.Interrupt) }
	node.Dir = s.dir
	out, err := node.StdoutPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, node.Start())
	s.stop = func() {
		stop()
		_ = node.Wait()
	}
	var said bytes.Buffer
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Fprintln(&said, lines.Text())
		if address, first := strings.CutPrefix(lines.Text(), "Listening on "); first {
			s.address = address
			s.run("NODE=" + address)
		}
		if strings.HasPrefix(lines.Text(), "token owner ") || strings.Contains(strings.Join(flags, " "), "--quiet") {
			break
		}
	}
	return said.String()
}

// run runs a command in the shell and returns its output.
func (s *session) run(command string) string {
	s.t.Helper()
	const end = "--- end of output ---"
	_, err := fmt.Fprintf(s.in, "%s\necho; echo '%s'\n", strings.ReplaceAll(command, shownAddress, "$NODE"), end)
	require.NoError(s.t, err)
	var printed strings.Builder
	for {
		line, err := s.out.ReadString('\n')
		require.NoError(s.t, err, printed.String())
		if line == end+"\n" {
			return printed.String()
		}
		printed.WriteString(line)
	}
}
