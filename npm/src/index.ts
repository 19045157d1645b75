export { fakenodeActions, type FakenodeActions, type Requester } from "./actions.js";
export type * from "./control.js";
export { RpcError } from "./rpc.js";
export { start, type Account, type Fakenode, type StartOptions } from "./start.js";
export type { NewWorldOptions, World, WorldInfo } from "./world.js";
