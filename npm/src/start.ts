import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { toArguments, toVariable } from "./arguments.js";
import { binaryPath } from "./binary.js";
import type { Hex } from "./control.js";
import type { Flags } from "./flags.js";
import { newWorld, type NewWorldOptions, type World } from "./world.js";

/** The flags of the command line in camel case: `fakenode --help` describes each. */
export interface StartOptions extends Omit<Flags, "configOut" | "quiet" | "exitWithStdin"> {
  /** Whether the node goes on when this process ends, until stop() or a signal. False by default. */
  detached?: boolean;
}

/** An account that the node funds and signs for. */
export interface Account {
  address: Hex;
  privateKey: Hex;
}

/** A running node. */
export interface Fakenode extends Omit<World, "name"> {
  /** The development accounts. */
  accounts: Account[];
  /** The id of the process, for a signal. */
  pid: number;
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
 * Starts a node on a free port whose clock stands still: blocks are sealed on command, unless seal or the preset says
 * otherwise. Errors of calls that revert have the reason, as those of live clients do, unless compat says otherwise.
 * Variables such as FAKENODE_SEAL count where there is no option. Lines of consoleLog and printTraces go to this
 * process's stdout. The node ends with this process, also when that is killed, unless detached is set.
 *
 * @throws with what the node says when a flag is wrong or the port is taken.
 */
export async function start({ detached = false, ...options }: StartOptions = {}): Promise<Fakenode> {
  const folder = await mkdtemp(join(tmpdir(), "fakenode-"));
  try {
    const configOut = join(folder, "node.json");
    const child = launch(options, { configOut, exitWithStdin: !detached }, { stdio: [detached ? "ignore" : "pipe", "pipe", "pipe"], detached });
    const stop = stopper(child, detached);
    await listening(child);
    try {
      return { ...describe(JSON.parse(await readFile(configOut, "utf8")) as Config), pid: child.pid!, stop };
    } catch (error) {
      await stop();
      throw error;
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the program, or a command of it, with the options, and with flags of the caller's own. */
export function launch(options: Omit<StartOptions, "detached">, own: Flags, spawning: SpawnOptions = {}, command: string[] = []): ChildProcess {
  const args = toArguments({ ...unlessInEnvironment({ port: 0, ...defaults(options) }), ...options, ...own, quiet: true });
  return spawn(binaryPath(), [...command, ...args], { windowsHide: true, ...spawning });
}

/** Returns what start sets where the options do not. A preset that imitates another dev node brings its own. */
function defaults(options: StartOptions): Flags {
  const preset = options.preset ?? process.env.FAKENODE_PRESET;
  return preset === "anvil" || preset === "hardhat" ? {} : { seal: "manual", compat: "geth" };
}

/** Returns the flags whose variables are not set: a default does not beat one. */
function unlessInEnvironment(flags: Flags): Flags {
  return Object.fromEntries(Object.entries(flags).filter(([name]) => process.env[toVariable(name)] === undefined));
}

/** What --config-out writes. */
interface Config {
  main: Endpoints & { chainId: number; token: Hex | null };
  testnet: Endpoints;
  l1?: Endpoints;
  accounts: Account[];
  tokenOwner: Account;
}

interface Endpoints {
  url: string;
  webSocketUrl: string;
}

function describe({ main, testnet, l1, accounts, tokenOwner }: Config) {
  return {
    url: main.url,
    webSocketUrl: main.webSocketUrl,
    testnetUrl: testnet.url,
    testnetWebSocketUrl: testnet.webSocketUrl,
    ...(l1 && { l1Url: l1.url, l1WebSocketUrl: l1.webSocketUrl }),
    chainId: main.chainId,
    accounts,
    token: main.token,
    tokenOwner,
    newWorld: (options?: NewWorldOptions) => newWorld(main.url, options),
  };
}

/** Waits until the node serves. What it prints and logs later goes to this process's stdout and stderr. */
function listening(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let complaint = "";
    let served = false;
    child.stderr!.on("data", (data: Buffer) => {
      if (served) process.stderr.write(data);
      else complaint += data.toString();
    });
    let head = "";
    const line = (data: Buffer) => {
      head += data.toString();
      const end = head.indexOf("\n");
      if (end < 0) return;
      child.stdout!.off("data", line).on("data", (more: Buffer) => process.stdout.write(more));
      process.stdout.write(head.slice(end + 1));
      served = true;
      process.stderr.write(complaint);
      // A test runner may end without stop: then the node must not keep its event loop alive.
      child.unref();
      // bun's streams have no unref, and need none.
      for (const stream of [child.stdin, child.stdout, child.stderr]) (stream as { unref?(): void } | null)?.unref?.();
      resolve();
    };
    child.stdout!.on("data", line);
    child.once("error", (error) => reject(new Error(`fakenode does not run: ${error.message}`)));
    child.once("close", (code, signal) => {
      reject(new Error(complaint.trim() || `fakenode ended with ${signal ?? `exit code ${code}`}`));
    });
  });
}

/** Returns the function that ends the process, which also happens when this one exits, unless it is detached. */
function stopper(child: ChildProcess, detached: boolean): () => Promise<void> {
  const kill = () => void child.kill();
  if (!detached) process.once("exit", kill);
  const gone = new Promise<void>((resolve) => {
    child.once("close", () => resolve()); // when all that it printed is read, too
    child.once("error", () => resolve());
  }).then(() => void process.removeListener("exit", kill));
  return () => {
    for (const one of [child, child.stdout, child.stderr] as { ref?(): void }[]) one.ref?.();
    kill();
    return gone;
  };
}
