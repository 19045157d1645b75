// What ethers sees where latest moves: a payment that is announced, lost by a fault, announced again and sealed.
// node realtime_ethers.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { Contract, HDNodeWallet, JsonRpcProvider, Mnemonic, Wallet, WebSocketProvider } from "ethers";
import * as node from "./fakenode.mjs";

// Every read asks the node: a cached answer would be older than what was just announced. Calls go alone: a batch is
// answered with its last one, and eth_sendRawTransactionSync waits.
const provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1, pollingInterval: 20, batchMaxCount: 1 });
const socket = new WebSocketProvider(node.websocketURL);
const payer = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(node.mnemonic), `m/44'/60'/0'/0/${node.payer}`).connect(provider);
const to = "0x00000000000000000000000000000000000000aa";
const token = new Contract(node.token, node.tokenABI, new Wallet(node.owner, provider));

const pooled = new node.Queue();
await socket.on("pending", pooled.push);
await socket.getBlockNumber(); // the subscription is open then

const steps = [];
async function step(name) {
  const at = (blockTag) => Promise.all([provider.getBalance(to, blockTag), token.balanceOf(to, { blockTag }), provider.getTransactionCount(payer.address, blockTag)]);
  const [latest, pending, numbered] = await Promise.all([at("latest"), at("pending"), at(await provider.getBlockNumber())]);
  steps.push([name, latest, pending, numbered].join(" "));
}
// announced sends transactions, and moves the clock to the next flashblock once they are in the pool.
async function announced(...transactions) {
  for (const _ of transactions) await pooled.next();
  await node.advance(10);
  return Promise.all(transactions);
}

await step("before");
const raw = await payer.signTransaction(await payer.populateTransaction({ to, value: 7n }));
const [receipt, mint] = await announced(provider.send("eth_sendRawTransactionSync", [raw, 6_000]), token.mint(to, 5n));
await step("announced");
const unread = [await provider.getTransactionReceipt(receipt.transactionHash).catch((failure) => failure.code)];
const pendingBlock = await provider.getBlock("pending");
await node.rpc("fakenode_flashblockFault", { kind: "drop" });
await step("lost");
await node.advance(10);
unread.push(await mint.wait().catch((failure) => failure.code)); // ends with the first receipt there is
await node.seal();
await step("sealed");
const waited = await mint.wait();
const sealed = await provider.getBlock(waited.blockNumber);
console.log(JSON.stringify({
  steps, hashes: [receipt.blockHash, pendingBlock.hash], unread, confirmations: await waited.confirmations(),
  waited: waited.blockHash === sealed.hash, holds: sealed.transactions.includes(receipt.transactionHash),
}));
process.exit();
