// What was on the chain before the page was opened: its newest blocks with what they hold, and the orphans.

import { hex, number } from './format.js';

const newest = 64; // blocks that are read, for their transactions
const orphaned = 64; // orphans that are read

/** readHistory fills a store that has just been reset. */
export async function readHistory(store) {
  const head = await store.whole(await store.connection.request('eth_getBlockByNumber', 'latest', true));
  const height = number(head.number);
  const first = Math.max(height - newest + 1, 0);
  const [blocks, orphans, logs] = await Promise.all([
    readBlocks(store, Array.from({ length: height - first }, (_, i) => ['eth_getBlockByNumber', hex(first + i)])),
    readOrphans(store),
    store.ask('eth_getLogs', { fromBlock: hex(first), toBlock: hex(height) }),
  ]);
  store.floor = first;
  if (!store.head || number(store.head.number) <= height) store.head = head;
  for (const { block, logs: removed } of orphans) {
    store.orphans.push(block);
    store.sealed(block);
    for (const log of removed) store.applyLog(log, 'removed');
  }
  for (const block of [...blocks, head]) {
    if (!store.blocks.has(number(block.number))) store.blocks.set(number(block.number), block);
    store.sealed(block);
  }
  for (const log of logs ?? []) store.applyLog(log, 'sealed');
  store.sort();
  const pending = await store.ask('eth_getBlockByNumber', 'pending', true);
  if (pending && pending.transactions.length > 0 && number(pending.number) > height) store.push('flashblock', pending);
  for (const tx of await store.ask('eth_pendingTransactions') ?? []) store.stage(tx.hash, { kind: 'pool' }, tx);
  store.ready = true;
  store.touch('blocks', 'transactions', 'logs', 'pending');
}

/** readBlocks makes calls that answer a block, and returns the blocks that there are. */
async function readBlocks(store, calls) {
  return (await Promise.all(calls.map(async ([method, what]) => store.whole(await store.ask(method, what, true))))).filter(Boolean);
}

/** readOrphans returns the highest orphans that the store lacks, each with its logs. A node without control methods names none. */
async function readOrphans(store) {
  const named = (await store.ask('fakenode_orphans') ?? []).slice(0, orphaned);
  const blocks = await readBlocks(store, named.map(({ hash }) => ['eth_getBlockByHash', hash]));
  const logs = await Promise.all(blocks.map((block) => (block.transactions.length > 0 ? store.ask('eth_getLogs', { blockHash: block.hash }) : null)));
  return blocks.map((block, i) => ({ block, logs: logs[i] ?? [] })).filter(({ block }) => !store.orphans.some(({ hash }) => hash === block.hash));
}
