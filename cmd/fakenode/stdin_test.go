package main

import (
	"bufio"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// Ensure a node ends, cleanly, when the process that holds its standard input is gone.
func TestExitWithStdin(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	require.NoError(t, err)
	for _, flags := range [][]string{nil, {"--seal", "manual"}} {
		node := exec.CommandContext(t.Context(), program, append([]string{"--port", "0", "--exit-with-stdin"}, flags...)...)
		node.Env = append(os.Environ(), asProgram+"=1")
		holder, err := node.StdinPipe()
		require.NoError(t, err)
		out, err := node.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, node.Start())
		first, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, first, "Listening on ")
		require.NoError(t, holder.Close())
		require.NoError(t, node.Wait(), "exit code 0")
	}
}
