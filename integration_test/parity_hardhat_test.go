package integration_test

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/integration_test/parity"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// hardhat3Project is a project for Hardhat 3, which the recipes' packages have.
const hardhat3Project = "hardhat3"

// Ensure the preset hardhat answers as `hardhat node` of Hardhat 2 and 3 but for the rows of
// docs/maintainers/parity.md. With make parity, also that each of them still differs.
func TestParityHardhat(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Peers, "node", "npm")
	t.Run("2", func(t *testing.T) {
		t.Parallel()
		require.NoError(t, installPackages(hardhatProject))
		requireParity(t, parity.Hardhat2(hardhats(t, "node", hardhatProject, "serve.cjs")))
	})
	t.Run("3", func(t *testing.T) {
		t.Parallel()
		node := node22(t)
		modules, err := packagesOf(recipesProject)
		require.NoError(t, err)
		require.NoError(t, linkPackages(hardhat3Project, modules))
		requireParity(t, parity.Hardhat3(hardhats(t, node, hardhat3Project, "serve.js")))
	})
}

// mostNetworks is how many networks a process of Hardhat serves, one after the other: it keeps the memory of each.
const mostNetworks = 60

// mostCourse is the longest that a course takes unless Hardhat does not answer a call any more.
const mostCourse = 45 * time.Second

// hardhat is a process of Hardhat that serves a new network for each line of its input, and says its URL.
type hardhat struct {
	command *exec.Cmd
	lines   io.WriteCloser
	output  *bufio.Scanner
	left    int // how many networks it may still serve
}

// hardhats returns a function that starts a node and Hardhat's network in a project, anew for each course in processes
// that stay.
func hardhats(t *testing.T, node, project, script string) parity.Start {
	t.Helper()
	var mu sync.Mutex
	var idle []*hardhat
	t.Cleanup(func() {
		for _, h := range idle {
			h.end()
		}
	})
	return beside(fakenode.Hardhat, func() (string, func(), error) {
		mu.Lock()
		var h *hardhat
		if last := len(idle) - 1; last >= 0 {
			h, idle = idle[last], idle[:last]
		}
		mu.Unlock()
		if h == nil {
			var err error
			if h, err = startHardhat(t.Context(), node, project, script); err != nil {
				return "", nil, err
			}
		}
		began := time.Now()
		url, err := h.network()
		return url, func() {
			if h.left == 0 || time.Since(began) > mostCourse {
				h.end()
				return
			}
			mu.Lock()
			defer mu.Unlock()
			idle = append(idle, h)
		}, err
	})
}

func startHardhat(ctx context.Context, node, project, script string) (*hardhat, error) {
	command := exec.CommandContext(ctx, node, script)
	command.Dir = project
	command.Env = append(os.Environ(), "HARDHAT_DISABLE_TELEMETRY_PROMPT=true")
	lines, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	said, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	return &hardhat{command: command, lines: lines, output: bufio.NewScanner(said), left: mostNetworks}, command.Start()
}

// network serves a new network in place of the last one and returns its URL.
func (h *hardhat) network() (url string, err error) {
	h.left--
	if _, err := io.WriteString(h.lines, "\n"); err != nil {
		return "", err
	}
	var said []string
	for h.output.Scan() {
		if url := h.output.Text(); strings.HasPrefix(url, "http://") {
			return url, nil
		}
		said = append(said, h.output.Text())
	}
	return "", fmt.Errorf("Hardhat does not say where it listens: %w\n%s", cmp.Or(h.output.Err(), io.EOF), strings.Join(said, "\n"))
}

func (h *hardhat) end() {
	_ = h.lines.Close()
	kill := time.AfterFunc(time.Second, func() { _ = h.command.Process.Kill() }) // it may be busy for ever
	defer kill.Stop()
	_ = h.command.Wait()
}
