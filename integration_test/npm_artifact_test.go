package integration_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// testDeploysWithoutViem ensures an artifact without arguments needs no other package, and one with arguments says
// which.
func testDeploysWithoutViem(t *testing.T, p npmProject) {
	require.NoError(t, compiledOnce())
	folder, err := filepath.Abs(compiledArtifacts)
	require.NoError(t, err)
	p.write(t, "alone.mjs", `
		import { fakenodeActions, start } from "fakenode";
		const node = await start();
		const { deployArtifact } = fakenodeActions()({ request: async ({ method, params }) => {
			const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
			const answer = await fetch(node.url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
			return (await answer.json()).result;
		} });
		const out = process.argv[2] + "/out/";
		console.log((await deployArtifact(out + "Coin.sol/Coin.json")).length);
		for (const [path, args] of [["Shares.sol/Shares.json", [1n]], ["Shares.sol/Shares.json", []], ["Absent.json", []]])
			await deployArtifact(out + path, args).catch(({ message }) => console.log(message.replaceAll(out, "")));
	`)
	require.Equal(t, "42\n"+
		"deployArtifact encodes arguments with viem, which is not installed: npm install viem\n"+
		"Shares.sol/Shares.json: the constructor takes 1 arguments, not 0\n"+
		"ENOENT: no such file or directory, open 'Absent.json'\n", p.run(t, "node", "alone.mjs", folder))
}

// testDeploysArtifacts ensures a viem client deploys artifacts of both tools, with arguments and linked libraries,
// seals what it deployed, and gets reasons by name.
func testDeploysArtifacts(t *testing.T, p npmProject) {
	folder, err := filepath.Abs(compiledArtifacts)
	require.NoError(t, err)
	p.write(t, "deploy.mjs", `
		import { readFileSync } from "node:fs";
		import { fakenodeActions, start } from "fakenode";
		import { createTestClient, http, publicActions, walletActions } from "viem";
		import { foundry } from "viem/chains";
		const seen = [];
		for (const [root, path, seal] of [["out", "Scaler.sol/Scaler.json", "manual"], ["artifacts", "src/Scaler.sol/Scaler.json", "instant"]]) {
			const folder = process.argv[2] + "/" + root;
			const node = await start({ artifacts: [folder], seal });
			const client = createTestClient({ chain: foundry, mode: "anvil", transport: http(node.url) })
				.extend(publicActions).extend(walletActions).extend(fakenodeActions());
			const from = node.accounts[3].address;
			const address = await client.deployArtifact(folder + "/" + path, [3n, "thrice"], { from });
			const { abi } = JSON.parse(readFileSync(folder + "/" + path, "utf8"));
			const label = await client.readContract({ address, abi, functionName: "label" });
			const { result } = await client.simulateContract({ address, abi, functionName: "scale", args: [14n] });
			const failed = await client.simulateContract({ address, abi: abi.filter(({ type }) => type !== "error"), functionName: "scale", args: [2000n] })
				.catch((error) => error.walk().message ?? "");
			const { head } = await client.info();
			seen.push([label, String(result), /TooLarge\(given: 2000, limit: 1000\)/.test(failed), head.number, await client.getTransactionCount({ address: from })]);
			await node.stop();
		}
		console.log(JSON.stringify(seen));
	`)
	require.Equal(t, `[["thrice","42",true,2,2],["thrice","42",true,2,2]]`+"\n", p.run(t, "node", "deploy.mjs", folder))
}
