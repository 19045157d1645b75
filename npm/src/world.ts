import type { Hex } from "./control.js";
import { rpc } from "./rpc.js";

/** A chain of its own in a running node: its URLs. */
export interface World {
  /** The name, empty for the world that is there from the start. */
  name: string;
  /** The JSON-RPC endpoint of the main network. */
  url: string;
  webSocketUrl: string;
  testnetUrl: string;
  testnetWebSocketUrl: string;
}

export interface NewWorldOptions {
  /** 1 to 64 letters, digits, "_" and "-". The node chooses one by default. */
  name?: string;
  /** The snapshot to begin from: the present by default. */
  snapshot?: Hex;
}

/** Returns a copy of the world at url, as it is now or as at a snapshot. */
export async function newWorld(url: string, options: NewWorldOptions = {}): Promise<World> {
  return (await rpc(url, "fakenode_newWorld", options)) as World;
}
