package integration_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/integration_test/parity"
)

// hardhat3Project has Hardhat 3.
const hardhat3Project = "hardhat3"

// Ensure the preset hardhat answers as `hardhat node` of Hardhat 2 and 3 but for the rows of docs/parity.md. With make
// parity, also that each of them still differs.
func TestParityHardhat(t *testing.T) {
	t.Parallel()
	ours := startPreset(t, fakenode.Hardhat)
	t.Run("2", func(t *testing.T) {
		t.Parallel()
		requireNode(t)
		require.NoError(t, install(hardhatProject, "ci"))
		requireParity(t, parity.Hardhat2(ours, hardhats(t, "node", hardhatProject, "serve.cjs")))
	})
	t.Run("3", func(t *testing.T) {
		t.Parallel()
		node := node22(t)
		// npm leaves out what does not run on its own Node.js.
		require.NoError(t, install(hardhat3Project, "ci", "PATH="+filepath.Dir(node)+string(os.PathListSeparator)+os.Getenv("PATH")))
		requireParity(t, parity.Hardhat3(ours, hardhats(t, node, hardhat3Project, "serve.js")))
	})
}

// mostNetworks is how many networks a process of Hardhat serves, one after the other: it keeps the memory of each.
const mostNetworks = 60

// mostCourse is the longest that a course takes unless Hardhat does not answer a call any more.
const mostCourse = 45 * time.Second

// hardhats returns a function that starts Hardhat's network in a project, anew for each course in a process that stays
// for mostNetworks.
func hardhats(t *testing.T, node, project, script string) func(context.Context) (url string, stop func(), err error) {
	t.Helper()
	var lines io.WriteCloser
	var output *bufio.Scanner
	end, left := func() {}, 0
	t.Cleanup(func() { end() })
	return func(context.Context) (string, func(), error) {
		if left == 0 {
			end()
			command := exec.CommandContext(t.Context(), node, script)
			command.Dir = project
			command.Env = append(os.Environ(), "HARDHAT_DISABLE_TELEMETRY_PROMPT=true")
			var err error
			lines, err = command.StdinPipe()
			require.NoError(t, err)
			said, err := command.StderrPipe()
			require.NoError(t, err)
			require.NoError(t, command.Start())
			input := lines
			end = func() {
				_ = input.Close()
				kill := time.AfterFunc(time.Second, func() { _ = command.Process.Kill() }) // it may be busy for ever
				defer kill.Stop()
				_ = command.Wait()
			}
			output, left = bufio.NewScanner(said), mostNetworks
		}
		left--
		began := time.Now()
		if _, err := io.WriteString(lines, "\n"); err != nil {
			return "", nil, err
		}
		for output.Scan() {
			if url := output.Text(); strings.HasPrefix(url, "http://") {
				return url, func() {
					if time.Since(began) > mostCourse {
						left = 0
					}
				}, nil
			}
			t.Log(output.Text())
		}
		return "", nil, fmt.Errorf("%s does not say where it listens: %w", script, cmp.Or(output.Err(), io.EOF))
	}
}
