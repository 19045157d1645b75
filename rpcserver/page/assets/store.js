// What the node has reported, put together: the chain with its orphans, the block being built, transactions and logs.
// Events are queued and applied a few milliseconds a frame, so that ten thousand at once do not stop the page.

import { nextFrame } from './dom.js';
import { hex, number } from './format.js';

export const emptyRoot = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const frameBudget = 6; // ms of a frame that events may take
export const limits = { blocks: 12_000, orphans: 500, transactions: 20_000, logs: 60_000, trail: 40 };

const now = () => performance.now();

/** failedOf returns the hashes of the transactions that failed by their receipts. */
export const failedOf = (receipts) => receipts.filter(({ status }) => status === '0x0').map(({ transactionHash }) => transactionHash);

/** Store holds the state of one network. connection answers what events leave out. */
export class Store {
  constructor(connection) {
    this.connection = connection;
    this.listeners = [];
    this.changed = new Set();
    this.queue = [];
    this.held = false; // events wait for step()
    this.applied = 0;
    this.reset();
  }

  reset() {
    this.head = null; // header of the newest block
    this.safe = this.finalized = 0;
    this.ready = false; // what was there before the page is read
    this.floor = 0; // number of the lowest block that was read then
    this.blocks = new Map(); // number -> header or block
    this.wanted = new Set(); // numbers being fetched
    this.orphans = []; // removed blocks, highest first
    this.pending = null; // {number, parentHash, transactions, cells: [count]}
    this.transactions = new Map(); // hash -> {hash, tx, stage, trail}
    this.order = []; // their hashes, oldest first
    this.logs = []; // {log, status, key, id}
    this.logIndex = new Map(); // key -> entry that is not removed
    this.logCount = 0;
    this.queue.length = 0;
    this.touch('blocks', 'transactions', 'logs', 'pending');
  }

  /** listen calls back once a frame with the set of what changed. */
  listen(listener) { this.listeners.push(listener); }

  touch(...what) {
    for (const item of what) this.changed.add(item);
    this.schedule();
  }

  schedule() {
    this.frame ??= nextFrame(() => { this.frame = null; this.drain(); });
  }

  /** push takes an event in: {kind, value}. */
  push(kind, value) {
    this.queue.push({ kind, value });
    this.schedule();
  }

  drain() {
    const end = now() + frameBudget;
    let done = 0;
    while (!this.held && done < this.queue.length && now() < end) this.apply(this.queue[done++]);
    this.queue.splice(0, done);
    if (!this.held && this.queue.length > 0) this.schedule();
    if (this.changed.size === 0) return;
    const changed = this.changed;
    this.changed = new Set();
    for (const listener of this.listeners) listener(changed);
  }

  /** hold keeps events back until release; step applies one and returns it. */
  hold() { this.held = true; }
  release() { this.held = false; this.schedule(); }
  step() {
    const event = this.queue.shift();
    if (event) this.apply(event);
    this.schedule();
    return event;
  }

  apply({ kind, value }) {
    this.applied++;
    switch (kind) {
      case 'head': this.applyHead(value); break;
      case 'flashblock': this.applyFlashblock(value); break;
      case 'log': this.applyLog(value, value.removed ? 'removed' : 'sealed'); break;
      case 'pendingLog': this.applyLog(value, value.removed ? 'removed' : 'preconfirmed'); break;
      case 'pooled': this.stage(value.hash, { kind: 'pool' }, value); break;
    }
  }

  applyHead(header) {
    const height = number(header.number);
    const replaced = this.head && height <= number(this.head.number);
    if (replaced) this.orphanAbove(height, header.hash);
    this.blocks.set(height, { ...this.blocks.get(height)?.hash === header.hash ? this.blocks.get(height) : {}, ...header });
    this.blocks.delete(height - limits.blocks);
    this.head = header;
    if (this.pending && this.pending.number <= height) this.pending = null;
    if (header.transactionsRoot !== emptyRoot) this.fetchTransactions(header.hash);
    this.touch('blocks', 'pending');
  }

  /** orphanAbove moves the blocks from height on to the orphans, but for the one with the given hash. */
  orphanAbove(height, hash) {
    for (let n = height; n <= number(this.head.number); n++) {
      const block = this.blocks.get(n);
      if (!block || block.hash === hash) continue;
      this.blocks.delete(n);
      this.orphans.push(block);
      for (const tx of block.transactions ?? []) {
        this.stage(tx.hash, { kind: 'orphan', number: n, hash: block.hash });
        this.recheck(tx.hash);
      }
    }
    this.orphans.sort((a, b) => number(b.number) - number(a.number));
    this.orphans.length = Math.min(this.orphans.length, limits.orphans);
  }

  async fetchTransactions(hash) {
    const block = await this.whole(await this.ask('eth_getBlockByHash', hash, true));
    if (block) this.sealed(block);
  }

  /** whole adds to a block with its transactions the hashes of those that failed. */
  async whole(block) {
    if (!block) return null;
    const receipts = block.transactions.length > 0 ? await this.ask('eth_getBlockReceipts', block.hash) : [];
    return { ...block, failed: new Set(failedOf(receipts ?? [])) };
  }

  /** sealed takes in a whole block, canonical or not. */
  sealed(block) {
    const height = number(block.number);
    const canonical = this.blocks.get(height)?.hash === block.hash;
    if (canonical) this.blocks.set(height, block);
    else Object.assign(this.orphans.find((orphan) => orphan.hash === block.hash) ?? {}, block);
    for (const tx of block.transactions) {
      this.stage(tx.hash, { kind: canonical ? 'block' : 'orphan', number: height, hash: block.hash, failed: block.failed.has(tx.hash) }, tx);
      if (!canonical) this.recheck(tx.hash);
    }
    this.touch('blocks');
  }

  /** recheck asks where a transaction of a removed block is now. */
  async recheck(hash) {
    if (this.held) return; // the answer would be ahead of the events
    const tx = await this.ask('eth_getTransactionByHash', hash);
    if (tx && !tx.blockNumber) this.stage(hash, { kind: 'pool' }, tx);
  }

  applyFlashblock(block) {
    const height = number(block.number);
    const before = this.pending;
    const same = before && before.number === height && before.parentHash === block.parentHash;
    const known = same ? before.transactions.length : 0;
    const cells = same && block.transactions.length >= known ? before.cells : [];
    const count = block.transactions.length - (cells === before?.cells ? known : 0);
    const failed = cells === before?.cells ? before.failed : new Map();
    this.pending = { ...block, number: height, cells: [...cells, count], failed };
    const first = block.transactions.length - count;
    const index = this.pending.cells.length - 1;
    for (const tx of block.transactions.slice(first)) {
      this.stage(tx.hash, { kind: 'flashblock', number: height, index, failed: failed.has(tx.hash) }, tx);
      if (!this.held) this.fetchStatus(tx.hash, failed, { kind: 'flashblock', number: height, index });
    }
    this.touch('pending');
  }

  /** fetchStatus asks whether a pre-confirmed transaction failed, and notes its flashblock in failed if it did. */
  async fetchStatus(hash, failed, stage) {
    const receipt = await this.ask('eth_getTransactionReceipt', hash);
    if (failedOf([receipt ?? {}]).length === 0) return;
    failed.set(hash, stage.index);
    if (this.transactions.get(hash)?.stage.kind === 'flashblock') this.stage(hash, { ...stage, failed: true });
    this.touch('pending');
  }

  applyLog(log, status) {
    const key = `${log.transactionHash}/${log.logIndex}`;
    const known = this.logIndex.get(key);
    if (known && (status === 'sealed' ? known.status === 'preconfirmed' : known.status !== 'removed')) {
      known.status = status;
      known.log = log;
      if (status === 'removed') this.logIndex.delete(key);
    } else {
      const entry = { log, status, key, id: ++this.logCount };
      this.logs.push(entry);
      if (status !== 'removed') this.logIndex.set(key, entry);
      if (this.logs.length > limits.logs) {
        for (const old of this.logs.splice(0, limits.logs / 10)) if (this.logIndex.get(old.key) === old) this.logIndex.delete(old.key);
      }
    }
    this.touch('logs');
  }

  /** stage notes where a transaction has got to. */
  stage(hash, stage, tx) {
    let entry = this.transactions.get(hash);
    if (!entry) {
      entry = { hash, tx, trail: [] };
      this.transactions.set(hash, entry);
      this.order.push(hash);
      if (this.order.length > limits.transactions) {
        for (const old of this.order.splice(0, limits.transactions / 10)) this.transactions.delete(old);
      }
    }
    entry.tx = tx ?? entry.tx;
    const last = entry.stage;
    const settled = last?.kind === 'block' && stage.kind === 'flashblock'; // a block overtakes its last flashblock
    const same = last?.kind === stage.kind && last?.hash === stage.hash && last?.number === stage.number;
    if (settled || same && Boolean(last.failed) === Boolean(stage.failed)) return;
    if (same) entry.trail.pop();
    entry.stage = stage;
    entry.trail.push(stage);
    if (entry.trail.length > limits.trail) entry.trail.shift();
    this.touch('transactions');
  }

  /** sort puts transactions and logs into the order of their blocks, the pool last. */
  sort() {
    const height = (hash) => this.transactions.get(hash).stage.number ?? Infinity;
    this.order.sort((a, b) => height(a) - height(b) || 0); // Infinity - Infinity is no order
    this.logs.sort((a, b) => number(a.log.blockNumber) - number(b.log.blockNumber));
    this.orphans.sort((a, b) => number(b.number) - number(a.number));
  }

  /** block returns the canonical block of a number; one that is not known yet is fetched. */
  block(height) {
    const block = this.blocks.get(height);
    if (!block && !this.wanted.has(height)) {
      this.wanted.add(height);
      this.ask('eth_getBlockByNumber', hex(height), true).then((found) => this.whole(found)).then((fetched) => {
        this.wanted.delete(height);
        if (!fetched || this.blocks.has(height)) return;
        this.blocks.set(height, fetched);
        this.touch('blocks');
      });
    }
    return block;
  }

  /** ask requests something that may fail; then it is null. */
  async ask(method, ...params) {
    try {
      return await this.connection.request(method, ...params);
    } catch {
      return null;
    }
  }
}
