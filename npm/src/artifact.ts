import { readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

import type { Hex } from "./control.js";

/** What the actions need of a client: a viem client is one, and so is any EIP-1193 provider. */
export interface Requester {
  request(args: any, ...rest: any[]): Promise<any>; // each client has types of its own for its methods
}

/** An artifact of Foundry, whose bytecode is an object, or of Hardhat. */
interface Artifact {
  abi: { type: string; inputs?: unknown[] }[];
  sourceName?: string;
  bytecode: string | { object: string; linkReferences?: LinkReferences };
  linkReferences?: LinkReferences;
}

/** The places of libraries' addresses in the code, in bytes, by source and name. */
type LinkReferences = Record<string, Record<string, { start: number }[]>>;

/**
 * Deploys the contract of an artifact, and before it each library that it is to be linked with, from the artifacts
 * beside it; deployed has the addresses of those that are there already, by path.
 *
 * @throws with the path when the file is no artifact, and with the node's reason when it cannot be deployed.
 */
export async function deploy(client: Requester, path: string, args: readonly unknown[], from?: Hex, deployed = new Map<string, Hex>()): Promise<Hex> {
  const artifact = await read(path);
  const { object, linkReferences = artifact.linkReferences ?? {} } =
    typeof artifact.bytecode === "string" ? { object: artifact.bytecode } : artifact.bytecode;
  let code = object.replace(/^0x/, "");
  if (code === "") throw new Error(`${path}: the bytecode is empty: an interface or abstract contract cannot be deployed`);
  for (const [source, libraries] of Object.entries(linkReferences)) {
    for (const [library, places] of Object.entries(libraries)) {
      const file = libraryPath(path, artifact, source, library);
      if (file === resolve(path)) throw new Error(`${path}: the library is to be linked with itself`);
      if (!deployed.has(file)) deployed.set(file, await deploy(client, file, [], from, deployed));
      for (const { start } of places) code = code.slice(0, 2 * start) + deployed.get(file)!.slice(2) + code.slice(2 * start + 40);
    }
  }
  const data = await withArguments(path, artifact, `0x${code}`, args);
  return create(client, path, data, from ?? ((await client.request({ method: "eth_accounts", params: [] })) as Hex[])[0]!);
}

async function read(path: string): Promise<Artifact> {
  const text = await readFile(path, "utf8");
  let artifact: Partial<Artifact>;
  try {
    artifact = JSON.parse(text) as Partial<Artifact>;
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
  if (artifact.abi === undefined || artifact.bytecode === undefined)
    throw new Error(`${path}: no abi or no bytecode: want an artifact of Foundry or Hardhat`);
  return artifact as Artifact;
}

/** Returns the path of a library's artifact: beside the contract's, by the same tool's rules. */
function libraryPath(path: string, { sourceName }: Artifact, source: string, library: string): string {
  const folder = dirname(resolve(path));
  if (sourceName === undefined) return join(dirname(folder), basename(source), `${library}.json`); // out/Vault.sol/Vault.json
  return join(folder, ...sourceName.split("/").map(() => ".."), source, `${library}.json`); // artifacts/contracts/Vault.sol/Vault.json
}

/** Appends the arguments of the constructor, which viem encodes. */
async function withArguments(path: string, { abi }: Artifact, bytecode: Hex, args: readonly unknown[]): Promise<Hex> {
  const wanted = abi.find(({ type }) => type === "constructor")?.inputs?.length ?? 0;
  if (wanted !== args.length) throw new Error(`${path}: the constructor takes ${wanted} arguments, not ${args.length}`);
  if (wanted === 0) return bytecode;
  const { encodeDeployData } = await import("viem").catch(() => {
    throw new Error("deployArtifact encodes arguments with viem, which is not installed: npm install viem");
  });
  return encodeDeployData({ abi, bytecode, args });
}

/** Sends the transaction, seals it unless the node has done so, and returns the address of the contract. */
async function create(client: Requester, path: string, data: Hex, from: Hex): Promise<Hex> {
  const hash = (await client.request({ method: "eth_sendTransaction", params: [{ from, data }] })) as Hex;
  const receipt = async () =>
    (await client.request({ method: "eth_getTransactionReceipt", params: [hash] })) as { blockHash: Hex; contractAddress: Hex; status: Hex } | null;
  let made = await receipt();
  if (made === null || BigInt(made.blockHash) === 0n) {
    await client.request({ method: "fakenode_seal", params: [] });
    made = await receipt();
  }
  if (made?.status !== "0x1") throw new Error(`${path}: transaction ${hash} ${made === null ? "is in no block" : "failed"}`);
  return made.contractAddress;
}
