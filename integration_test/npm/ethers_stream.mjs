// What ethers' events and custom subscriptions deliver while the chain goes from pre-confirmed to sealed to replaced.
// node ethers_stream.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { Contract, HDNodeWallet, Interface, JsonRpcProvider, Mnemonic, SocketSubscriber, WebSocketProvider } from "ethers";
import * as node from "./fakenode.mjs";

const polled = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1, pollingInterval: 20 });
const pushed = new WebSocketProvider(node.websocketURL);
const phrase = Mnemonic.fromPhrase(node.mnemonic);
const account = (index) => HDNodeWallet.fromMnemonic(phrase, `m/44'/60'/0'/0/${index}`).connect(polled);
const payer = account(node.payer), merchant = account(node.merchant);
const token = new Contract(node.token, node.tokenABI, payer);
const abi = new Interface(node.tokenABI);
const filter = { address: node.token, topics: abi.encodeFilterTopics("Transfer", []) };

// Stream subscribes to what ethers has no name for.
class Stream extends SocketSubscriber {
  queue = new node.Queue();
  async _emit(_, message) {
    this.queue.push(message);
  }
}
function stream(...params) {
  const subscriber = new Stream(pushed, params);
  subscriber.start();
  return subscriber;
}

const pendingLogs = stream("pendingLogs", { address: node.token });
const flashblocks = stream("newFlashblocks");
const logs = stream("logs", { address: node.token });

// Events over both transports. Over HTTP ethers polls: blocks by number, logs by a filter.
const watched = {};
for (const [name, provider] of Object.entries({ polled, pushed })) {
  const blocks = new node.Queue(), events = new node.Queue();
  await provider.on("block", blocks.push);
  await provider.on(filter, events.push);
  watched[name] = { blocks, events };
}
// ethers keeps removed logs from its listeners, so they are asked for by a filter.
const rawFilter = await polled.send("eth_newFilter", [filter]);

// Nothing may happen before the node has all these calls.
const asked = async (method) => (await node.rpc("fakenode_calls", { method })).length;
const began = async () => (await asked("eth_blockNumber")) >= 1 && (await asked("eth_newFilter")) >= 2 && (await asked("eth_getFilterChanges")) >= 1 && (await asked("eth_subscribe")) >= 5;
while (!(await began())) await polled.getNetwork();

const transaction = await token.transfer(merchant.address, 7n);
await node.preconfirm();
const early = await pendingLogs.queue.next();
const flashblock = await flashblocks.queue.next();
const preconfirmed = await transaction.wait(0);
const pendingRead = await polled.getLogs({ ...filter, fromBlock: "pending", toBlock: "pending" });

await node.seal();
await node.seal();
const sealed = await transaction.wait(2); // a block that holds it, and one more

const seen = {};
for (const [name, { blocks, events }] of Object.entries(watched)) {
  seen[name] = { log: await events.next(), blocks: await blocks.take(2) };
}

// The transfer goes for good, with its block and the one after.
const { removed, added } = await node.reorg({ depth: 2, transactions: "drop" });
const raw = await logs.queue.take(2);
const changes = await polled.send("eth_getFilterChanges", [rawFilter]);
const gone = { polled: changes[1], pushed: raw[1] };

const value = (log) => abi.parseLog(log).args.value;
node.report({
  transaction: transaction.hash,
  pendingLog: { transaction: early.transactionHash, blockHash: early.blockHash, removed: early.removed },
  flashblock: { number: Number(flashblock.number), transactions: flashblock.transactions.map(({ hash }) => hash) },
  preconfirmed: { status: preconfirmed.status === 1 ? "success" : "reverted", blockHash: preconfirmed.blockHash },
  pendingRead: pendingRead.map((log) => ({ ...abi.parseLog(log).args.toObject(), transaction: log.transactionHash })),
  sealed: { block: sealed.blockNumber, blockHash: sealed.blockHash },
  watched: Object.fromEntries(Object.entries(seen).map(([name, { blocks, log }]) => [name, {
    blocks, log: { blockHash: log.blockHash, value: value(log), removed: log.removed },
  }])),
  gone: Object.fromEntries(Object.entries(gone).map(([name, { blockHash, removed }]) => [name, { blockHash, removed }])),
  logs: raw.map(({ blockHash, removed }) => ({ blockHash, removed })),
  reorg: { removed, added },
});
