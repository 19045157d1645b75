package integration_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/scenario"
)

// The sources of the npm package, and the version that tests give it.
const (
	npmPackage        = "../npm"
	npmPackageVersion = "1.2.3"
)

// controlMethods returns the methods fakenode_* that docs/rpc.md describes, without the prefix, sorted.
func controlMethods(t *testing.T) (methods []string) {
	t.Helper()
	reference, err := os.ReadFile("../docs/rpc.md")
	require.NoError(t, err)
	for _, row := range regexp.MustCompile("(?m)^\\| (`fakenode_.*?) \\|").FindAllStringSubmatch(string(reference), -1) {
		methods = append(methods, firstGroups("`fakenode_([a-zA-Z0-9]+)`", row[1])...)
	}
	require.NotEmpty(t, methods)
	slices.Sort(methods)
	return methods
}

// Ensure fakenodeActions has an action for every method fakenode_*, and no other.
func TestActionsAreTheMethods(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(npmPackage, "src", "actions.ts"))
	require.NoError(t, err)
	_, list, found := strings.Cut(string(source), "const names:")
	require.True(t, found)
	list, _, _ = strings.Cut(list, "};")
	var actions []string
	for _, name := range regexp.MustCompile(`(?m)^  (\w+): true,$`).FindAllStringSubmatch(list, -1) {
		actions = append(actions, name[1])
	}
	require.Equal(t, controlMethods(t), actions)
}

// Ensure nodetest has a method for every method fakenode_*, and no other.
func TestNodetestHasTheMethods(t *testing.T) {
	t.Parallel()
	var methods []string
	for _, file := range []string{"control.go", "node.go"} {
		source, err := os.ReadFile(filepath.Join("..", "nodetest", file))
		require.NoError(t, err)
		methods = append(methods, firstGroups(`"fakenode_(\w+)"`, string(source))...)
	}
	slices.Sort(methods)
	require.Equal(t, controlMethods(t), slices.Compact(methods))
}

// Ensure the packages know each member of a new world and of the list of worlds.
func TestPackagesKnowTheMembersOfWorlds(t *testing.T) {
	t.Parallel()
	read := func(path, from, to string) string {
		text, err := os.ReadFile(filepath.Join("..", path))
		require.NoError(t, err)
		_, rest, found := strings.Cut(string(text), from)
		require.True(t, found, "%s has no %q", path, from)
		part, _, _ := strings.Cut(rest, to)
		return strings.ToLower(part)
	}
	for row, places := range map[string][]string{
		read("docs/rpc.md", "| `fakenode_newWorld` | `{", "}"): {
			read("npm/src/world.ts", "interface NewWorldOptions", "\n}"), read("python/src/fakenode/client.py", "def new_world(", ")"),
		},
		read("docs/rpc.md", "| `fakenode_worlds` | – | array of `{", "}"): {
			read("npm/src/world.ts", "interface WorldInfo", "\n}"), read("python/src/fakenode/control.py", "class WorldInfo(", "\nclass "),
			read("nodetest/values.go", "World struct {", "\n\t}"),
		},
	} {
		for _, member := range firstGroups(`(\w+)`, row) {
			for _, place := range places {
				require.Regexp(t, `\b`+member+`\b`, place)
			}
		}
	}
}

// Ensure the type ScenarioName has the names that the node knows, so that TypeScript lets a test play each.
func TestNPMPackageKnowsTheScenarios(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile(filepath.Join(npmPackage, "src", "control.ts"))
	require.NoError(t, err)
	_, list, _ := strings.Cut(string(source), "export type ScenarioName =")
	list, _, _ = strings.Cut(list, ";")
	require.Equal(t, scenarioNames(scenario.All(), scenario.Crossings()), firstGroups(`"(\w+)"`, list))
}

// packed is the folder with the package and this platform's binary, which git ignores. They are made once per process.
const packed = "../dist/npm-test"

var packedOnce = sync.OnceValue(func() error {
	if err := installPackages(npmPackage); err != nil {
		return err
	}
	node, err := buildProgram(nodeProgram)
	if err != nil {
		return err
	}
	platform := runtime.GOOS + "-" + runtime.GOARCH
	command := exec.Command("node", filepath.Join(npmPackage, "build.mjs"), binaries(node), filepath.Join(packed, "out"), npmPackageVersion, platform)
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, output)
	}
	return nil
})

// tarballs returns the paths of the package and of the platform's binary, packed.
func tarballs(t *testing.T) []string {
	t.Helper()
	requireNode(t)
	require.NoError(t, packedOnce())
	found, err := filepath.Glob(filepath.Join(packed, "out", "*.tgz"))
	require.NoError(t, err)
	require.Len(t, found, 2)
	for i, path := range found {
		found[i], err = filepath.Abs(path)
		require.NoError(t, err)
	}
	return found
}

// npmProject is an empty folder into which the package is installed.
type npmProject struct{ folder string }

// newNPMProject installs the package and the binary without the network.
func newNPMProject(t *testing.T) npmProject {
	t.Helper()
	p := npmProject{t.TempDir()}
	p.write(t, "package.json", `{"private": true, "type": "module"}`)
	p.run(t, "npm", append([]string{"install", "--save-dev", "--offline"}, tarballs(t)...)...)
	return p
}

// add gives the project packages as npm does, each name@version, from those of the recipes.
func (p npmProject) add(t *testing.T, wanted ...string) {
	t.Helper()
	modules, err := packagesOf(recipesProject)
	require.NoError(t, err)
	link := func(name string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(p.folder, "node_modules", name)), 0o700))
		err := os.Symlink(filepath.Join(modules, name), filepath.Join(p.folder, "node_modules", name))
		require.True(t, err == nil || errors.Is(err, fs.ErrExist), "%v", err)
	}
	for _, pinned := range wanted {
		at := strings.LastIndexByte(pinned, '@')
		require.Positive(t, at, "%s: the recipes pin what they install", pinned)
		manifest, err := os.ReadFile(filepath.Join(modules, pinned[:at], "package.json"))
		require.NoError(t, err, "integration_test/%s/package.json has no %s", recipesProject, pinned)
		require.Contains(t, string(manifest), `"version": "`+pinned[at+1:]+`"`, pinned)
		link(pinned[:at])
	}
	programs, err := os.ReadDir(filepath.Join(modules, ".bin"))
	require.NoError(t, err)
	for _, program := range programs {
		link(filepath.Join(".bin", program.Name()))
	}
}

// within returns a new folder of the project, with the same packages.
func (p npmProject) within(t *testing.T, name string) npmProject {
	t.Helper()
	folder := filepath.Join(p.folder, name)
	require.NoError(t, os.Mkdir(folder, 0o700))
	return npmProject{folder}
}

func (p npmProject) write(t *testing.T, name, content string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(p.folder, name), []byte(content), 0o600))
}

func (p npmProject) run(t *testing.T, name string, args ...string) string {
	t.Helper()
	return runIn(t, p.folder, name, args...)
}

// runIn runs a command in a folder and returns what it prints.
func runIn(t *testing.T, folder, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), installTimeout)
	defer cancel()
	command := exec.CommandContext(ctx, name, args...)
	command.Dir = folder
	output, err := command.CombinedOutput()
	require.NoError(t, err, "%s %v: %s", name, args, output)
	return string(output)
}

// Ensure the package installs without the network and serves programs of both module systems, TypeScript, viem and
// vitest: four workers with a world each run a hundred tests that mine, undo and look.
func TestNPMPackage(t *testing.T) {
	t.Parallel()
	p := newNPMProject(t)
	require.Contains(t, p.run(t, "npx", "--no-install", "fakenode", "--version"), fakenode.ClientVersion())

	const program = `
		const node = await start({ accounts: 2, startTime: 1700000000 });
		const client = fakenodeActions()({ request: async ({ method, params }) => {
			const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
			const answer = await fetch(node.url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
			return (await answer.json()).result;
		} });
		await client.seal(2n);
		const world = await node.newWorld({ name: "apart" });
		const { head } = await client.info();
		await node.stop();
		await node.stop();
		const refused = await start({ seal: "never" }).catch((error) => error.message);
		const left = await start(); // ends with the program
		console.log(JSON.stringify([node.chainId, node.accounts.length, node.token, head.number, world.url.replace(node.url, ""), refused, left.url !== node.url]));
	`
	const printed = `[31337,2,"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",2,"/w/apart",` +
		`"fakenode: invalid value \"never\" for flag --seal: want interval or instant or manual",true]` + "\n"
	p.write(t, "program.mjs", `import { start, fakenodeActions } from "fakenode";`+program)
	require.Equal(t, printed, p.run(t, "node", "program.mjs"))
	p.write(t, "program.cjs", `const { start, fakenodeActions } = require("fakenode"); (async () => {`+program+`})();`)
	require.Equal(t, printed, p.run(t, "node", "program.cjs"))

	t.Run("presets win over the defaults", func(t *testing.T) { testPresetsSeal(t, p) })
	t.Run("what options ask for is printed", func(t *testing.T) { testPrints(t, p) })
	t.Run("the node ends with the program", func(t *testing.T) { testEndsWithProgram(t, p) })
	t.Run("exam", func(t *testing.T) { testExam(t, p) })
	t.Run("artifacts without viem", func(t *testing.T) { testDeploysWithoutViem(t, p) })

	directory, err := filepath.Abs(filepath.Join(packed, "out", "fakenode"))
	require.NoError(t, err)
	runIn(t, npmPackage, "node", "check.mjs", directory, directory+"-"+npmPackageVersion+".tgz")
	runIn(t, npmPackage, "node", "node_modules/typescript/bin/tsc", "--project", "test")

	p.add(t, "vitest@4.1.12", "viem@2.57.20")
	t.Run("artifacts", func(t *testing.T) { testDeploysArtifacts(t, p) })
	t.Run("an L1 beside an L2", func(t *testing.T) { testStartsPair(t, p) })
	worlds := p.within(t, "worlds")
	require.NoError(t, os.CopyFS(worlds.folder, os.DirFS("vitest")))
	require.Regexp(t, `Tests +400 passed \(400\)`, worlds.run(t, "npx", "--no-install", "vitest", "run", "--no-color"))
	t.Run("prool", func(t *testing.T) { testProolInstance(t, p) })
}

// testExam ensures a function is examined as a back end is: one that looks where the payment is passes, one that ships
// at once fails, and what it throws is thrown.
func testExam(t *testing.T, p npmProject) {
	p.write(t, "exam.mjs", `
		import { exam, explore } from "fakenode";
		const call = async (url, method, hash) => {
			const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [hash] });
			return (await (await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body })).json()).result;
		};
		const kinds = "reorgs";
		const values = new Set();
		const careful = await exam(async ({ transaction, value }, url) => {
			values.add(value);
			if ((await call(url, "fakenode_transaction", transaction)).where !== "sealed") return "open";
			return (await call(url, "eth_getTransactionReceipt", transaction)).status === "0x1" ? { payment: "paid", amount: 25_000_000n } : "open";
		}, { kinds });
		const eager = await exam(() => "shipped", { kinds });
		const failures = [];
		for (const [ask, options] of [[() => { throw new Error("no shop"); }, {}], [() => "open", { seal: "never" }], [() => "open", { kinds: "weddings" }]]) {
			await exam(ask, options).catch((error) => failures.push(error.message));
		}
		const fooled = await explore(() => "shipped", { runs: 10 });
		failures.push(fooled.passed, fooled.report.split("\n")[0]);
		console.log(JSON.stringify([careful.passed, [...values], eager.passed, eager.report.split("\n")[0], ...failures]));
	`)
	require.Equal(t, `[true,["25000000"],false,"FAILED  CaptureReorgedOut, step 1: it says shipped, and no block holds the payment","no shop",`+
		`"fakenode: invalid value \"never\" for flag --seal: want interval or instant or manual",`+
		`"fakenode: invalid value \"weddings\" for flag --kinds: no story of an exam is of \"weddings\": they are of pre-confirmations; reorgs; nodes that are behind; decoys; captures; orders; subscriptions; channels; user operations; a native token",`+
		`false,"FAILED schedule 1 of seed 0: payment 1: it says shipped, and no block holds the payment"]`+"\n", p.run(t, "node", "exam.mjs"))
	require.Contains(t, p.run(t, "node", "node_modules/fakenode/recipes/explore.mjs", "200"), "passed 200 schedules")
}

// testProolInstance ensures prool serves nodes by our definition: four of them, and the same four hundred tests.
func testProolInstance(t *testing.T, p npmProject) {
	node := node22(t)
	p.add(t, "prool@0.2.16")
	p = p.within(t, "prool")
	require.NoError(t, os.CopyFS(p.folder, os.DirFS("vitest")))
	p.write(t, "vitest.config.js", `
		import { defineConfig } from "vitest/config";
		export default defineConfig({ test: { globalSetup: ["./prool.js"], maxWorkers: 4, testTimeout: 600_000 } });
	`)
	p.write(t, "prool.js", `
		import { instance } from "fakenode/prool";
		import { Server } from "prool";
		export default async (project) => {
			const server = Server.create({ instance: instance({ seal: "manual" }), host: "127.0.0.1", port: 0 });
			await server.start();
			project.provide("prool", "http://127.0.0.1:" + server.address().port);
			return () => server.stop();
		};
	`)
	for _, number := range []string{"1", "2", "3", "4"} {
		p.write(t, "worker-"+number+".test.js", `
			import { inject } from "vitest";
			import { hundred } from "./chain.js";
			const url = inject("prool") + "/`+number+`";
			const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_accounts", params: [] });
			const answer = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
			hundred(url, (await answer.json()).result.map((address) => ({ address })));
		`)
	}
	require.Regexp(t, `Tests +400 passed \(400\)`, p.run(t, node, filepath.Join("..", "node_modules", "vitest", "vitest.mjs"), "run", "--no-color"))
	// Its own instance of anvil takes the program under that name for anvil.
	anvil := filepath.Join(t.TempDir(), "anvil")
	require.NoError(t, os.Symlink(programPath(t, nodeProgram), anvil))
	p.write(t, "anvil.mjs", `
		import { Instance, Server } from "prool";
		const instance = Instance.anvil({ binary: process.argv[2], accounts: 3, gasPrice: 0n, blockTime: 1, order: "fifo" });
		const server = Server.create({ instance, host: "127.0.0.1", port: 0 });
		await server.start();
		const ask = async (method) => {
			const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [] });
			return (await (await fetch("http://127.0.0.1:" + server.address().port + "/1", { method: "POST", body, headers: { "Content-Type": "application/json" } })).json()).result;
		};
		console.log((await ask("eth_accounts")).length, (await ask("eth_chainId")), await ask("anvil_getIntervalMining"));
		await server.stop();
	`)
	require.Contains(t, p.run(t, node, "anvil.mjs", anvil), "3 0x7a69 1\n") // beside a warning of Node.js
}
