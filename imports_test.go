package fakenode_test

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/fakenode/fakenode"

// doors lists, for each package of the house, the packages of the house it may import. Imports go one way.
var doors = map[string][]string{
	"internal":                 {},
	"internal/persistent":      {},
	"internal/artifacts":       {},
	"internal/console":         {},
	"internal/contracts":       {"contracts", "internal/artifacts", "fixtures/contracts", "tokencontract"},
	"internal/transact":        {"evmstate", "evmstate/simulate", "evmstate/trace", "fixtures", "internal/contracts", "preconf", "preconf/control"},
	"internal/paytoken":        {"evmstate", "evmstate/chain", "evmstate/remote", "evmstate/simulate", "evmstate/trace", "fixtures", "internal/transact", "preconf", "tokencontract"},
	"internal/post":            {},
	"internal/spelling":        {},
	"internal/profile":         {"evmstate/chain", "evmstate/trace", "internal/artifacts", "internal/console"},
	"internal/forkcheck":       {"evmstate/chain", "evmstate/simulate", "evmstate/trace", "internal/artifacts", "internal/profile"},
	"internal/eventlog":        {"evmstate", "evmstate/optimism", "evmstate/trace", "internal/artifacts", "internal/console", "internal/paytoken", "internal/profile", "preconf", "preconf/control"},
	"internal/keeping":         {"evmstate/chain", "evmstate/optimism", "evmstate/remote", "preconf", "preconf/store"},
	"internal/assembly":        {"evmstate", "evmstate/chain", "evmstate/optimism", "evmstate/remote", "fixtures", "contracts", "contracts/b20", "contracts/channels", "contracts/checkout", "contracts/entrypoint", "contracts/escrow", "contracts/permit2", "contracts/simple7702", "contracts/simpleaccount", "contracts/smartwallet", "contracts/spendpermission", "contracts/x402", "internal/contracts/l1", "internal/contracts/predeploys", "internal/keeping", "internal/paytoken", "preconf", "rollup", "tokencontract"},
	"internal/persona":         {"evmstate", "evmstate/chain", "evmstate/optimism", "evmstate/simulate", "fixtures", "internal/assembly", "internal/contracts/l1", "internal/spelling", "preconf", "preconf/control", "preconf/pool", "rpcserver/api", "rpcserver/dialect", "rpcserver/flashblocks", "rpcserver/shape", "tokencontract"},
	"internal/recording":       {"preconf", "preconf/pace", "rpcserver/jsonrpc", "rpcserver/world"},
	"evmstate/internal/trie":   {"internal/persistent"},
	"evmstate":                 {"evmstate/internal/trie", "internal/persistent"},
	"evmstate/optimism":        {"evmstate"},
	"evmstate/remote/provider": {},
	"evmstate/remote":          {"evmstate", "evmstate/optimism", "evmstate/remote/provider"},
	"evmstate/chain":           {"evmstate", "evmstate/internal/trie", "evmstate/optimism", "evmstate/remote", "internal/persistent"},
	"evmstate/simulate":        {"evmstate", "evmstate/chain", "evmstate/optimism"},
	"evmstate/trace":           {"evmstate", "evmstate/chain", "evmstate/optimism", "evmstate/simulate", "internal/spelling"},
	"preconf":                  {"internal/persistent", "evmstate", "evmstate/chain", "evmstate/optimism", "evmstate/remote", "preconf/control", "preconf/feed", "preconf/filter", "preconf/pace", "preconf/pool"},
	"preconf/control":          {"evmstate/optimism"},
	"preconf/feed":             {},
	"preconf/pace":             {},
	"preconf/filter":           {"internal/persistent", "evmstate/chain", "preconf/control", "preconf/pool"},
	"preconf/pool":             {"internal/persistent", "evmstate", "evmstate/chain", "evmstate/remote"},
	"preconf/store":            {"internal/persistent", "evmstate", "evmstate/chain", "evmstate/remote", "preconf", "preconf/control"},
	"rollup":                   {"evmstate", "evmstate/chain", "evmstate/optimism", "internal/contracts/l1", "preconf"},
	"rpcserver/jsonrpc":        {"internal/post", "internal/spelling"},
	"rpcserver":                {"internal/paytoken", "evmstate", "preconf", "rpcserver/api", "rpcserver/bridge", "rpcserver/bundler", "rpcserver/command", "rpcserver/dialect", "rpcserver/eth", "rpcserver/explain", "rpcserver/flashblocks", "rpcserver/jsonrpc", "rpcserver/page", "rpcserver/shape", "rpcserver/stream", "rpcserver/wallet", "rpcserver/world"},
	"rpcserver/dialect":        {"evmstate", "evmstate/simulate", "evmstate/trace", "preconf", "preconf/control", "preconf/filter", "preconf/pool", "rpcserver/api", "rpcserver/command", "rpcserver/eth", "rpcserver/explain", "rpcserver/jsonrpc", "rpcserver/shape"},
	"rpcserver/eth":            {"evmstate", "evmstate/chain", "evmstate/remote", "evmstate/simulate", "preconf", "preconf/filter", "preconf/pool", "rpcserver/api", "rpcserver/explain", "rpcserver/jsonrpc", "rpcserver/shape", "rpcserver/stream"},
	"rpcserver/world":          {"preconf", "rpcserver/api", "rpcserver/flashblocks", "rpcserver/jsonrpc", "rpcserver/shape"},
	"rpcserver/api":            {"internal/artifacts", "internal/paytoken", "fixtures", "evmstate", "evmstate/chain", "evmstate/remote", "evmstate/simulate", "evmstate/trace", "preconf", "preconf/control", "preconf/filter", "preconf/pool", "rpcserver/flashblocks", "rpcserver/jsonrpc", "rpcserver/shape", "rpcserver/stream", "internal/spelling"},
	"rpcserver/bridge":         {"evmstate/chain", "evmstate/optimism", "internal/contracts/l1", "preconf", "rollup", "rpcserver/api", "rpcserver/jsonrpc"},
	"rpcserver/bundler":        {"preconf", "rpcserver/api", "rpcserver/shape", "userop", "userop/erc7562"},
	"rpcserver/wallet":         {"evmstate/simulate", "contracts/simple7702", "preconf", "rpcserver/api", "rpcserver/jsonrpc"},
	"rpcserver/explain":        {"internal/forkcheck", "internal/profile", "evmstate", "evmstate/chain", "evmstate/simulate", "evmstate/trace", "preconf", "preconf/filter", "rpcserver/api", "rpcserver/jsonrpc", "rpcserver/shape"},
	"rpcserver/command":        {"internal/artifacts", "internal/console", "internal/paytoken", "fixtures", "scenario", "evmstate", "evmstate/chain", "evmstate/optimism", "evmstate/remote", "evmstate/simulate", "preconf", "preconf/control", "rpcserver/api", "rpcserver/flashblocks", "rpcserver/jsonrpc", "rpcserver/shape", "rpcserver/world", "userop", "contracts", "contracts/entrypoint"},
	"rpcserver/shape":          {"evmstate", "evmstate/optimism", "evmstate/remote", "evmstate/simulate", "preconf", "preconf/pool", "rpcserver/jsonrpc"},
	"rpcserver/stream":         {"evmstate", "evmstate/chain", "preconf", "rpcserver/flashblocks", "rpcserver/jsonrpc", "rpcserver/shape"},
	"rpcserver/flashblocks":    {"preconf", "preconf/control", "rpcserver/jsonrpc"},
	"rpcserver/page":           {},
	"tokencontract":            {},
	"fixtures":                 {"tokencontract"},
	"fixtures/contracts":       {},
	"scenario":                 {"internal/paytoken", "evmstate", "evmstate/optimism", "evmstate/simulate", "preconf", "preconf/control", "rollup", "fixtures", "contracts", "internal/contracts/l1", "internal/spelling", "contracts/b20", "contracts/channels", "contracts/checkout", "contracts/entrypoint", "contracts/escrow", "contracts/simple7702", "contracts/smartwallet", "contracts/spendpermission", "tokencontract"},
	"":                         {"internal/artifacts", "internal/assembly", "internal/console", "internal/contracts", "internal/eventlog", "internal/forkcheck", "internal/keeping", "internal/paytoken", "internal/persona", "internal/profile", "internal/spelling", "internal/transact", "evmstate", "evmstate/chain", "evmstate/optimism", "evmstate/remote", "evmstate/simulate", "evmstate/trace", "preconf", "preconf/control", "preconf/filter", "preconf/pool", "rollup", "rpcserver", "rpcserver/api", "rpcserver/command", "rpcserver/explain", "rpcserver/flashblocks", "rpcserver/jsonrpc", "rpcserver/world", "scenario", "tokencontract", "userop", "fixtures"},
	"tracers":                  {"evmstate/trace"},
	"nodetest":                 {},
	"cmd/fakenode":             {"", "fixtures", "internal/recording", "internal/spelling", "rpcserver/jsonrpc", "scenario", "tokencontract", "tracers"},

	"userop":         {"evmstate", "evmstate/chain", "evmstate/simulate", "contracts/entrypoint", "preconf", "preconf/control", "preconf/filter", "userop/erc7562"},
	"userop/erc7562": {},

	// What a genesis holds besides the token.
	"contracts":                     {},
	"contracts/b20":                 {"tokencontract"},
	"contracts/permit2":             {"contracts"},
	"contracts/x402":                {"contracts", "contracts/permit2", "tokencontract"},
	"contracts/channels":            {"contracts", "contracts/permit2", "tokencontract"},
	"contracts/checkout":            {"contracts", "tokencontract"},
	"contracts/escrow":              {"contracts", "contracts/permit2", "tokencontract"},
	"contracts/smartwallet":         {"contracts"},
	"contracts/spendpermission":     {"contracts"},
	"contracts/entrypoint":          {"contracts"},
	"contracts/simple7702":          {"contracts"},
	"contracts/simpleaccount":       {"contracts"},
	"internal/contracts/predeploys": {"evmstate/chain", "evmstate/optimism", "contracts", "internal/contracts/l1"},
	"internal/contracts/l1":         {"evmstate/optimism", "contracts"},

	// What only tests import, and programs for the developers of fakenode.
	"internal/test/labcode":      {},
	"internal/test/laboratory":   {},
	"internal/test/cache":        {},
	"internal/test/contracttest": {"contracts", "fixtures", "fixtures/contracts", "internal/test/cache", "internal/test/laboratory", "tokencontract"},
	"internal/tool/facts":        {},
	"internal/test/door":         {},
	"internal/test/probe":        {},
	"internal/test/servertest": {
		"contracts", "evmstate", "evmstate/chain", "evmstate/optimism", "evmstate/remote", "fixtures", "internal/contracts/predeploys", "internal/test/labcode",
		"preconf", "rpcserver", "rpcserver/jsonrpc", "rpcserver/world", "tokencontract", "tracers",
	},
}

// Ensure imports inside the repository go one way, that nothing imports integration_test, that only tests and
// what stands in integration_test import internal/test, and that every package says what it is.
func TestImportsGoOneWay(t *testing.T) {
	t.Parallel()
	var names []string
	for _, pkg := range listPackages(t) {
		name := strings.TrimPrefix(strings.TrimPrefix(pkg.ImportPath, module), "/")
		names = append(names, name)
		if len(pkg.GoFiles) > 0 { // in a package of tests a test says it
			require.NotEmpty(t, pkg.Doc, "package %q has no package comment", name)
		}
		allowed, restricted := doors[name]
		for _, imported := range pkg.Imports {
			rest, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			rest = strings.TrimPrefix(rest, "/")
			require.False(t, strings.HasPrefix(rest, "integration_test"), "%q imports %q", name, rest)
			require.False(t, strings.HasPrefix(rest, "examples/") && !strings.HasPrefix(name, "examples/"), "%q imports %q", name, rest)
			require.False(t, strings.HasPrefix(rest, "internal/tool/"), "%q imports %q", name, rest)
			require.False(t, strings.HasPrefix(rest, "internal/test/") && !strings.HasPrefix(name, "internal/test/") && !strings.HasPrefix(name, "integration_test/"), "%q imports %q", name, rest)
			if restricted {
				require.Contains(t, allowed, rest, "%q must not import %q", name, rest)
			}
		}
		require.True(t, restricted || strings.HasPrefix(name, "examples/") || strings.HasPrefix(name, "integration_test"),
			"package %q has no place in the house: add it to doors", name)
		require.False(t, slices.Contains(pkg.Imports, "testing") && restricted && !strings.HasPrefix(name, "internal/test/") && name != "nodetest", "%q imports testing outside its tests", name)
	}
	require.Subset(t, names, []string{"", "examples/merchant", "integration_test"}, "go.work does not name every module")
}

// Ensure the modules of the examples and of the integration tests raise no version of what fakenode itself is built of:
// tests run in the workspace, and users build without it.
func TestWorkspaceRaisesNoVersion(t *testing.T) {
	t.Parallel()
	built := func(workspace string) string {
		command := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{with .Module}}{{.Path}} {{.Version}}{{end}}", "./cmd/fakenode")
		command.Env = append(os.Environ(), "GOWORK="+workspace)
		out, err := command.Output()
		require.NoError(t, err)
		return string(out)
	}
	alone := built("off")
	require.Contains(t, alone, "github.com/ethereum/go-ethereum v1.17.10\n")
	require.Equal(t, alone, built(""))
}

// maxPackages is how many packages of others a test of a user's may build for fakenode, those of Go included. 343 of
// them come with go-ethereum's package core alone. Our own do not count: a room more with the same code costs nothing.
const maxPackages = 400

// Ensure importing fakenode stays as light as it is: all of it is compiled before a user's first test. What only some
// need has a package of its own to import, as the tracers have.
func TestPackagesThatATestBuilds(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", module).Output()
	require.NoError(t, err)
	packages := slices.DeleteFunc(strings.Fields(string(out)), func(name string) bool { return strings.HasPrefix(name, module) })
	require.LessOrEqual(t, len(packages), maxPackages, "what brings in the new ones? If it is worth it, raise maxPackages")
	require.NotContains(t, packages, "github.com/ethereum/go-ethereum/eth/tracers", "package tracers imports it")
}

// mostAgain is how many packages of ours Go compiles again for the tests of others.
const mostAgain = 21

// Ensure the tests are compiled quickly. Where a package has tests that stand within it, Go compiles the package again
// with them, and with it each package between it and what its other tests import. So a test of a low package either
// stands outside it, or uses no whole node: those that do are in internal/test/door.
func TestPackagesCompiledAgain(t *testing.T) {
	t.Parallel()
	packages := make(map[string]listedPackage)
	for _, pkg := range listPackages(t) {
		packages[pkg.ImportPath] = pkg
	}
	again := make(map[string]bool)
	for name, pkg := range packages {
		if len(pkg.TestGoFiles) == 0 {
			continue
		}
		for _, imported := range append(pkg.TestImports, pkg.XTestImports...) {
			for _, used := range append(packages[imported].Deps, imported) {
				if slices.Contains(packages[used].Deps, name) {
					again[used+" for "+name] = true
				}
			}
		}
	}
	require.LessOrEqual(t, len(again), mostAgain, strings.Join(slices.Sorted(maps.Keys(again)), "\n"))
}

type listedPackage struct {
	ImportPath, Doc                    string
	GoFiles, TestGoFiles               []string
	Imports, TestImports, XTestImports []string
	Deps                               []string // what it imports, directly or not
}

func listPackages(t *testing.T) []listedPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Doc,GoFiles,TestGoFiles,Deps,Imports,TestImports,XTestImports", module+"/...").Output()
	require.NoError(t, err)
	var packages []listedPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg listedPackage
		err := decoder.Decode(&pkg)
		if errors.Is(err, io.EOF) {
			return packages
		}
		require.NoError(t, err)
		packages = append(packages, pkg)
	}
}
