package integration_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// foundryProject is the folder with Foundry's programs from npm.
const foundryProject = "foundry"

// foundryProgram returns the path of one of Foundry's programs, which comes from npm where it is not installed. The
// test is skipped where there is none for the platform.
func foundryProgram(t *testing.T, name string) string {
	t.Helper()
	laboratory.Needs(t, laboratory.Peers)
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	requireNode(t)
	modules, err := packagesOf(foundryProject)
	if err != nil {
		t.Skipf("%s is not installed and cannot be had from npm: %v", name, err)
	}
	found, err := filepath.Glob(filepath.Join(modules, "@foundry-rs", name+"-*", "bin", name+"*"))
	require.NoError(t, err)
	if len(found) == 0 {
		t.Skipf("%s is not installed, and npm has none for this platform", name)
	}
	return found[0]
}

// startAnvil starts anvil on a free port and returns its URL, and a function that ends it and waits.
func startAnvil(t *testing.T, args ...string) (url string, stop func()) {
	t.Helper()
	command := exec.CommandContext(t.Context(), foundryProgram(t, "anvil"), append([]string{"--port", "0"}, args...)...)
	out, err := command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	stop = func() {
		_ = command.Process.Signal(os.Interrupt)
		defer time.AfterFunc(10*time.Second, func() { _ = command.Process.Kill() }).Stop() // one whose locks wait for each other
		_ = command.Wait()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if address, ok := strings.CutPrefix(lines.Text(), "Listening on "); ok {
			go func() { _, _ = io.Copy(io.Discard, out) }() // anvil waits for its reader
			return "http://" + address, stop
		}
	}
	stop()
	require.Fail(t, "anvil does not say where it listens")
	return "", nil
}

// Ensure Foundry's programs read and write a node as they are: forge deploys a contract and calls it, each transaction
// mined before the next where the preset does so, and cast reads the contract, whole blocks, with deposits under base,
// and executes a transaction again.
func TestFoundryPrograms(t *testing.T) {
	t.Parallel()
	forge, cast := foundryProgram(t, "forge"), foundryProgram(t, "cast")
	requireNode(t)
	modules, err := packagesOf(foundryProject)
	require.NoError(t, err)
	compiler, err := filepath.Abs(filepath.Join(foundryProject, "solc.cjs"))
	require.NoError(t, err)
	for preset, mode := range map[fakenode.Preset]fakenode.Mode{fakenode.Anvil: fakenode.Instant, fakenode.Hardhat: fakenode.Instant, fakenode.Base: fakenode.Interval} {
		t.Run(string(preset), func(t *testing.T) {
			t.Parallel()
			node := fakenode.RunConfigT(t, fakenode.Config{Preset: preset, Mode: mode, RealClock: true})
			go func() { _ = node.Run(t.Context()) }()
			key, project := hexutil.Encode(crypto.FromECDSA(node.Account(0).Key)), t.TempDir()
			require.NoError(t, os.CopyFS(filepath.Join(project, "script"), os.DirFS(filepath.Join(foundryProject, "script"))))
			play := func(program string, args ...string) string {
				command := exec.CommandContext(t.Context(), program, append(args, "--rpc-url", node.URL())...)
				command.Dir, command.Env = project, append(os.Environ(), "NODE_PATH="+modules)
				output, err := command.CombinedOutput()
				require.NoError(t, err, "%s %s: %s", program, args, output)
				return string(output)
			}
			said := play(forge, "script", "script/Deploy.s.sol:Deploy", "--broadcast", "--use", compiler, "--evm-version", "prague", "--private-key", key)
			require.Contains(t, said, "ONCHAIN EXECUTION COMPLETE & SUCCESSFUL")
			contract := crypto.CreateAddress(node.Account(0).Address, 0).Hex()
			require.Equal(t, "2", strings.TrimSpace(play(cast, "call", contract, "count()(uint256)")))
			var sent struct {
				TransactionHash string
				Status          string
			}
			said = play(cast, "send", node.Account(1).Address.Hex(), "--value", "1ether", "--json", "--private-key", key)
			require.NoError(t, json.Unmarshal([]byte(said), &sent), said)
			require.Equal(t, "0x1", sent.Status)
			require.Contains(t, play(cast, "run", sent.TransactionHash), "Transaction successfully executed")
			require.Contains(t, play(cast, "block", "latest", "--full", "--json"), `"transactions"`)
			require.Contains(t, play(cast, "da-estimate", "latest"), "Estimated data availability size")
		})
	}
}
