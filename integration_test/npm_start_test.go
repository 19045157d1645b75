package integration_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"
)

// testPresetsSeal ensures start seals as the presets of other dev nodes do, by default on command alone, and gives the
// reasons of reverts.
func testPresetsSeal(t *testing.T, p npmProject) {
	p.write(t, "presets.mjs", `
		import { start } from "fakenode";
		async function ask(node, method, ...params) {
			const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
			const answer = await fetch(node.url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
			return answer.json();
		}
		const seen = [];
		for (const options of [{}, { preset: "anvil" }, { preset: "hardhat" }, { preset: "anvil", seal: "manual" }, { compat: "spec" }]) {
			const node = await start(options);
			const [from, to] = node.accounts.map(({ address }) => address);
			await ask(node, "eth_sendTransaction", { from, to, value: "0x1" });
			const transfer = "0xa9059cbb" + to.slice(2).padStart(64, "0") + "f".repeat(64);
			const { error } = await ask(node, "eth_call", { from, to: node.token, data: transfer }, "latest");
			seen.push([(await ask(node, "eth_blockNumber")).result, /exceeds balance/.test(error.message)]);
			await node.stop();
		}
		console.log(JSON.stringify(seen));
	`)
	require.Equal(t, `[["0x0",true],["0x1",true],["0x1",true],["0x0",true],["0x0",false]]`+"\n", p.run(t, "node", "presets.mjs"))
}

// testStartsPair ensures an L1 beside an L2 is found at l1Url, of a world too, as the chain that viem calls mainnet.
func testStartsPair(t *testing.T, p npmProject) {
	p.write(t, "pair.mjs", `
		import { start } from "fakenode";
		import { createPublicClient, http } from "viem";
		import { base, mainnet } from "viem/chains";
		const node = await start({ preset: "base", l1: true });
		const world = await node.newWorld();
		const seen = [];
		for (const { url, l1Url } of [node, world]) {
			const below = createPublicClient({ chain: mainnet, transport: http(l1Url) });
			const above = createPublicClient({ chain: base, transport: http(url) });
			seen.push([await below.getChainId(), await above.getChainId(), await below.getBlockNumber() - await above.getBlockNumber() + ""]);
		}
		console.log(JSON.stringify(seen));
		await node.stop();
	`)
	require.Equal(t, `[[1,8453,"0"],[1,8453,"0"]]`+"\n", p.run(t, "node", "pair.mjs"))
}

// testEndsWithProgram ensures a node is gone when the program that started it was killed, unless it is detached.
func testEndsWithProgram(t *testing.T, p npmProject) {
	p.write(t, "killed.mjs", `
		import { start } from "fakenode";
		const node = await start({ detached: process.argv[2] === "detached" });
		console.log(node.url, node.pid);
		process.stdin.resume();
	`)
	_, connection, _ := killedProgram(t, p, "attached")
	_, err := connection.Read(make([]byte, 1))
	require.ErrorIs(t, err, io.EOF, "the node closes its connections as it ends")

	url, _, process := killedProgram(t, p, "detached")
	t.Cleanup(func() { _ = process.Kill() })
	client, err := ethclient.Dial(url)
	require.NoError(t, err)
	defer client.Close()
	_, err = client.BlockNumber(t.Context())
	require.NoError(t, err)
}

// killedProgram starts killed.mjs, connects to its node and kills the program.
func killedProgram(t *testing.T, p npmProject, how string) (url string, connection net.Conn, node *os.Process) {
	t.Helper()
	program := exec.CommandContext(t.Context(), "node", "killed.mjs", how)
	program.Dir = p.folder
	_, err := program.StdinPipe()
	require.NoError(t, err)
	out, err := program.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, program.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	url, id, found := strings.Cut(strings.TrimSpace(line), " ")
	require.True(t, found, line)
	pid, err := strconv.Atoi(id)
	require.NoError(t, err)
	node, err = os.FindProcess(pid)
	require.NoError(t, err)
	connection, err = net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	_, err = io.WriteString(connection, "HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n")
	require.NoError(t, err)
	answer, err := http.ReadResponse(bufio.NewReader(connection), &http.Request{Method: http.MethodHead})
	require.NoError(t, err, "the node has taken the connection")
	require.NoError(t, answer.Body.Close())
	require.NoError(t, program.Process.Kill())
	_ = program.Wait()
	return url, connection, node
}

// testPrints ensures that what consoleLog and printTraces ask for is on the program's own stdout, and nothing else, and
// that a variable of the environment counts where start has a default.
func testPrints(t *testing.T, p npmProject) {
	p.write(t, "prints.mjs", `
		import { start } from "fakenode";
		process.env.FAKENODE_SEAL = "instant";
		async function ask(node, method, ...params) {
			const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
			return (await (await fetch(node.url, { method: "POST", headers: { "Content-Type": "application/json" }, body })).json()).result;
		}
		for (const options of [{}, { consoleLog: true }, { printTraces: true }, { seal: "manual" }]) {
			const node = await start(options);
			const to = "0x0000000000000000000000000000000000c0ffee";
			await ask(node, "anvil_setCode", to, "0x365f5f375f5f365f73000000000000000000636F6E736F6C652e6c6f675afa00");
			await ask(node, "eth_sendTransaction", { from: node.accounts[0].address, to, gas: "0x186a0", data: "0xf82c50f1" + "2a".padStart(64, "0") });
			console.log("head", await ask(node, "eth_blockNumber"));
			await node.stop();
		}
	`)
	printed := p.run(t, "node", "prints.mjs")
	require.Equal(t, 3, strings.Count(printed, "head 0x1\n"), printed)
	require.Equal(t, 1, strings.Count(printed, "head 0x0\n"), printed)
	require.Equal(t, 1, strings.Count(printed, "\n42\n"), printed)
	require.Equal(t, 1, strings.Count(printed, "  ├─ console.log: 42\n"), printed)
	require.NotContains(t, printed, "account")
	require.NotContains(t, printed, "Listening")
}
