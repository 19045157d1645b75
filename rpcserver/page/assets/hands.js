// What commands the node. Each button makes one call, which is shown and can be copied.

import { byId, fill, h } from './dom.js';
import { json, printable, short } from './format.js';
import { pathOf, place } from './places.js';
import { post } from './rpc.js';
import { snippets } from './snippets.js';

const padded = (digits) => digits.padStart(64, '0');

/** given returns the members of an object that are neither empty nor false. */
const given = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== '' && value !== false && value !== undefined));

/** calls make the parameters of a form's call from its fields: [method, ...params]. */
const calls = {
  advance: (f) => ['fakenode_advance', Number(f.milliseconds)],
  preconfirm: () => ['fakenode_preconfirm'],
  seal: (f) => ['fakenode_seal', Number(f.blocks)],
  reorg: (f) => ['fakenode_reorg', { depth: Number(f.depth), transactions: f.transactions }],
  flashblockFault: (f) => ['fakenode_flashblockFault', given({ kind: f.kind, count: Number(f.count), retract: f.retract === 'on' })],
  feedFault: (f) => ['fakenode_feedFault', { kind: f.kind, count: Number(f.count) }],
  setFault: (f) => ['fakenode_setFault', { method: f.method || '*', times: Number(f.times), ...faults[f.what]() }],
  propose: (f) => ['fakenode_propose', given({ number: f.number && Number(f.number), root: f.claim === 'wrong' && wrongRoot })],
  resolveGame: (f) => ['fakenode_resolveGame', { index: Number(f.index), status: f.status }],
  blacklistGame: (f) => ['fakenode_blacklistGame', Number(f.index)],
  pausePortal: (f) => ['fakenode_pausePortal', f.paused === 'true'],
  clearFaults: () => ['fakenode_clearFaults'],
  snapshot: () => ['fakenode_snapshot'],
  revert: (f) => ['fakenode_revert', f.id, true],
  pay: (f, hands) => ['eth_sendTransaction', { from: f.from, to: hands.token, data: `0xa9059cbb${padded(f.to.slice(2))}${padded(units(f.amount).toString(16))}`, gas: '0x186a0' }],
};

const wrongRoot = `0x${'bad0'.repeat(16)}`;

const faults = {
  error: () => ({ error: { code: -32005, message: 'limit exceeded' } }),
  latency: () => ({ latencyMs: 2000 }),
  unavailable: () => ({ httpStatus: 503 }),
  lost: () => ({ loseAnswer: true }),
  drop: () => ({ dropConnection: true }),
  truncate: () => ({ truncate: 10 }),
};

/** units reads dollars as token units of 6 decimals. */
const units = (text) => BigInt(Math.round(Number(text) * 1e6));

/** Hands serves the forms. */
export class Hands {
  constructor(connection) {
    this.connection = connection;
    for (const form of document.querySelectorAll('form[data-hand]')) {
      form.addEventListener('submit', (event) => { event.preventDefault(); this.submit(form); });
    }
    for (const button of document.querySelectorAll('[data-copy]')) {
      button.addEventListener('click', () => this.copy(button.dataset.copy, button));
    }
    byId('hands-open').addEventListener('click', () => this.draw(true));
    byId('hands-close').addEventListener('click', () => this.draw(false));
    byId('hands').addEventListener('keydown', (event) => { if (event.key === 'Escape') this.draw(false); });
  }

  /** draw opens and closes the drawer that the controls are in on a phone. */
  draw(open) {
    document.body.classList.toggle('commanding', open);
    byId(open ? 'hands-close' : 'hands-open').focus();
  }

  /** setUp fills in the accounts to pay from and to. */
  setUp(accounts, token) {
    this.token = token;
    byId('pay').hidden = !token || accounts.length < 2;
    for (const [id, first] of [['pay-from', 0], ['pay-to', 1]]) {
      fill(byId(id), accounts.map((account, i) => h('option', { value: account, selected: i === first }, `${i}: ${short(account)}`)));
    }
  }

  async submit(form) {
    const fields = Object.fromEntries(new FormData(form));
    const [method, ...params] = calls[form.dataset.hand](fields, this);
    const result = await this.callOn(form.dataset.network ?? place.network, method, ...params);
    if (method === 'fakenode_snapshot' && result !== undefined) {
      byId('snapshots').append(h('option', { value: result, selected: true }, `snapshot ${result}`));
    }
    byId('bridge-answer').textContent = byId('bridge').contains(form) ? `${byId('call-text').textContent}: ${byId('call-answer').textContent}` : '';
  }

  /** call makes a call and shows it with its answer. It returns undefined if the call failed. */
  call(method, ...params) { return this.callOn(place.network, method, ...params); }

  /** callOn makes a call on a network of this world. */
  async callOn(network, method, ...params) {
    this.last = { url: `${location.origin}${pathOf(network)}`.replace(/\/$/, ''), method, params };
    byId('call').hidden = false;
    byId('call-text').textContent = `${method}(${params.map((param) => JSON.stringify(param)).join(', ')})`;
    byId('call-answer').textContent = '…';
    try {
      const result = await (network === place.network ? this.connection.request(method, ...params) : post(pathOf(network), method, params));
      byId('call-answer').textContent = json(result, 4000);
      return result;
    } catch (failure) {
      byId('call-answer').textContent = `${failure.code ?? ''} ${printable(failure.message, 1000)}`;
      return undefined;
    }
  }

  async copy(language, button) {
    const { url, method, params } = this.last;
    byId('snippet').hidden = false;
    byId('snippet').textContent = snippets[language](url, method, params);
    try {
      await navigator.clipboard.writeText(byId('snippet').textContent);
      byId('copied').textContent = `Copied for ${button.textContent}.`;
    } catch {
      byId('copied').textContent = 'Copying is not allowed here: select the text below.';
    }
  }
}
