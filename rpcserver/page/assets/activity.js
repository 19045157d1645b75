// Transactions and logs, newest first.

import { decodeCall, decodeLog, describe } from './abi.js';
import { badge, byId, h, link } from './dom.js';
import { ether, number, printable, short, shortened } from './format.js';
import { VirtualList } from './list.js';

const stages = {
  pool: () => ['pool', 'pool'],
  flashblock: ({ number: n, index }) => ['preconfirmed', `flashblock ${index} of ${n}`],
  block: ({ number: n }) => ['sealed', `block ${n}`],
  orphan: ({ number: n }) => ['removed', `orphaned from ${n}`],
};

/** stageBadge shows where a transaction has got to. */
export function stageBadge(stage) {
  const [state, text] = stages[stage.kind](stage);
  return stage.failed ? badge('failed', `failed, ${text}`) : badge(state, text);
}

/** statusBadge shows what became of a log. */
export const statusBadge = (status) => badge(status, status === 'preconfirmed' ? 'pre-confirmed' : status);

/** action writes what a transaction does in one line. */
export function action(tx, tokens) {
  if (!tx.to) return 'creates a contract';
  const call = decodeCall(tx.input);
  if (call) return describe(call, tokens.of(tx.to));
  if (tx.input && tx.input !== '0x') return shortened(tokens.meaning(tx.hash, !tx.blockNumber)?.call ?? `calls ${tx.input.slice(0, 10)}`);
  return `sends ${ether(tx.value)}`;
}

/** wide makes the cell of a row that may be cut; its title is not. */
const wide = (text) => h('span', { class: 'wide', title: text }, text);

/** Transactions shows the transactions that a store has seen. */
export class Transactions {
  constructor(store, tokens) {
    this.store = store;
    this.tokens = tokens;
    this.list = new VirtualList(byId('transactions-list'), this, 'Transactions, newest first');
  }

  update(changed) {
    if (!changed.has('transactions') && !changed.has('tokens')) return;
    byId('transactions-empty').hidden = this.count() > 0 || !this.store.ready;
    this.list.update();
  }

  count() { return this.store.order.length; }

  row(index) {
    const hash = this.store.order[this.count() - 1 - index];
    const { tx, stage } = this.store.transactions.get(hash);
    return {
      key: hash,
      version: `${JSON.stringify(stage)} ${this.tokens.version}`,
      render: () => h('div', { class: stage.kind === 'orphan' ? 'row sent orphan' : 'row sent' },
        h('span', { class: 'main' }, link('tx', hash, short(hash)), stageBadge(stage)),
        wide(tx ? action(tx, this.tokens) : ''),
        h('span', { class: 'side' }, tx ? [link('account', tx.from, short(tx.from)), ' → ', tx.to ? link('account', tx.to, short(tx.to)) : 'new'] : '')),
    };
  }
}

/** Logs shows the logs that a store has seen. */
export class Logs {
  constructor(store, tokens) {
    this.store = store;
    this.tokens = tokens;
    this.list = new VirtualList(byId('logs-list'), this, 'Logs, newest first');
  }

  update(changed) {
    if (!changed.has('logs') && !changed.has('tokens')) return;
    byId('logs-empty').hidden = this.count() > 0 || !this.store.ready;
    this.list.update();
  }

  count() { return this.store.logs.length; }

  row(index) {
    const entry = this.store.logs[this.count() - 1 - index];
    return {
      key: entry.id,
      version: `${entry.status} ${entry.log.blockHash} ${this.tokens.version}`,
      render: () => h('div', { class: entry.status === 'removed' ? 'row emitted orphan' : 'row emitted' },
        h('span', { class: 'main' },
          h('button', { type: 'button', class: 'link', 'data-kind': 'log', 'data-id': logID(entry.log) },
            `${number(entry.log.blockNumber)}/${number(entry.log.logIndex)}`),
          statusBadge(entry.status)),
        wide(summary(entry.log, this.tokens)),
        h('span', { class: 'side' }, link('account', entry.log.address, this.name(entry.log)))),
    };
  }

  name(log) {
    const token = this.tokens.of(log.address);
    return token ? printable(token.symbol, 12) : printable(eventOf(log, this.tokens)?.contract ?? short(log.address), 40);
  }
}

/** logID names a log in the address of the page. */
export const logID = (log) => `${log.transactionHash}-${log.logIndex}-${log.blockHash}`;

/** eventOf returns a log as the node calls it, undefined where it does not. */
const eventOf = (log, tokens) => tokens.meaning(log.transactionHash)?.events?.find(({ logIndex }) => logIndex === number(log.logIndex));

/** summary writes a log in one line. */
export function summary(log, tokens) {
  const decoded = decodeLog(log);
  if (decoded) return describe(decoded, tokens.ofLog(log, decoded));
  const event = eventOf(log, tokens);
  if (event) return shortened(event.text);
  return `${log.topics.length} topics, ${(log.data.length - 2) / 2} bytes of data`;
}
