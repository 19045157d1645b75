package door_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// misuses are wrong calls of methods that fail the test. Each fails in the line that says so.
var misuses = map[string]func(t *testing.T, node *fakenode.Node){
	"Account": func(_ *testing.T, node *fakenode.Node) {
		node.Account(20) // fails here
	},
	"Advance": func(_ *testing.T, node *fakenode.Node) {
		node.Advance(-time.Second) // fails here
	},
	"Testnet": func(_ *testing.T, node *fakenode.Node) {
		node.Testnet().Advance(-time.Second) // fails here
	},
	"Preconfirm": func(t *testing.T, _ *fakenode.Node) {
		fakenode.RunConfigT(t, fakenode.Config{NoPreconf: true}).Preconfirm() // fails here
	},
	"URL": func(t *testing.T, node *fakenode.Node) {
		require.NoError(t, node.Close())
		node.URL() // fails here
	},
	"WebSocketURL": func(t *testing.T, node *fakenode.Node) {
		require.NoError(t, node.Close())
		node.Testnet().WebSocketURL() // fails here
	},
	"TestnetURL": func(t *testing.T, node *fakenode.Node) {
		require.NoError(t, node.Close())
		node.TestnetURL() // fails here
	},
	"RunConfigT": func(t *testing.T, _ *fakenode.Node) {
		fakenode.RunConfigT(t, fakenode.Config{Port: -1}) // fails here
	},
	"CloneT": func(t *testing.T, node *fakenode.Node) {
		node.CloneT(t).Advance(-time.Second) // fails here
	},
	"Mint": func(_ *testing.T, node *fakenode.Node) {
		node.Token().Mint(common.Address{1}, nil) // fails here
	},
	"Transfer": func(_ *testing.T, node *fakenode.Node) {
		node.Token().Transfer(node.Account(0), node.Account(1).Address, fixtures.USD("2000000")) // fails here
	},
	"Approve": func(_ *testing.T, node *fakenode.Node) {
		node.Token().Approve(node.Account(0), common.Address{}, nil) // fails here
	},
	"CheckBalance": func(t *testing.T, node *fakenode.Node) {
		node.CheckBalance(t, common.Address{1}, fixtures.USD("1")) // fails here
	},
	"Expect": func(t *testing.T, node *fakenode.Node) {
		node.Record(t).Expect(fakenode.HeadAdded) // fails here
	},
}

// Ensure a wrong call fails the test at the line of the test that made it, in a process of its own.
func TestMisusePointsAtTheTest(t *testing.T) {
	const child = "FAKENODE_TEST_MISUSE"
	if os.Getenv(child) != "" {
		for name, misuse := range misuses {
			t.Run(name, func(t *testing.T) { misuse(t, fakenode.RunT(t)) })
		}
		return
	}
	t.Parallel()
	source, err := os.ReadFile("misuse_test.go")
	require.NoError(t, err)
	lines := strings.Split(string(source), "\n")

	command := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	command.Env = append(os.Environ(), child+"=1")
	output, err := command.CombinedOutput()
	require.Error(t, err)
	failures := regexp.MustCompile(`(?m)^ +(\w+\.go):(\d+): fakenode: |^ +(\w+\.go):(\d+): token balance`).FindAllStringSubmatch(string(output), -1)
	require.Len(t, failures, len(misuses), "%s", output)
	for _, failure := range failures {
		require.Equal(t, "misuse_test.go", failure[1]+failure[3], failure[0])
		line, err := strconv.Atoi(failure[2] + failure[4])
		require.NoError(t, err)
		require.Contains(t, lines[line-1], "// fails here", failure[0])
	}
}
