import type { TestProject } from "vitest/node";

import { start, type Fakenode, type NewWorldOptions, type StartOptions, type World } from "./index.js";
import { rpc } from "./rpc.js";

/** What the set-up gives the tests: the node, without what cannot pass between processes. */
type Provided = Pick<Fakenode, "url" | "chainId" | "accounts" | "token" | "tokenOwner">;

declare module "vitest" {
  interface ProvidedContext {
    fakenode: Provided;
  }
}

/** A chain that belongs to one worker, with the accounts and the token of the node. */
export interface WorkerWorld extends World, Omit<Provided, "url"> {}

/**
 * Returns a global set-up that starts one node for all workers and stops it after the last test. The set-up of this module
 * without options is its default export, so that `globalSetup: ["fakenode/vitest"]` is enough.
 */
export function setup(options: StartOptions = {}): (project: TestProject) => Promise<() => Promise<void>> {
  return async (project) => {
    const node = await start(options);
    const { url, chainId, accounts, token, tokenOwner } = node;
    project.provide("fakenode", { url, chainId, accounts, token, tokenOwner });
    return node.stop;
  };
}

export default setup();

let opened: Promise<WorkerWorld> | undefined;

/**
 * Returns the world of this worker, a copy of the node's chain at the start. The first call makes it; vitest runs each test
 * file in a worker of its own unless `isolate` is off, so that no file sees what another one did.
 */
export function world(): Promise<WorkerWorld> {
  return (opened ??= open());
}

async function open(): Promise<WorkerWorld> {
  const { inject } = await import("vitest"); // not at the top: the set-up runs outside of the workers
  const node = inject("fakenode");
  const options: NewWorldOptions = { name: `vitest-${process.env.VITEST_POOL_ID}` };
  const worlds = (await rpc(node.url, "fakenode_worlds")) as { name: string }[];
  if (worlds.some(({ name }) => name === options.name)) await rpc(node.url, "fakenode_closeWorld", options.name); // of an earlier file
  return { ...node, ...((await rpc(node.url, "fakenode_newWorld", options)) as World) };
}
