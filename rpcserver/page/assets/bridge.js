// What goes on between an L2 and its L1: deposits on their way, withdrawals with what each waits for, games.

import { badge, byId, facts, fill, table } from './dom.js';
import { ether, number, short, time } from './format.js';
import { place, there } from './places.js';

const depositor = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
const attributesLength = 2 + 2 * 178; // of setL1BlockValuesJovian as hex

/** originOf returns {number, hash} of the L1 block that a block of an L2 refers to, which its first transaction says; null without one. */
export function originOf(block) {
  const first = block?.transactions?.[0];
  if (first?.from !== depositor || first.input?.length !== attributesLength) return null;
  const bytes = (from, to) => first.input.slice(2 + 2 * from, 2 + 2 * to);
  return { number: number(`0x${bytes(28, 36)}`), hash: `0x${bytes(100, 132)}` };
}

const causes = {
  game: () => 'a game about its block or a later one',
  maturity: (until) => `the delay of its proof, until ${until}`,
  resolution: (until) => `the end of its game, from ${until} on`,
  finality: (until) => `the airgap after its game, until ${until}`,
  unpause: () => 'the end of the pause',
};

/** waitsFor writes what a withdrawal waits for. */
function waitsFor({ status, waits, game, l1TransactionHash, succeeded }) {
  if (status === 'finalized') return [succeeded === false ? 'paid, and the call failed: ' : 'paid: ', l1TransactionHash ? there('l1', 'tx', l1TransactionHash, short(l1TransactionHash)) : ''];
  if (status === 'ready-to-prove') return `nothing: it can be proven by game ${game}`;
  if (status === 'ready-to-finalize') return 'nothing: it can be finalized';
  return waits.map(({ for: cause, until }) => causes[cause](until === null ? '' : time(until))).join('; ');
}

const results = { inProgress: 'in progress', defender: 'for its claim', challenger: 'against its claim' };

/** gameBadge shows whether a withdrawal may rely on a game. */
function gameBadge({ status, blacklisted, retired }) {
  if (blacklisted) return badge('removed', 'blacklisted');
  if (retired) return badge('removed', 'retired');
  return badge({ inProgress: 'preconfirmed', defender: 'sealed', challenger: 'removed' }[status], results[status]);
}

/** depositBadge shows how far a deposit has come. */
function depositBadge({ derived, succeeded, blockHash }) {
  if (!derived) return badge('pool', 'on its way');
  if (succeeded === false) return badge('failed');
  return blockHash ? badge('sealed', 'on the L2') : badge('preconfirmed', 'being built');
}

const withdrawalBadges = {
  'waiting-to-prove': ['pool', 'waits to be proven'], 'ready-to-prove': ['preconfirmed', 'ready to prove'],
  'waiting-to-finalize': ['pool', 'proven, waits'], 'ready-to-finalize': ['preconfirmed', 'ready to finalize'], finalized: ['sealed', 'finalized'],
};

/** Bridge shows a pair of chains. Its tab is there if this chain is one of a pair. */
export class Bridge {
  constructor(store) { this.store = store; }

  /** find returns whether this chain is one of a pair. */
  async find() {
    const found = Boolean(await this.store.ask('fakenode_bridge'));
    byId('tab-bridge').hidden = !found;
    return found;
  }

  async refresh() {
    const answer = await this.store.ask('fakenode_bridge');
    if (!answer) return;
    const { l1, l2, paused, deposits, withdrawals, games, origins } = answer;
    const [{ number: origin }] = origins;
    fill(byId('bridge-facts'), facts([['This page', place.network === 'l1' ? 'of the L1' : 'of the L2'],
      ['L1', [there('l1', 'block', l1.hash, `block ${l1.number.toLocaleString('en')}`), ` of ${time(l1.timestamp)}`]],
      ['L2', [there('main', 'block', l2.hash, `block ${l2.number.toLocaleString('en')}`), ` of ${time(l2.timestamp)}, refers to L1 block ${origin.toLocaleString('en')}`]],
      ['Withdrawals', paused ? badge('removed', 'paused') : 'go on']]));
    fill(byId('deposits-table'), table('Deposits', ['State', 'L1 block', 'On the L1', 'On the L2', 'From', 'To', 'Minted', 'Sent'], deposits.map((d) => [
      depositBadge(d), there('l1', 'block', d.l1BlockHash, String(d.l1BlockNumber)), there('l1', 'tx', d.l1TransactionHash, short(d.l1TransactionHash)),
      d.derived ? there('main', 'tx', d.transactionHash, short(d.transactionHash)) : `will be ${short(d.transactionHash)}`,
      there('main', 'account', d.from, short(d.from)), d.to ? there('main', 'account', d.to, short(d.to)) : 'a new contract', ether(d.mint), ether(d.value)]), 'No deposit has been made.'));
    fill(byId('withdrawals-table'), table('Withdrawals', ['State', 'Waits for', 'L2 block', 'On the L2', 'Game', 'Proven', 'From', 'To', 'Amount'], withdrawals.map((w) => [
      badge(...withdrawalBadges[w.status]), waitsFor(w), there('main', 'block', w.blockHash, String(w.blockNumber)),
      there('main', 'tx', w.transactionHash, short(w.transactionHash)), w.game === null ? '' : String(w.game), w.provenAt ? time(w.provenAt) : '',
      there('main', 'account', w.sender, short(w.sender)), there('l1', 'account', w.target, short(w.target)), ether(w.value)]), 'Nothing has been withdrawn.'));
    fill(byId('games-table'), table('Games', ['Game', 'State', 'L2 block', 'Claim', 'Root', 'Made', 'Over'], games.map((game) => [
      there('l1', 'account', game.address, String(game.index)), gameBadge(game), String(game.blockNumber),
      game.right ? 'right' : badge('removed', 'wrong'), short(game.rootClaim), time(game.createdAt), game.resolvedAt ? time(game.resolvedAt) : '']), 'No game has been made.'));
  }
}
