// What viem sees before a block on chains without Base's subscriptions: OP Mainnet's, and Base's since Denim.
// node viem_preconf.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { createPublicClient, createWalletClient, http, webSocket } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

const client = createPublicClient({ transport: http(node.url), cacheTime: 0 });
const account = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const wallet = createWalletClient({ account, transport: http(node.url) });
const socket = createPublicClient({ transport: webSocket(node.websocketURL, { reconnect: false }) });

// What each subscription to flashblocks answers, and how many notifications come of those that are open.
const subscriptions = {};
let heard = 0;
const onData = () => { heard++; };
for (const kind of ["newFlashblocks", "newFlashblockTransactions", "pendingLogs", "newPendingTransactions"]) {
  try {
    await socket.transport.subscribe({ params: [kind], onData });
    subscriptions[kind] = "open";
  } catch (error) {
    const cause = error.walk?.((e) => e.code !== undefined) ?? error;
    subscriptions[kind] = `${cause.code} ${cause.details ?? cause.message}`;
  }
}
const filter = await client.createPendingTransactionFilter();

// A contract is deployed, and the chain read at pending before and after each step of the node.
const hash = await wallet.sendTransaction({ chain: null, data: "0x6001600c60003960016000f300", gas: 100_000n });
const { contractAddress } = await node.apart(async () => {
  await node.seal();
  return client.getTransactionReceipt({ hash });
});
const pending = async () => {
  const block = await client.getBlock({ blockTag: "pending" });
  return {
    number: String(block.number), hash: block.hash, timestamp: String(block.timestamp),
    code: (await client.getCode({ address: contractAddress, blockTag: "pending" })) ?? "0x",
    receipt: (await client.getTransactionReceipt({ hash }).catch(() => null))?.blockHash ?? null,
  };
};
const seen = [await pending()];
for (let i = 0; i < 2; i++) {
  await node.advance(250);
  seen.push(await pending());
}
const latest = await client.getBlock();
console.log(JSON.stringify({
  subscriptions, heard, seen, filtered: (await client.getFilterChanges({ filter })).length,
  latest: { number: String(latest.number), hash: latest.hash },
}));
process.exit();
