// The node itself: who subscribes, which faults are in force, what clients called.

import { badge, byId, facts, fill, h, table } from './dom.js';
import { clock, count, printable, short, span, time } from './format.js';

const shownCalls = 100;

/** NodeView shows the node's own state. What --no-control switches off is left out. */
export class NodeView {
  constructor(store) { this.store = store; }

  async refresh() {
    const { store } = this;
    const [version, info, subscriptions, faults, calls] = await Promise.all([
      store.ask('web3_clientVersion'), store.ask('fakenode_info'), store.ask('fakenode_subscriptions'),
      store.ask('fakenode_faults'), store.ask('fakenode_calls', {}),
    ]);
    fill(byId('node-facts'), facts([['Version', version ?? ''], ...(info ? [
      ['Sealing', info.config.seal], ['Block time', `${info.config.blockTimeMs} ms`], ['Flashblock time', info.config.preconf ? `${info.config.flashblockTimeMs} ms` : 'no pre-confirmation'],
      ['Answers as', info.config.compat], ['Token', info.config.token ?? 'none of its own'], ['Clock', `${time(info.clock.timestamp)}${info.clock.real ? '' : ', stands still'}`],
    ] : [])]));
    const clients = subscriptions?.filter((s) => !s.observer);
    this.section('subscribers', clients, () => table('Subscribers, without pages such as this', ['Connection', 'Subscription', 'Kind', 'Unread'], clients.map((s) => (
      [String(s.connection), s.id, s.kind, count(s.unreadBytes, 'byte')])), 'No client subscribes.'));
    this.section('faults', faults, () => table('Faults in force', ['What', 'Where', 'How often'], [
      ...faults.calls.map((fault) => [describe(fault), fault.kind ? `notifications of ${fault.kind}` : fault.method, fault.times < 0 ? 'for ever' : `${fault.times} more`]),
      ...faults.flashblocks.map((fault) => [badge('removed', fault.kind), 'flashblocks', `${fault.count}`]),
      ...faults.feed.map((fault) => [badge('removed', fault.kind), 'raw feed', `${fault.count} more frames${fault.nth > 1 ? `, from number ${fault.nth} on` : ''}`]),
      ...faults.holds.map((hold) => [badge('removed', 'hold'), hold.hashes.length + hold.senders.length > 0 ? `pool: ${[...hold.hashes, ...hold.senders].map(short).join(', ')}` : 'pool: all transactions',
        hold.milliseconds ? `${hold.milliseconds} ms more` : 'until released']),
    ], 'Nothing goes wrong on command.'));
    this.section('calls', calls, () => table('Last calls of clients', ['Time', 'Method', 'Parameters', 'Took', 'Answered from', 'Error'], calls.slice(-shownCalls).reverse().map((call) => (
      [clock(call.timestampMs / 1000), call.method, printable(JSON.stringify(call.params ?? []), 100), `${call.durationUs} µs`, call.view ?? '', call.error ? printable(call.error.message, 100) : ''])), 'None yet.'));
  }

  section(id, answer, show) {
    byId(id).hidden = !answer;
    if (answer) fill(byId(`${id}-table`), show());
  }
}

/** describe tells what a fault of a call or a notification does. */
function describe({ error, httpStatus, loseAnswer, latencyMs, latencySpreadMs, dropConnection, truncate, silent, drop, duplicate, stray, reorder, behind, behindMs, branch, share }) {
  return [error && `error ${error.code} ${printable(error.message, 60)}`, loseAnswer ? `run, the answer lost: HTTP status ${httpStatus ?? 504}` : httpStatus && `not run: HTTP status ${httpStatus}`,
    (latencyMs || latencySpreadMs) && `${latencyMs ?? 0}${latencySpreadMs ? ` to ${(latencyMs ?? 0) + latencySpreadMs}` : ''} ms late`,
    dropConnection && 'connection dropped', truncate && `answer cut after ${truncate} bytes`, silent && 'silent from then on',
    drop && 'lost', duplicate && 'twice', stray && 'behind one of no subscription', reorder && 'behind the next',
    behind && `answered ${behind} blocks behind`, behindMs && `answered ${behindMs} ms behind`, branch && `answered from the ${branch} branch`, share && `a share of ${share}`].filter(Boolean).join(', ') || 'nothing';
}

/** status shows the head, safe and finalized blocks above everything. */
export function showStatus(store, chainID) {
  const { head } = store;
  if (!head) return;
  const height = Number(head.number);
  document.title = `Block ${height} · fakenode ${chainID}`;
  fill(byId('status'), h('span', {}, `chain ${chainID}`), h('span', {}, 'block ', h('strong', {}, height.toLocaleString('en')), h('span', { class: 'spare mono' }, ` ${short(head.hash)}`)),
    h('span', { class: 'spare' }, time(Number(head.timestamp))), distance(store),
    h('span', { class: 'spare' }, `safe ${store.safe.toLocaleString('en')}, finalized ${store.finalized.toLocaleString('en')}`));
}

/** distance tells how far the node's clock is from the browser's, where that is more than a slow connection explains. */
function distance({ clock }) {
  if (!clock) return null;
  const ahead = clock.timestamp - Date.now() / 1000;
  const near = Math.abs(ahead) < 5;
  const text = near ? `clock ${clock.real ? 'as the wall' : 'stands still'}` : [`clock ${span(Math.abs(ahead))} ${ahead > 0 ? 'ahead' : 'behind'}`, h('span', { class: 'spare' }, ahead > 0 ? ' of the wall' : ' the wall')];
  return h('span', { title: `${time(clock.timestamp)}, by the node's clock` }, text, near || clock.real ? null : ', stands still');
}
