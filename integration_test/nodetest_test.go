package integration_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// nodetestModule writes a module of one file of tests that requires nodetest, and others as "path version", and returns
// a command in it that has the node's program.
func nodetestModule(t *testing.T, tests string, others ...string) func(ctx context.Context, name string, args ...string) *exec.Cmd {
	t.Helper()
	binary := programPath(t, nodeProgram)
	nodetest, err := filepath.Abs("../nodetest")
	require.NoError(t, err)
	folder := t.TempDir()
	manifest := "module example.com/shop\n\ngo 1.24\n\nrequire github.com/fakenode/fakenode/nodetest v0.0.0\n\n" +
		"replace github.com/fakenode/fakenode/nodetest => " + nodetest + "\n"
	for _, other := range others {
		manifest += "\nrequire " + other + "\n"
	}
	require.NoError(t, os.WriteFile(filepath.Join(folder, "go.mod"), []byte(manifest), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "shop_test.go"), []byte(tests), 0o600))
	return inModule(folder, binary)
}

// inModule returns a command in a module's folder that has the node's program.
func inModule(folder, binary string) func(ctx context.Context, name string, args ...string) *exec.Cmd {
	return func(ctx context.Context, name string, args ...string) *exec.Cmd {
		command := exec.CommandContext(ctx, name, args...)
		command.Dir = folder
		command.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "FAKENODE_BINARY="+binary)
		return command
	}
}

// Ensure a module without go-ethereum gets a chain of its own for each of many tests at once, by nodetest's words, and
// that a failed test shows what the node printed.
func TestNodetest(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell, "go")
	command := nodetestModule(t, `package shop

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/fakenode/fakenode/nodetest"
)

func TestMany(t *testing.T) {
	for i := range 200 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			t.Parallel()
			node := nodetest.RunT(t)
			node.Token().Mint(node.Account(1).Address, big.NewInt(int64(i)+1))
			node.SealBlocks(i%3 + 1)
			before := node.Now()
			if moved := node.Advance(time.Minute); moved.TimestampMs != before.Add(time.Minute).UnixMilli() {
				t.Errorf("the clock is at %d", moved.TimestampMs)
			}
			if got := node.Token().BalanceOf(node.Account(1).Address); got.Int64() != 1_000_000_000_001+int64(i) {
				t.Errorf("the balance is %s", got)
			}
			if _, err := node.Reorg(nodetest.ReorgOptions{Depth: 1 << 30}); err == nil {
				t.Error("a reorg below the genesis block was made")
			}
		})
	}
}

func TestExam(t *testing.T) {
	result := nodetest.Exam(t, func(nodetest.Question, string) (nodetest.Answer, error) { return nodetest.Open, nil }, "--kinds=reorgs")
	if result.Passed {
		t.Error(result.Report)
	}
	found := nodetest.Explore(t, func(nodetest.Question, string) (nodetest.Answer, error) { return nodetest.Shipped, nil })
	if found.Passed || !strings.HasPrefix(found.Report, "FAILED schedule 1 of seed 0: payment 1: it says shipped, and no block holds the payment") {
		t.Error(found.Report)
	}
}

func TestFails(t *testing.T) {
	node := nodetest.RunT(t, "--console-log")
	t.Fatal("of its own, with", node.URL())
}
`)
	deps, err := command(t.Context(), "go", "list", "-deps", "github.com/fakenode/fakenode/nodetest").CombinedOutput()
	require.NoError(t, err, string(deps))
	require.NotContains(t, string(deps), "ethereum")
	out, err := command(t.Context(), "go", "test", "-vet=off", "-parallel", "64", ".").CombinedOutput()
	require.Error(t, err)
	require.Equal(t, 1, strings.Count(string(out), "--- FAIL"), string(out)) // TestFails
	require.Contains(t, string(out), "of its own, with http://127.0.0.1:")
	require.Contains(t, string(out), "which FAKENODE_BINARY names")
}

// Ensure a module keeps the go-ethereum that it has, four versions before ours or op-geth in its place, and reads a
// node with its own client.
func TestNodetestBesideOtherGoEthereum(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Geth, "go")
	command := nodetestModule(t, `package shop

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/ethclient"

	"github.com/fakenode/fakenode/nodetest"
)

func TestClient(t *testing.T) {
	node := nodetest.RunT(t)
	client, err := ethclient.Dial(node.URL())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	node.SealBlocks(3)
	block, err := client.BlockByNumber(t.Context(), nil)
	if err != nil || block.NumberU64() != 3 {
		t.Fatal(block, err)
	}
	if code, err := client.CodeAt(t.Context(), common.HexToAddress(node.Token().Address()), nil); err != nil || len(code) == 0 {
		t.Fatal(code, err)
	}
}
`, "github.com/ethereum/go-ethereum v1.13.15")
	out, err := command(t.Context(), "go", "mod", "tidy").CombinedOutput()
	require.NoError(t, err, string(out))
	out, err = command(t.Context(), "go", "list", "-m", "github.com/ethereum/go-ethereum").CombinedOutput()
	require.NoError(t, err)
	require.Equal(t, "github.com/ethereum/go-ethereum v1.13.15\n", string(out))
	example := inModule("../examples/opgeth", programPath(t, nodeProgram))
	out, err = example(t.Context(), "go", "mod", "tidy", "-diff").CombinedOutput()
	require.NoError(t, err, string(out))
	for _, module := range []func(ctx context.Context, name string, args ...string) *exec.Cmd{command, example} {
		out, err := module(t.Context(), "go", "test", "-vet=off", "-count=1", ".").CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

// Ensure no node is left, whatever ends the tests that started it.
func TestNodetestLeavesNoProcess(t *testing.T) {
	t.Parallel()
	laboratory.Needs(t, laboratory.Shell, "go")
	var node net.Conn
	ends := ""
	asked := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, err := url.Parse(r.URL.Query().Get("node"))
		if err == nil {
			node, err = net.Dial("tcp", at.Host)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
		}
		_, _ = io.WriteString(w, ends)
	}))
	t.Cleanup(asked.Close)
	command := nodetestModule(t, fmt.Sprintf(`package shop

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"testing"

	"github.com/fakenode/fakenode/nodetest"
)

func TestEnds(t *testing.T) {
	node := nodetest.RunT(t)
	response, err := http.Get(%q + "?node=" + url.QueryEscape(node.URL()))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	switch how, _ := io.ReadAll(response.Body); string(how) {
	case "fatal":
		t.Fatal("on purpose")
	case "panic":
		panic("on purpose")
	case "exit":
		os.Exit(3)
	case "kill":
		self, _ := os.FindProcess(os.Getpid())
		_ = self.Kill()
		select {}
	case "timeout":
		select {}
	}
}
`, asked.URL))
	for _, ends = range []string{"return", "fatal", "panic", "exit", "kill", "timeout"} {
		timeout := "10m"
		if ends == "timeout" {
			timeout = "15s"
		}
		out, err := command(t.Context(), "go", "test", "-vet=off", "-count=1", "-timeout", timeout, ".").CombinedOutput()
		require.Equal(t, ends == "return", err == nil, string(out))
		require.NotNil(t, node, string(out))
		_, err = node.Read(make([]byte, 1))
		require.Error(t, err, "the node ends with the tests, and its connections with it")
		node = nil
	}
}
