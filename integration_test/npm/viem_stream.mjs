// What viem's watchers and custom subscriptions deliver while the chain goes from pre-confirmed to sealed to replaced.
// node viem_stream.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { createPublicClient, createWalletClient, defineChain, http, parseAbiItem, webSocket } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

const polled = createPublicClient({ transport: http(node.url), pollingInterval: 20, cacheTime: 0 });
const pushed = createPublicClient({ transport: webSocket(node.websocketURL), cacheTime: 0 });
const id = await polled.getChainId();
const chain = defineChain({ id, name: "fakenode", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [node.url] } } });
const payer = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const merchant = mnemonicToAccount(node.mnemonic, { addressIndex: node.merchant });
const wallet = createWalletClient({ account: payer, chain, transport: http(node.url) });
const transfer = () => wallet.writeContract({ address: node.token, abi: node.tokenABI, functionName: "transfer", args: [merchant.address, 7n] });
const event = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)");

// stream subscribes to what viem has no name for.
async function stream(...params) {
  const queue = new node.Queue();
  const onError = (error) => { throw error; };
  const { unsubscribe } = await pushed.transport.subscribe({ params, onData: ({ result }) => queue.push(result), onError });
  return { queue, unsubscribe };
}

const pendingLogs = await stream("pendingLogs", { address: node.token });
const flashblocks = await stream("newFlashblocks");
const logs = await stream("logs", { address: node.token });

// Watchers over both transports. Over HTTP viem polls: blocks by number, events by a filter.
const watched = {};
const failed = (error) => { throw error; };
for (const [name, client] of Object.entries({ polled, pushed })) {
  const blocks = new node.Queue(), events = new node.Queue();
  client.watchBlocks({ onBlock: blocks.push, onError: failed, emitMissed: true });
  client.watchEvent({ address: node.token, event, onLogs: (batch) => batch.forEach(events.push), onError: failed });
  watched[name] = { blocks, events };
}
// Watchers subscribe without saying when: nothing may happen before the node has their calls. Polling for blocks begins
// with the head.
await watched.polled.blocks.next();
const asked = async (method) => (await node.rpc("fakenode_calls", { method })).length;
const began = async () => (await asked("eth_newFilter")) >= 1 && (await asked("eth_getFilterChanges")) >= 1 && (await asked("eth_subscribe")) >= 5;
while (!(await began())) await polled.getChainId();

const hash = await transfer();
await node.preconfirm();
const early = await pendingLogs.queue.next();
const flashblock = await flashblocks.queue.next();
const preconfirmed = await polled.waitForTransactionReceipt({ hash });
const pendingRead = await polled.getLogs({ address: node.token, event, fromBlock: "pending", toBlock: "pending" });

await node.seal();
const confirmed = polled.waitForTransactionReceipt({ hash, confirmations: 2 });
await node.seal();
const sealed = await confirmed;

const seen = {};
for (const [name, { blocks, events }] of Object.entries(watched)) {
  seen[name] = { log: await events.next(), blocks: await blocks.take(2) };
}

// The transfer goes for good, with its block and the one after.
const { removed, added } = await node.reorg({ depth: 2, transactions: "drop" });
const gone = {};
for (const [name, { events }] of Object.entries(watched)) [gone[name]] = await events.take(1);
const raw = await logs.queue.take(2);

node.report({
  transaction: hash,
  pendingLog: { transaction: early.transactionHash, blockHash: early.blockHash, removed: early.removed },
  flashblock: { number: Number(flashblock.number), transactions: flashblock.transactions.map(({ hash }) => hash) },
  preconfirmed: { status: preconfirmed.status, blockHash: preconfirmed.blockHash },
  pendingRead: pendingRead.map(({ args, transactionHash }) => ({ ...args, transaction: transactionHash })),
  sealed: { block: Number(sealed.blockNumber), blockHash: sealed.blockHash },
  watched: Object.fromEntries(Object.entries(seen).map(([name, { blocks, log }]) => [name, {
    blocks: blocks.map(({ number }) => Number(number)), log: { blockHash: log.blockHash, value: log.args.value, removed: log.removed },
  }])),
  gone: Object.fromEntries(Object.entries(gone).map(([name, { blockHash, removed }]) => [name, { blockHash, removed }])),
  logs: raw.map(({ blockHash, removed }) => ({ blockHash, removed })),
  reorg: { removed, added },
});
