// Scenarios, step by step: the node plays one at once; what subscribers were sent is shown one event at a time.

import { decodeLog, describe } from './abi.js';
import { byId, facts, fill, h, link } from './dom.js';
import { count, number, printable, short } from './format.js';

/** kinds are the names that fakenode_scenario knows, by what they are about. */
export const kinds = {
  'Pre-confirmations': ['FeeSpikeWhileCapturing', 'LateBlock', 'LostPreconfirmation', 'PhantomLog', 'StalledPending'],
  Reorgs: ['CaptureReorgedOut', 'CaptureThenReorg', 'DeepReorg', 'FlappingHead', 'ProposalReplaced', 'ShippedThenReorgedOut'],
  'Nodes that are behind': ['HeadGoesBack', 'LogsNotYetThere', 'NonceFromReplica', 'ReceiptThenNull', 'ReplicaOnOrphan'],
  'Decoys': ['FakeToken', 'NonceOfAnotherPayer', 'OtherToken'],
  'Captures': ['SettledUnseen'],
  Orders: ['CeilingExceeded', 'MemoReorgedOut', 'PartialCapturesThenReorg', 'PermitFrontRun', 'ReclaimRacesCapture'],
  Subscriptions: ['PeriodRollover', 'PermissionRevoked'],
  Channels: ['ChannelDepositReorgedOut', 'ClaimRacesWithdrawal', 'DepositSeenThenLost', 'VoucherAfterRefund', 'WithdrawalOverslept'],
  'User operations': ['BundleRevertedByNeighbour', 'DelegationFrontRun', 'OperationInLostFlashblock', 'PaymasterRanDry', 'SponsoredThenReorgedOut'],
};

/** Player plays a scenario and shows its conclusion. */
export class Player {
  constructor(store, tokens, hands) {
    this.store = store;
    this.tokens = tokens;
    this.hands = hands;
    fill(byId('scenario-name'), Object.entries(kinds).map(([label, names]) => h('optgroup', { label }, ...names.map((name) => h('option', { value: name }, name)))));
    byId('scenario').addEventListener('submit', (event) => { event.preventDefault(); this.play(byId('scenario-name').value); });
    byId('scenario-start').addEventListener('click', () => this.start(byId('scenario-name').value));
    byId('scenario-next').addEventListener('click', () => (this.story ? this.move() : this.next()));
    byId('scenario-end').addEventListener('click', async () => { while (this.story) await this.move(); this.end(); });
  }

  /** start tells a scenario move by move: the chain of the page, and others, see each. */
  async start(name) {
    this.end();
    fill(byId('steps'));
    fill(byId('conclusion'));
    this.story = await this.hands.call('fakenode_scenarioStart', name);
    this.playing(Boolean(this.story));
    if (this.story) await this.move();
  }

  async move() {
    const move = await this.hands.call('fakenode_scenarioNext', this.story);
    if (!move || move.done) {
      this.story = undefined; // it is over, or another one began
      this.playing(false);
    }
    if (!move) return;
    byId('step-count').textContent = `Move ${move.step}`;
    if (move.done) this.conclude(move.conclusion);
    else byId('steps').append(h('li', {}, move.did));
  }

  async play(name) {
    this.story = undefined; // the node undoes it when another one begins
    this.end();
    this.store.hold();
    this.steps = 0;
    fill(byId('steps'));
    fill(byId('conclusion'));
    const conclusion = await this.hands.call('fakenode_scenario', name);
    if (!conclusion) {
      this.store.release();
      return;
    }
    await this.store.ask('eth_chainId'); // its answer comes behind all that the scenario sent
    this.total = this.store.queue.length;
    this.conclude(conclusion);
    this.playing(true);
    this.next();
    byId('scenarios').scrollIntoView(); // with the conclusion
  }

  playing(on) {
    byId('scenario-next').disabled = byId('scenario-end').disabled = !on;
    if (on) byId('scenario-next').focus();
  }

  next() {
    const event = this.store.step();
    if (event) {
      this.steps++;
      byId('steps').append(h('li', {}, this.tell(event)));
      byId('steps').scrollTop = byId('steps').scrollHeight;
    }
    byId('step-count').textContent = `Step ${this.steps} of ${this.total}`;
    if (this.store.queue.length > 0) return;
    this.end();
  }

  end() {
    while (this.store.held && this.store.queue.length > 0) {
      byId('steps').append(h('li', {}, this.tell(this.store.step())));
      this.steps++;
    }
    if (this.store.held) byId('step-count').textContent = `All ${count(this.steps, 'step')} shown`;
    this.store.release();
    this.playing(false);
  }

  /** tell writes what a subscriber was sent. */
  tell({ kind, value }) {
    switch (kind) {
      case 'head': return `newHeads: block ${number(value.number)}, ${short(value.hash)}`;
      case 'flashblock': return `newFlashblocks: block ${number(value.number)} has ${count(value.transactions.length, 'transaction')}`;
      case 'pooled': return `newPendingTransactions: ${short(value.hash)}`;
      default: {
        const decoded = decodeLog(value);
        const what = decoded ? describe(decoded, this.tokens.of(value.address)) : short(value.transactionHash);
        return `${kind === 'log' ? 'logs' : 'pendingLogs'}: ${value.removed ? 'removed ' : ''}${what}`;
      }
    }
  }

  conclude(conclusion) {
    fill(byId('conclusion'), h('h3', {}, 'What a correct client must conclude'), h('p', {}, printable(conclusion.statement, 1000)),
      facts([['Settled', conclusion.settled ? `yes, in block ${conclusion.blockNumber}` : 'no'], ['Transaction', link('tx', conclusion.transaction, short(conclusion.transaction))],
        ['Orphaned blocks', h('span', {}, conclusion.orphans.map((hash) => [link('block', hash, short(hash)), ' ']).flat())]]));
  }
}
