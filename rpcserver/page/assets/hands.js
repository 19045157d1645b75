// What commands the node. Each button makes one call, which is shown and can be copied.

import { byId, fill, h } from './dom.js';
import { json, printable } from './format.js';
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
  clearFaults: () => ['fakenode_clearFaults'],
  snapshot: () => ['fakenode_snapshot'],
  revert: (f) => ['fakenode_revert', f.id, true],
  pay: (f, hands) => ['eth_sendTransaction', { from: f.from, to: hands.token, data: `0xa9059cbb${padded(f.to.slice(2))}${padded(units(f.amount).toString(16))}`, gas: '0x186a0' }],
};

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
  constructor(connection, url) {
    this.connection = connection;
    this.url = url;
    for (const form of document.querySelectorAll('form[data-hand]')) {
      form.addEventListener('submit', (event) => { event.preventDefault(); this.submit(form); });
    }
    for (const button of document.querySelectorAll('[data-copy]')) {
      button.addEventListener('click', () => this.copy(button.dataset.copy, button));
    }
  }

  /** setUp fills in the accounts to pay from and to. */
  setUp(accounts, token) {
    this.token = token;
    byId('pay').hidden = !token || accounts.length < 2;
    for (const [id, first] of [['pay-from', 0], ['pay-to', 1]]) {
      fill(byId(id), accounts.map((account, i) => h('option', { value: account, selected: i === first }, `${i}: ${account.slice(0, 10)}…`)));
    }
  }

  async submit(form) {
    const fields = Object.fromEntries(new FormData(form));
    const [method, ...params] = calls[form.dataset.hand](fields, this);
    const result = await this.call(method, ...params);
    if (method === 'fakenode_snapshot' && result !== undefined) {
      byId('snapshots').append(h('option', { value: result, selected: true }, `snapshot ${result}`));
    }
  }

  /** call makes a call and shows it with its answer. It returns undefined if the call failed. */
  async call(method, ...params) {
    this.last = { method, params };
    byId('call').hidden = false;
    byId('call-text').textContent = `${method}(${params.map((param) => JSON.stringify(param)).join(', ')})`;
    byId('call-answer').textContent = '…';
    try {
      const result = await this.connection.request(method, ...params);
      byId('call-answer').textContent = json(result, 4000);
      return result;
    } catch (failure) {
      byId('call-answer').textContent = `${failure.code ?? ''} ${printable(failure.message, 1000)}`;
      return undefined;
    }
  }

  async copy(language, button) {
    const text = snippets[language](this.url, this.last.method, this.last.params);
    byId('snippet').hidden = false;
    byId('snippet').textContent = text;
    try {
      await navigator.clipboard.writeText(text);
      byId('copied').textContent = `Copied for ${button.textContent}.`;
    } catch {
      byId('copied').textContent = 'Copying is not allowed here: select the text below.';
    }
  }
}
