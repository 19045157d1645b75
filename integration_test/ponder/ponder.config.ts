import { createConfig } from "ponder";
import { parseAbiItem } from "viem";

export default createConfig({
  database: { kind: "pglite", directory: process.env.DATABASE_DIRECTORY! },
  chains: { fakenode: { id: 31337, rpc: process.env.FAKENODE_URL!, pollingInterval: 100, disableCache: true } },
  contracts: {
    Token: {
      chain: "fakenode",
      abi: [parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)")],
      address: process.env.TOKEN as `0x${string}`,
      startBlock: 0,
    },
  },
});
