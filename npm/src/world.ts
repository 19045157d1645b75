import type { Hex } from "./control.js";
import { rpc } from "./rpc.js";

/** A pair of networks of its own in a running node: its URLs. */
export interface World {
  name: string;
  /** The chain id of the main network. */
  chainId: number;
  /** The JSON-RPC endpoint of the main network. */
  url: string;
  webSocketUrl: string;
  testnetUrl: string;
  testnetWebSocketUrl: string;
  /** The L1 below the main network, with the option l1. */
  l1Url?: string;
  l1WebSocketUrl?: string;
}

export interface NewWorldOptions {
  /** 1 to 64 letters, digits, "_" and "-". The node makes one up by default. */
  name?: string;
  /** The snapshot to begin from: the present by default. */
  snapshot?: Hex;
  /** Who has it, in up to 128 bytes: the flag worldsPerOwner bounds how many. */
  owner?: string;
  /** Milliseconds after which it ends when nobody uses it, 1,000 or more: the flag worldTtl by default. */
  ttl?: number;
}

/** A world as a node lists it. */
export interface WorldInfo {
  name: string;
  /** The number of its newest block, as of the last request to it. */
  blockNumber: number;
  /** How many WebSockets are open. */
  clients: number;
  /** When it was made, in Unix time. */
  createdMs: number;
  owner?: string;
  /** Milliseconds after which it ends when nobody uses it. */
  ttl?: number;
}

/** Returns a copy of the world at url, as it is now or as at a snapshot. */
export async function newWorld(url: string, options: NewWorldOptions = {}): Promise<World> {
  return (await rpc(url, "fakenode_newWorld", options)) as World;
}
