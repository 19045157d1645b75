// Compiled, never run: what a user of viem writes has the types it should have.
import { createPublicClient, createTestClient, custom, http } from "viem";
import { foundry } from "viem/chains";

import { fakenodeActions, start, type Hex, type ReorgResult } from "../src/index.js";
import { fakenodeProvider } from "../src/provider.js";

export async function compiles(): Promise<ReorgResult> {
  const node = await start({ seal: "instant", blockTime: 2, allowOrigin: ["*"], noPreconf: true });
  const client = createTestClient({ chain: foundry, mode: "anvil", transport: http(node.url) }).extend(fakenodeActions());
  const hashes: Hex[] = await client.seal(2n);
  const vault: Hex = await client.deployArtifact("out/Vault.sol/Vault.json", [1n, "name"], { from: hashes[0]! });
  await client.deployArtifact(vault);
  await client.mine({ blocks: hashes.length }); // viem's own actions are still there
  const { settled }: { settled: boolean } = await client.scenario("LostPreconfirmation", { amount: "25.00" });
  await createPublicClient({ transport: http(node.url) }).extend(fakenodeActions()).setFault({ method: settled ? "*" : "eth_call", times: -1 });

  const provider = fakenodeProvider({ url: node.url, account: hashes[0]!, info: { name: "Wallet" } });
  await createPublicClient({ transport: custom(provider) }).getChainId();
  provider.on("chainChanged", (id: Hex) => void id).user.rejectNext();

  // @ts-expect-error -- a misspelt member
  await client.reorg({ depth: 1, transaction: "drop" });
  // @ts-expect-error -- no such kind
  await client.flashblockFault({ kind: "dropped" });
  // @ts-expect-error -- no such flag
  await start({ blocktime: 2 });
  return client.reorg({ depth: 1, transactions: "drop" });
}
