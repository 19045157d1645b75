// The panel with the details of a block, transaction, log or account.

import { decodeCall, decodeLog, describe, revertReason } from './abi.js';
import { paymentToken, tokenBalance } from './accounts.js';
import { action, stageBadge, summary } from './activity.js';
import { badge, byId, facts, fill, h, link, table } from './dom.js';
import { count, ether, gwei, json, number, printable, short, time, units } from './format.js';

const deepest = 64; // levels of a call trace that are shown
const mostCalls = 500; // calls of a trace that are shown

/** reasons begin the sentence about why a transaction is where it is. */
const reasons = { pool: 'It waits: ', dropped: 'It was dropped: ', orphaned: 'It is in an orphan alone: ' };

const lasting = ['block', 'tx', 'account']; // details that another page of the node can open, too

/** address puts what is open behind the name of the shown tab in the address of the page. */
function address(opened) { history.replaceState(null, '', location.hash.split('/')[0] + opened); }

/** Details opens and closes the panel. */
export class Details {
  constructor(store, tokens) {
    this.store = store;
    this.tokens = tokens;
    this.panel = byId('details');
    byId('details-close').addEventListener('click', () => this.close());
    document.addEventListener('keydown', (event) => { if (event.key === 'Escape' && !this.panel.hidden) this.close(); });
  }

  async open(kind, id, opener) {
    this.opener ??= opener;
    const turn = this.turn = (this.turn ?? 0) + 1;
    const [title, ...content] = await this[kind](id);
    if (turn !== this.turn) return; // something else was opened meanwhile
    byId('details-title').textContent = title;
    fill(byId('details-content'), content);
    this.panel.hidden = false;
    byId('details-title').focus();
    this.panel.scrollTop = 0;
    if (lasting.includes(kind)) address(`/${kind}/${id}`);
  }

  /** openAddressed opens the details that the address of the page names, if it names any. */
  openAddressed() {
    const [, kind, id] = location.hash.split('/');
    if (lasting.includes(kind) && /^0x[0-9a-f]+$/i.test(id ?? '')) this.open(kind, id, null);
  }

  close() {
    this.panel.hidden = true;
    address('');
    this.opener?.focus();
    this.opener = null;
  }

  raw(value) { return h('details', {}, h('summary', {}, 'As the node answers it'), h('pre', { tabindex: '0' }, json(value))); }

  async block(hash) {
    const block = await this.store.ask('eth_getBlockByHash', hash, true);
    if (!block) return ['Block', h('p', {}, 'There is no such block.')];
    const orphan = this.store.orphans.some((o) => o.hash === hash);
    return [`Block ${number(block.number)}`,
      orphan ? h('p', {}, badge('removed', 'orphaned'), ' A reorg removed this block.') : null,
      facts([['Hash', block.hash], ['Parent', link('block', block.parentHash)], ['Time', time(number(block.timestamp))],
        ['Gas used', `${number(block.gasUsed).toLocaleString('en')} of ${number(block.gasLimit).toLocaleString('en')}`],
        ['Base fee', block.baseFeePerGas ? gwei(block.baseFeePerGas) : ''], ['Fee recipient', link('account', block.miner)],
        ['State root', block.stateRoot], ['Size', `${number(block.size).toLocaleString('en')} bytes`]]),
      h('h3', {}, 'Transactions'),
      table('Transactions of the block', ['Transaction', 'From', 'What it does'], block.transactions.slice(0, 200).map((tx) => (
        [link('tx', tx.hash, short(tx.hash)), link('account', tx.from, short(tx.from)), action(tx, this.tokens)])), 'The block is empty.'),
      this.raw(block)];
  }

  async tx(hash) {
    const [tx, receipt, { trace, refusal }, place, said] = await Promise.all([
      this.store.ask('eth_getTransactionByHash', hash), this.store.ask('eth_getTransactionReceipt', hash),
      this.callTrace(hash),
      this.store.ask('fakenode_transaction', hash), // null on a node without control methods
      this.store.ask('fakenode_console', hash),
    ]);
    const seen = this.store.transactions.get(hash);
    const known = tx ?? seen?.tx;
    if (!known) return ['Transaction', h('p', {}, 'There is no such transaction.')];
    const failed = receipt && receipt.status === '0x0';
    return ['Transaction',
      seen ? h('ol', { class: 'trail', 'aria-label': 'Where it has been' }, seen.trail.map((stage) => h('li', {}, stageBadge(stage)))) : null,
      place?.reason ? h('p', {}, `${reasons[place.where] ?? ''}${place.reason}.`) : null,
      failed ? h('p', { class: 'error' }, `Failed: ${trace?.error ?? 'reverted'} ${revertReason(trace?.output)}`) : null,
      facts([['Hash', hash], ['What it does', action(known, this.tokens)],
        ['Block', tx?.blockHash ? link('block', tx.blockHash, String(number(tx.blockNumber))) : tx?.blockNumber ? `${number(tx.blockNumber)}, pre-confirmed` : tx ? 'none: it waits in the pool' : 'none: it is gone'],
        ['From', link('account', known.from)], ['To', known.to ? link('account', known.to) : receipt?.contractAddress ? link('account', receipt.contractAddress) : 'a new contract'],
        ['Value', ether(known.value)], ['Nonce', String(number(known.nonce))],
        ['Gas', receipt ? `${number(receipt.gasUsed).toLocaleString('en')} of ${number(known.gas).toLocaleString('en')}` : number(known.gas).toLocaleString('en')],
        receipt?.stateGasUsed ? ['Before refunds', `${number(receipt.executionGasUsed).toLocaleString('en')} execution gas, ${number(receipt.stateGasUsed).toLocaleString('en')} state gas`] : ['', ''],
        ['Price of gas', receipt ? gwei(receipt.effectiveGasPrice) : gwei(known.maxFeePerGas ?? known.gasPrice)],
        ['Input', printable(known.input, 200)]]),
      receipt?.logs.length ? [h('h3', {}, 'Logs'), h('ul', {}, receipt.logs.slice(0, 100).map((log) => h('li', {}, summary(log, this.tokens))))] : null,
      said?.length ? [h('h3', {}, 'console.log'), h('pre', { tabindex: '0' }, said.map((line) => printable(line, 2000)).join('\n'))] : null,
      trace || receipt ? [h('h3', {}, 'Call trace'), trace ? this.trace(trace) : h('p', {}, `There is none: ${refusal}.`)] : null,
      this.raw({ transaction: known, receipt })].flat();
  }

  /** callTrace returns the trace of a transaction's calls, or the reason why the node makes none. */
  async callTrace(hash) {
    try {
      const trace = await this.store.connection.request('debug_traceTransaction', hash, { tracer: 'callTracer', tracerConfig: { withLog: true } });
      return { trace };
    } catch (error) {
      return { refusal: printable(error.message, 200) };
    }
  }

  /** trace shows a call with those below it. */
  trace(root) {
    let left = mostCalls;
    const show = (call, depth) => {
      left--;
      const decoded = decodeCall(call.input);
      const what = decoded ? describe(decoded, call.to ? this.tokens.of(call.to) : null) : call.input === '0x' || !call.input ? '' : printable(call.input, 10);
      const below = depth < deepest ? (call.calls ?? []).slice(0, Math.max(left, 0)) : [];
      const hidden = (call.calls ?? []).length - below.length;
      return h('li', {},
        h('span', { class: 'mono' }, call.type), ' ', call.to ? link('account', call.to, short(call.to)) : '', ' ', what, ' ',
        call.value && call.value !== '0x0' ? `${ether(call.value)} ` : '', `${number(call.gasUsed).toLocaleString('en')} gas `,
        call.error ? h('span', { class: 'error' }, `${printable(call.error, 120)} ${revertReason(call.output)}`) : null,
        (call.logs ?? []).slice(0, 20).map((log) => h('div', { class: 'note' }, `log: ${summary(log, this.tokens)}`)),
        below.length > 0 || hidden > 0 ? h('ul', {}, below.map((inner) => show(inner, depth + 1)), hidden > 0 ? h('li', {}, `${count(hidden, 'more call')}`) : null) : null);
    };
    return h('ul', { class: 'trace' }, show(root, 0));
  }

  async log(id) {
    const entry = this.store.logs.find((candidate) => String(candidate.id) === id);
    if (!entry) return ['Log', h('p', {}, 'The log is no longer kept by this page.')];
    const { log } = entry;
    const decoded = decodeLog(log);
    return ['Log', facts([['State', badge(entry.status, entry.status === 'preconfirmed' ? 'pre-confirmed' : entry.status)], ['removed', String(log.removed)],
      ['Meaning', decoded ? describe(decoded, this.tokens.of(log.address)) : ''], ['Contract', link('account', log.address)],
      ['Block', /^0x0+$/.test(log.blockHash) ? `${number(log.blockNumber)}, pre-confirmed` : link('block', log.blockHash, String(number(log.blockNumber)))],
      ['Index in the block', String(number(log.logIndex))], ['Transaction', link('tx', log.transactionHash)],
      ...log.topics.map((topic, i) => [`Topic ${i}`, topic]), ['Data', printable(log.data, 1000)]]), this.raw(log.data.length > 20_000 ? { ...log, data: printable(log.data, 1000) } : log)];
  }

  async account(address) {
    const { store } = this;
    const token = await paymentToken(store);
    const about = token ? this.tokens.of(token) : null;
    const [latest, pending, nonce, code, tokenLatest, tokenPending, found] = await Promise.all([
      store.ask('eth_getBalance', address, 'latest'), store.ask('eth_getBalance', address, 'pending'), store.ask('eth_getTransactionCount', address, 'latest'),
      store.ask('eth_getCode', address, 'pending'), token ? tokenBalance(store, token, address, 'latest') : null,
      token ? tokenBalance(store, token, address, 'pending') : null, store.ask('ots_searchTransactionsBefore', address, 0, 25),
    ]);
    const amount = (value) => (value === null || !about ? '' : `${units(value, about.decimals)} ${printable(about.symbol, 12)}`);
    return ['Account', facts([['Address', address], ['Ether at latest', ether(latest ?? 0)], ['Ether at pending', ether(pending ?? 0)],
      ['Token at latest', amount(tokenLatest)], ['Token at pending', amount(tokenPending)], ['Nonce at latest', String(number(nonce))],
      ['Code', code && code !== '0x' ? count((code.length - 2) / 2, 'byte') : 'none']]),
    h('h3', {}, 'Last sealed transactions'),
    table('Last sealed transactions', ['Block', 'Transaction', 'What it does'], (found?.txs ?? []).map((tx) => (
      [String(number(tx.blockNumber)), link('tx', tx.hash, short(tx.hash)), action(tx, this.tokens)])), 'There is none.')];
  }
}
