// Two of viem's watchers follow a chain of five blocks a second through reorgs, one by polling and one by a subscription,
// beside a plain subscription. None may miss a block of the chain as it is at the end.
// node viem_blocks.mjs URL WEBSOCKET TOKEN OWNER_KEY SECONDS [real]
// SECONDS are of the chain: with a manual clock they are made as fast as possible, with "real" they pass.
import { createPublicClient, http, toHex, webSocket } from "viem";
import * as node from "./fakenode.mjs";

const [seconds, real] = [Number(node.options[0]), node.options[1] === "real"];
const blockTime = 200; // ms
const clients = {
  polled: createPublicClient({ transport: http(node.url), cacheTime: 0, pollingInterval: real ? blockTime : 20 }),
  pushed: createPublicClient({ transport: webSocket(node.websocketURL), cacheTime: 0 }),
};

// A generator of numbers that is the same in every run.
let state = 1;
const random = (below) => (state = (state * 48271) % 2147483647) % below;

// Follower keeps the chain by what its watcher delivers. viem's poll delivers no block whose number it had: it is the
// parent hash of a later one that says so, and the follower walks back until it knows a block.
class Follower {
  delivered = new Set(); // hashes
  numbers = new Set();
  chain = new Map(); // hash by number
  walked = 0; // blocks that were not delivered, or by another hash
  #work = Promise.resolve();

  constructor(client) {
    this.client = client;
    client.watchBlocks({ onBlock: this.take, onError: (error) => { throw error; }, emitMissed: true, emitOnBegin: true });
  }

  take = (block) => {
    if (!block) return; // it left the chain between its notification and viem's question
    this.delivered.add(block.hash);
    this.numbers.add(Number(block.number));
    this.#work = this.#work.then(() => this.enter(block));
  };

  async enter(block) {
    for (let b = block; ; this.walked++) {
      const number = Number(b.number);
      this.chain.set(number, b.hash);
      if (number === 0 || this.chain.get(number - 1) === b.parentHash) return;
      b = await this.client.getBlock({ blockHash: b.parentHash });
    }
  }

  settled = () => this.#work;
}

const followers = Object.fromEntries(Object.entries(clients).map(([name, client]) => [name, new Follower(client)]));
const until = async (what, reached) => {
  for (const end = Date.now() + 120_000; !(await reached()); await new Promise((done) => setTimeout(done, 10))) {
    if (Date.now() > end) throw new Error(`it takes too long until ${what}`);
  }
};
const heads = new Set(); // hashes
await clients.pushed.transport.subscribe({
  params: ["newHeads"], onData: ({ result }) => heads.add(result.hash), onError: (error) => { throw error; },
});
// Nothing counts before all watch.
await until("the subscription is there", async () => (await node.rpc("fakenode_calls", { method: "eth_subscribe" })).length === 2);
await until("the poll has begun", () => followers.polled.delivered.size > 0);

const head = async () => node.rpc("eth_getBlockByNumber", "latest", false);
const began = await head();
const start = Number(began.timestamp);
let reorgs = 0, replaced = 0;
for (let steps = 0; Number((await head()).timestamp) - start < seconds; steps++) {
  const blocks = 1 + random(5);
  if (real) await new Promise((done) => setTimeout(done, blocks * blockTime));
  else await node.advance(blocks * blockTime);
  if (steps % 8 !== 7) continue;
  // viem asks once for equal questions at a time: none may be open when a number gets another block.
  const behind = real ? [followers.pushed] : Object.values(followers);
  await until("the watchers have the head", async () => {
    const { hash } = await head();
    return behind.every(({ delivered }) => delivered.has(hash));
  });
  const depth = Math.min(1 + random(12), Number((await head()).number));
  const { removed } = await node.reorg({ depth, length: depth + random(3) });
  reorgs++;
  replaced += removed.length;
}
// What follows the last reorg is above all numbers before: the poll sees it.
if (real) await new Promise((done) => setTimeout(done, 5 * blockTime));
else await node.advance(5 * blockTime);
if (real) await node.rpc("evm_setIntervalMining", 0); // the chain stands still from here on

const last = await head();
const chain = [];
for (let n = Number(began.number) + 1; n <= Number(last.number); n++) chain.push(await node.rpc("eth_getBlockByNumber", toHex(n), false));
await until("the plain subscription has the head", () => heads.has(last.hash));
const report = { blocks: chain.length, reorgs, replaced, heads: chain.filter(({ hash }) => !heads.has(hash)).length };
for (const [name, follower] of Object.entries(followers)) {
  await until(`${name} has the head`, () => follower.delivered.has(last.hash));
  await follower.settled();
  const missed = { numbers: 0, hashes: 0, entered: 0 };
  for (const { number, hash } of chain) {
    if (!follower.numbers.has(Number(number))) missed.numbers++;
    if (!follower.delivered.has(hash)) missed.hashes++;
    if (follower.chain.get(Number(number)) !== hash) missed.entered++;
  }
  report[name] = { ...missed, walked: follower.walked };
}
node.report(report);
