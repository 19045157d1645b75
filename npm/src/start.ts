import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { toArguments } from "./arguments.js";
import { binaryPath } from "./binary.js";
import type { Hex } from "./control.js";
import type { Flags } from "./flags.js";
import { newWorld, type NewWorldOptions, type World } from "./world.js";

/** The flags of the command line in camel case: docs/cli.md describes each. */
export interface StartOptions extends Omit<Flags, "configOut" | "quiet"> {}

/** An account that the node funds and signs for. */
export interface Account {
  address: Hex;
  privateKey: Hex;
}

/** A running node. */
export interface Fakenode extends Omit<World, "name"> {
  /** The chain id of the main network. */
  chainId: number;
  /** The development accounts. */
  accounts: Account[];
  /** The address of the payment token, null when the genesis has none. */
  token: Hex | null;
  /** The account that mints, pauses and blacklists. */
  tokenOwner: Account;
  /** Returns a copy of the chain as it is now, or as at a snapshot, with URLs of its own. */
  newWorld(options?: NewWorldOptions): Promise<World>;
  /** Ends the process and returns once it is gone. Stopping again does nothing. */
  stop(): Promise<void>;
}

/**
 * Starts a node on a free port whose clock stands still: blocks are sealed on command, unless seal says otherwise. The
 * node ends with this process at the latest.
 *
 * @throws with what the node says when a flag is wrong or the port is taken.
 */
export async function start(options: StartOptions = {}): Promise<Fakenode> {
  const folder = await mkdtemp(join(tmpdir(), "fakenode-"));
  try {
    const configOut = join(folder, "node.json");
    const args = toArguments({ port: 0, seal: "manual", ...options, configOut, quiet: true });
    const child = spawn(binaryPath(), args, { stdio: ["ignore", "pipe", "pipe"], windowsHide: true });
    const stop = stopper(child);
    await listening(child);
    try {
      return { ...describe(JSON.parse(await readFile(configOut, "utf8")) as Config), stop };
    } catch (error) {
      await stop();
      throw error;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What --config-out writes. */
interface Config {
  main: Endpoints & { chainId: number; token: Hex | null };
  testnet: Endpoints;
  accounts: Account[];
  tokenOwner: Account;
}

interface Endpoints {
  url: string;
  webSocketUrl: string;
}

function describe({ main, testnet, accounts, tokenOwner }: Config) {
  return {
    url: main.url,
    webSocketUrl: main.webSocketUrl,
    testnetUrl: testnet.url,
    testnetWebSocketUrl: testnet.webSocketUrl,
    chainId: main.chainId,
    accounts,
    token: main.token,
    tokenOwner,
    newWorld: (options?: NewWorldOptions) => newWorld(main.url, options),
  };
}

/** Waits until the node serves. What it logs later goes to this process's stderr. */
function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let complaint = "";
    let served = false;
    child.stderr!.on("data", (data: Buffer) => {
      if (served) process.stderr.write(data);
      else complaint += data.toString();
    });
    child.stdout!.once("data", () => {
      served = true;
      process.stderr.write(complaint);
      // A test runner may end without stop: then the node must not keep its event loop alive.
      child.unref();
      for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref();
      resolve();
    });
    child.once("error", (error) => reject(new Error(`fakenode does not run: ${error.message}`)));
    child.once("close", (code, signal) => {
      reject(new Error(complaint.trim() || `fakenode ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

/** Returns the function that ends the process, which also happens when this one exits. */
function stopper(child: ChildProcess): () => Promise<void> {
  const kill = () => void child.kill();
  process.once("exit", kill);
  const gone = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  }).then(() => void process.removeListener("exit", kill));
  return () => {
    child.ref();
    kill();
    return gone;
  };
}
