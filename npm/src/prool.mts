import { Instance } from "prool";

import { start, type Fakenode, type StartOptions } from "./index.js";

/**
 * Defines a node for prool's servers and pools:
 *
 *     const server = Server.create({ instance: instance({ seal: "instant" }) })
 *     await server.start()
 */
export const instance = Instance.define((options?: StartOptions) => {
  let node: Fakenode | undefined;
  return {
    name: "fakenode",
    host: String(options?.host ?? "127.0.0.1"),
    port: Number(options?.port ?? 8545),
    async start({ port }, { emitter }) {
      node = await start({ ...options, port: port ?? options?.port ?? 8545 });
      emitter.emit("listening");
    },
    async stop() {
      await node?.stop();
    },
  };
});
