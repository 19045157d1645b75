// What a transaction did: its calls, and its profile, as the node tells them by name where it knows the contracts.

import { decodeCall, decodeLog, describe, revertReason } from './abi.js';
import { h, link, table } from './dom.js';
import { count, ether, number, printable, short, shortened, units } from './format.js';

const deepest = 64; // levels of calls that are shown
const mostCalls = 500; // calls that are shown
const mostRows = 200; // rows of a table

/** readProfile returns {profile}, or {refusal}, which says why there is none. A node without control methods has the calls alone. */
export async function readProfile(store, hash) {
  const profile = await store.ask('fakenode_profile', hash);
  if (profile) return { profile };
  try {
    const call = await store.connection.request('debug_traceTransaction', hash, { tracer: 'callTracer', tracerConfig: { withLog: true } });
    return { profile: { calls: traced(call), error: call.error && `${call.error} ${revertReason(call.output)}` } };
  } catch (error) {
    return { refusal: printable(error.message, 200) };
  }
}

/** traced makes the call of a profile from one of callTracer. */
function traced({ type, to, input, value, gasUsed, error, output, logs = [], calls = [] }) {
  return {
    op: type, to, text: input ?? '0x', value: value === '0x0' ? null : value, gas: number(gasUsed), error: error && `${error} ${revertReason(output)}`,
    steps: [...logs.map(({ address, topics, data }) => ({ event: { address, text: [...topics, data].join(' ') } })), ...calls.map((call) => ({ call: traced(call) }))],
  };
}

const precompile = /^0x0{36}/;

/** inUnits writes the amounts in the node's words about a token in its units. */
const inUnits = (text, token) => (token ? text.replace(/\b(value|amount): (\d+)(?=[,)])/g, (_, name, n) => `${name}: ${units(n, token.decimals)} ${printable(token.symbol, 12)}`) : text);

/** called writes what a call asks for: the node's words, or the token's calls by name. */
export function called({ to, text }, tokens) {
  if (!text.startsWith('0x')) return inUnits(shortened(text), to && tokens.of(to));
  const decoded = decodeCall(text);
  if (decoded) return describe(decoded, to ? tokens.of(to) : null);
  return text === '0x' || precompile.test(to) ? '' : printable(text.slice(0, 10));
}

/** logged writes an event: the node's words, or the token's events by name. */
function logged(text, token) {
  if (!text.startsWith('0x')) return inUnits(shortened(text), token);
  const parts = text.split(' ');
  const decoded = decodeLog({ topics: parts.slice(0, -1), data: parts.at(-1) });
  return decoded ? describe(decoded, token) : `${count(parts.length - 1, 'topic')}, ${printable(parts.at(-1), 66)}`;
}

/** who makes the link to an account, by its contract's name where the node knows it; one that delegates keeps its address. */
function who({ address, contract, delegate }) {
  const name = contract ? printable(contract, 40) : short(delegate ?? address);
  return link('account', address, delegate ? `${short(address)} as ${name}` : name);
}

/** tree shows a call with those below it, their events and what they wrote by console.log, in order. */
export function tree(root, tokens) {
  let left = mostCalls;
  const step = ({ call, event, console }, depth) => {
    if (event) return h('li', { class: 'note' }, 'event ', event.contract ? `${printable(event.contract, 40)}.` : '', logged(event.text, tokens.of(event.address)));
    if (!call) return h('li', {}, h('span', { class: 'mono' }, 'console.log '), printable(console, 2000));
    left--;
    const steps = depth < deepest ? (call.steps ?? []).slice(0, Math.max(left, 0)) : [];
    const hidden = (call.steps ?? []).length - steps.length;
    return h('li', {}, h('span', { class: 'mono' }, call.op), ' ', call.to ? who({ ...call, address: call.to }) : '', ' ',
      h('span', { title: printable(call.text, 2000) }, called(call, tokens)), ' ', call.value ? `${ether(call.value)} ` : '', h('span', { class: 'note' }, `${call.gas.toLocaleString('en')} gas `),
      call.error ? h('span', { class: 'error' }, printable(call.error, 500)) : null,
      steps.length + hidden > 0 ? h('ul', {}, steps.map((below) => step(below, depth + 1)), hidden > 0 ? h('li', {}, `${count(hidden, 'more step')}`) : null) : null);
  };
  return h('ul', { class: 'trace' }, step({ call: root }, 0));
}

/** movements shows which ether and tokens went where. */
export function movements(moved, tokens) {
  if (!moved?.length) return null;
  return [h('h3', {}, 'Movements'), table('Movements', ['Amount', 'From', 'To'], moved.slice(0, mostRows).map(({ token, contract, from, to, amount, id }) => {
    const about = token ? tokens.of(token) : null;
    const worth = about ? `${units(amount, about.decimals)} ${printable(about.symbol, 12)}` : String(BigInt(amount));
    return [token ? [worth, id ? ` of ${BigInt(id)}` : '', about ? '' : [' of ', who({ address: token, contract })]].flat() : ether(amount), who({ address: from }), who({ address: to })];
  }))];
}

/** gas shows what each function cost. */
export function gas({ functions: costs, intrinsicGas, refundedGas, floorGas }) {
  if (!costs) return null;
  const own = [['intrinsic', intrinsicGas], ['refunded', -refundedGas], ['floor of data', floorGas]].filter(([, amount]) => amount);
  const written = (amount) => amount.toLocaleString('en').replace('-', '−');
  return [h('h3', {}, 'Gas'), table('Gas by function', ['Contract', 'Function', 'Calls', 'Gas', 'With calls below'], [
    ...costs.slice(0, mostRows).map((f) => [who(f), h('span', { title: printable(f.function, 400) }, printable(f.function.split('(')[0], 80)), f.calls.toLocaleString('en'), written(f.gas), written(f.totalGas)]),
    ...own.map(([name, amount]) => [name, '', '', written(amount), ''])])];
}

/** changes shows what became of the state. */
export function changes({ accounts }) {
  if (!accounts?.length) return null;
  const rows = accounts.flatMap((account) => [
    account.balance && [who(account), 'ether', ether(account.balance.from), ether(account.balance.to)],
    account.nonce && [who(account), 'nonce', String(number(account.nonce.from)), String(number(account.nonce.to))],
    account.code && [who(account), 'code', '', 'changed'],
    ...(account.storage ?? []).map(({ name, from, to }) => [who(account), shortened(name), word(from), word(to)]),
  ].filter(Boolean));
  return h('details', {}, h('summary', {}, `State: ${count(rows.length, 'change')}`), table('State changes', ['Account', 'What', 'Before', 'After'], rows.slice(0, mostRows)));
}

/** word writes 32 bytes as a number where that is short. */
const word = (hex) => (/^0x0{48}/.test(hex) ? String(BigInt(hex)) : short(hex));
