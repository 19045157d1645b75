// The panel with the details of a block, transaction, log or account.

import { decodeLog, describe } from './abi.js';
import { paymentToken, tokenBalance } from './accounts.js';
import { action, logID, stageBadge, statusBadge, summary } from './activity.js';
import { name, named } from './address.js';
import { badge, byId, facts, fill, h, link, table } from './dom.js';
import { count, ether, gwei, json, number, printable, short, spelt, time, units } from './format.js';
import { operations } from './operations.js';
import { failedOf } from './store.js';
import { called, changes, gas, movements, readProfile, tree } from './trace.js';

/** reasons begin the sentence about why a transaction is where it is. */
const reasons = { pool: 'It waits: ', dropped: 'It was dropped: ', orphaned: 'It is in an orphan alone: ' };

const kinds = ['block', 'tx', 'log', 'account'];

const delegation = /^0xef0100([0-9a-f]{40})$/; // code that names whose code runs (EIP-7702)

/** delegations shows the authorizations of a transaction (EIP-7702). */
function delegations({ authorizationList: list }) {
  if (!list?.length) return null;
  return [h('h3', {}, 'Delegations'), table('Delegations', ['To the code of', 'Nonce of the account', 'Chain'], list.slice(0, 100).map(({ address, nonce, chainId }) => (
    [/^0x0+$/.test(address) ? 'none any more' : link('account', address, short(address)), String(number(nonce)), number(chainId) === 0 ? 'every chain' : String(number(chainId))])))];
}

/** isPending reports whether a log is pre-confirmed. */
const isPending = (log) => /^0x0+$/.test(log.blockHash);

/** txLink makes the link to a transaction in a list, with a mark if failed has its hash. */
const txLink = (hash, failed) => [link('tx', hash, short(hash)), failed.has(hash) ? [' ', badge('failed')] : null].flat();

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
    this.shown = `${kind}/${id}`;
    name(named().view, kind, id);
    const known = this.tokens.version;
    let [title, ...content] = await this[kind](id);
    await this.tokens.asked;
    if (this.tokens.version !== known) [title, ...content] = await this[kind](id); // with the amounts of tokens that were met
    if (turn !== this.turn) return; // something else was opened meanwhile
    byId('details-title').textContent = title;
    fill(byId('details-content'), content);
    this.panel.hidden = false;
    byId('details-title').focus();
    this.panel.scrollTop = 0;
  }

  /** follow opens the details that the address of the page names, and closes them where it names none. */
  follow() {
    const { kind, id } = named();
    const sound = kinds.includes(kind) && /^0x[0-9a-f]+(-0x[0-9a-f]+)*$/i.test(id ?? '');
    byId('search-answer').textContent = kind && !sound ? 'The address of this page names nothing.' : '';
    if (!sound) this.shut();
    else if (this.panel.hidden || this.shown !== `${kind}/${id}`) this.open(kind, id, null);
  }

  close() {
    this.shut();
    name(named().view);
  }

  shut() {
    this.turn = (this.turn ?? 0) + 1;
    this.panel.hidden = true;
    this.opener?.focus();
    this.opener = null;
  }

  raw(value) { return h('details', {}, h('summary', {}, 'As the node answers it'), h('pre', { tabindex: '0' }, json(value))); }

  async block(hash) {
    const answer = await this.store.ask('eth_getBlockByHash', hash, true);
    const block = await this.store.whole(answer);
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
        [txLink(tx.hash, block.failed), link('account', tx.from, short(tx.from)), action(tx, this.tokens)])), 'The block is empty.'),
      this.raw(answer)];
  }

  async tx(hash) {
    const [tx, receipt, { profile, refusal }, place, said] = await Promise.all([
      this.store.ask('eth_getTransactionByHash', hash), this.store.ask('eth_getTransactionReceipt', hash),
      readProfile(this.store, hash),
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
      place?.note ? h('p', {}, `${printable(place.note, 600)}.`) : null,
      failed ? h('p', { class: 'error' }, `Failed: ${printable(profile?.error || 'reverted', 600)}`) : null,
      facts([['Hash', hash], ['What it does', known.to && profile?.calls.contract ? `${printable(profile.calls.contract, 40)}.${called(profile.calls, this.tokens)}` : action(known, this.tokens)],
        ['Block', tx?.blockHash ? link('block', tx.blockHash, String(number(tx.blockNumber))) : tx?.blockNumber ? `${number(tx.blockNumber)}, pre-confirmed` : tx ? 'none: it waits in the pool' : 'none: it is gone'],
        ['From', link('account', known.from)], ['To', known.to ? link('account', known.to) : receipt?.contractAddress ? link('account', receipt.contractAddress) : 'a new contract'],
        ['Value', ether(known.value)], ['Nonce', String(number(known.nonce))],
        ['Gas', receipt ? `${number(receipt.gasUsed).toLocaleString('en')} of ${number(known.gas).toLocaleString('en')}` : number(known.gas).toLocaleString('en')],
        receipt?.stateGasUsed ? ['Before refunds', `${number(receipt.executionGasUsed).toLocaleString('en')} execution gas, ${number(receipt.stateGasUsed).toLocaleString('en')} state gas`] : ['', ''],
        ['Price of gas', receipt ? gwei(receipt.effectiveGasPrice) : gwei(known.maxFeePerGas ?? known.gasPrice)],
        ['Input', printable(known.input, 200)]]),
      delegations(known),
      await operations(this.store, receipt),
      movements(profile?.movements, this.tokens),
      !profile && receipt?.logs.length ? [h('h3', {}, 'Logs'), h('ul', {}, receipt.logs.slice(0, 100).map((log) => h('li', {}, summary(log, this.tokens))))] : null,
      said?.length ? [h('h3', {}, 'console.log'), h('pre', { tabindex: '0' }, said.map((line) => printable(line, 2000)).join('\n'))] : null,
      profile || receipt ? [h('h3', {}, 'Calls'), profile ? tree(profile.calls, this.tokens) : h('p', {}, `There is no trace: ${refusal}.`)] : null,
      profile ? [gas(profile), changes(profile)].flat() : null,
      this.raw({ transaction: known, receipt })].flat();
  }

  async log(id) {
    const entry = this.store.logs.findLast(({ log }) => logID(log) === id) ?? await this.findLog(id);
    if (!entry) return ['Log', h('p', {}, 'There is no such log.')];
    const { log, status } = entry;
    const decoded = decodeLog(log);
    return ['Log', facts([['State', statusBadge(status)], ['removed', String(log.removed)],
      ['Meaning', decoded ? describe(decoded, this.tokens.ofLog(log, decoded)) : ''], ['Contract', link('account', log.address)],
      ['Block', isPending(log) ? `${number(log.blockNumber)}, pre-confirmed` : link('block', log.blockHash, String(number(log.blockNumber)))],
      ['Index in the block', String(number(log.logIndex))], ['Transaction', link('tx', log.transactionHash)],
      ...log.topics.map((topic, i) => [`Topic ${i}`, topic]), ['Data', printable(log.data, 1000)]]), this.raw(log.data.length > 20_000 ? { ...log, data: printable(log.data, 1000) } : log)];
  }

  /** findLog asks the node for a log that this page has not seen. One that was pre-confirmed may be sealed meanwhile. */
  async findLog(id) {
    const { store } = this;
    const [hash, index, blockHash] = id.split('-');
    const of = (logs) => logs?.find((log) => log.transactionHash === hash && log.logIndex === index);
    const log = of((await store.ask('eth_getTransactionReceipt', hash))?.logs) ?? of(await store.ask('eth_getLogs', { blockHash }));
    if (!log) return null;
    if (isPending(log)) return { log, status: 'preconfirmed' };
    const canonical = await store.ask('eth_getBlockByNumber', log.blockNumber, false);
    return { log, status: canonical?.hash === log.blockHash ? 'sealed' : 'removed' };
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
    const failed = new Set(failedOf(found?.receipts ?? []));
    const unknown = number(latest) === 0 && number(pending) === 0 && number(nonce) === 0 && (!code || code === '0x') && !tokenPending && !found?.txs?.length;
    return ['Account', unknown ? h('p', {}, 'This chain does not know the address: it has no ether, no tokens, no code and no transaction.') : null,
    facts([['Address', spelt(address)], ['Ether at latest', ether(latest ?? 0)], ['Ether at pending', ether(pending ?? 0)],
      ['Token at latest', amount(tokenLatest)], ['Token at pending', amount(tokenPending)], ['Nonce at latest', String(number(nonce))],
      ...(delegation.test(code ?? '') ? [['Delegates to', link('account', `0x${delegation.exec(code)[1]}`)]] : [['Code', code && code !== '0x' ? count((code.length - 2) / 2, 'byte') : 'none']])]),
    h('h3', {}, 'Last sealed transactions'),
    table('Last sealed transactions', ['Block', 'Transaction', 'What it does'], (found?.txs ?? []).map((tx) => (
      [String(number(tx.blockNumber)), txLink(tx.hash, failed), action(tx, this.tokens)])), 'There is none.')];
  }
}
