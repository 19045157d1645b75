// Payment channels: what each holds, what was claimed of it, and when a withdrawal falls due.

import { badge, byId, fill, link, table } from './dom.js';
import { printable, short, time, units } from './format.js';

const settlement = '0x4020074e9df2ce1dee5a9c1b5c3f541d02a10003';
export const channelCreated = '0x69d8248d5566bdb2ebc4d218970710d8378a2ff9b709a999e052b71970f808fa';
const channelsSelector = '0x7a7ebd7b';
const pendingWithdrawalsSelector = '0xb7f06ebe';
const signingMethods = ['eth_signTypedData_v4', 'eth_signTypedData'];
const shown = 100; // the newest of them

const words = (data) => data.slice(2).match(/.{64}/g) ?? [];
const address = (word) => `0x${word.slice(24)}`;
const amount = (word) => BigInt(`0x${word}`);

/** Channels shows every channel that was opened on the chain. */
export class Channels {
  constructor(store, tokens) {
    this.store = store;
    this.tokens = tokens;
    this.reset();
  }

  reset() { this.signed = new Map(); } // channel -> the ceilings of the vouchers that this node signed

  /** opened returns the terms of the channels that ChannelCreated names, newest first. */
  async opened() {
    const logs = await this.store.ask('eth_getLogs', { address: settlement, fromBlock: 'earliest', toBlock: 'pending', topics: [channelCreated] });
    const found = new Map();
    for (const { topics, data } of logs ?? []) {
      const [payer, , receiver, , token, delay] = words(data);
      if (delay) found.set(topics[1], { id: topics[1], payer: address(payer), receiver: address(receiver), token: address(token), delay: amount(delay) });
    }
    return [...found.values()].slice(-shown).reverse();
  }

  /** collect looks for vouchers among what clients had this node sign. Those signed elsewhere show when they are claimed. */
  async collect() {
    this.reset();
    for (const method of signingMethods) {
      for (const call of await this.store.ask('fakenode_calls', { method }) ?? []) {
        try {
          const typed = call.params[1];
          const { primaryType, domain, message } = typeof typed === 'string' ? JSON.parse(typed) : typed;
          if (primaryType !== 'Voucher' || domain.verifyingContract.toLowerCase() !== settlement) continue;
          const ceilings = this.signed.get(message.channelId) ?? new Set();
          this.signed.set(message.channelId, ceilings.add(BigInt(message.maxClaimableAmount)));
        } catch { /* a client may have sent anything */ }
      }
    }
  }

  read(selector, id) { return this.store.ask('eth_call', { to: settlement, data: `${selector}${id.slice(2)}` }, 'pending'); }

  async refresh() {
    await this.collect();
    const block = await this.store.ask('eth_getBlockByNumber', 'pending', false);
    const now = BigInt(block?.timestamp ?? 0);
    const rows = await Promise.all((await this.opened()).map((channel) => this.row(channel, now)));
    fill(byId('channels-table'), table('Payment channels',
      ['Channel', 'Payer', 'Receiver', 'Balance at pending', 'Claimed', 'Vouchers signed here', 'Withdrawal', 'Falls due'], rows, 'No channel has been opened.'));
  }

  async row({ id, payer, receiver, token, delay }, now) {
    const [state, withdrawal] = await Promise.all([this.read(channelsSelector, id), this.read(pendingWithdrawalsSelector, id)]);
    const [balance = '0', claimed = '0'] = words(state ?? '0x');
    const [asked = '0', started = '0'] = words(withdrawal ?? '0x');
    const about = this.tokens.of(token);
    const worth = (n) => (about ? `${units(n, about.decimals)} ${printable(about.symbol, 12)}` : String(n));
    const ceilings = [...this.signed.get(id) ?? []];
    const highest = ceilings.reduce((most, n) => (n > most ? n : most), 0n);
    const due = amount(started) + delay;
    return [short(id), link('account', payer, short(payer)), link('account', receiver, short(receiver)), worth(amount(balance)), worth(amount(claimed)),
      ceilings.length > 0 ? `${ceilings.length}, up to ${worth(highest)}` : '',
      amount(started) > 0n ? worth(amount(asked)) : '',
      amount(started) > 0n ? [time(due), ' ', badge(now >= due ? 'due' : 'waits')] : ''];
  }
}
