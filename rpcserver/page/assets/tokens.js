// Symbols and decimals of the tokens that are seen, and what the node calls by name of what transactions do. Whoever wrote
// a contract chose the words: they are shown as text only.

import { textAt } from './abi.js';
import { channelCreated } from './channels.js';

const symbolSelector = '0x95d89b41';
const decimalsSelector = '0x313ce567';
const mostDecimals = 77n;

/** Tokens asks each contract once. */
export class Tokens {
  constructor(store) {
    this.store = store;
    this.reset();
  }

  reset() {
    this.channels = new Map(); // id -> address of its token, null while asked
    this.known = new Map(); // address -> {symbol, decimals}, or null while asked or for what is no token
    this.meanings = new Map(); // transaction and whether it is in a block -> {contract, call, events}, or null
    this.version = 0;
    this.asked = Promise.resolve(); // settles when all that was asked is answered
  }

  /** of returns {symbol, decimals}, null if the account is no token as far as known. */
  of(address) {
    const key = address.toLowerCase();
    if (!this.known.has(key)) {
      this.known.set(key, null);
      this.wait(this.ask(key));
    }
    return this.known.get(key);
  }

  /** ofLog returns the token whose units a decoded log counts: its contract, or that of the payment channel it is about. */
  ofLog(log, { values }) {
    if (values.token) return this.of(values.token);
    return values.channelId ? this.ofChannel(log.address, values.channelId) : this.of(log.address);
  }

  /** ofChannel returns the token of a payment channel, null as long as it is not known. */
  ofChannel(settlement, id) {
    if (!this.channels.has(id)) {
      this.channels.set(id, null);
      this.wait(this.store.ask('eth_getLogs', { address: settlement, fromBlock: 'earliest', toBlock: 'pending', topics: [channelCreated, id] }).then((logs) => {
        const address = logs?.[0] && `0x${logs[0].data.slice(2 + 64 * 4 + 24, 2 + 64 * 5)}`;
        if (address?.length !== 42) return;
        this.channels.set(id, address);
        this.changed();
      }));
    }
    const address = this.channels.get(id);
    return address ? this.of(address) : null;
  }

  /** meaning returns {contract, call, events} of a transaction, null if nothing is known. Events are known once it is executed. */
  meaning(hash, pooled) {
    const key = `${hash} ${Boolean(pooled)}`;
    if (!this.meanings.has(key)) {
      this.meanings.set(key, null);
      this.wait(this.askMeaning(key, hash));
    }
    return this.meanings.get(key);
  }

  async askMeaning(key, hash) {
    const { contract, call, events } = await this.store.ask('fakenode_transaction', hash) ?? {};
    if (!call && !events) return;
    this.meanings.set(key, { contract, call, events });
    this.changed();
  }

  wait(asking) { this.asked = this.asked.then(() => asking); }

  changed() {
    this.version++;
    this.store.touch('tokens');
  }

  async ask(address) {
    const [symbol, decimals] = await Promise.all([symbolSelector, decimalsSelector].map((data) => (
      this.store.ask('eth_call', { to: address, data, gas: '0x186a0' }, 'latest'))));
    if (!symbol || !/^0x[0-9a-f]{64}$/.test(decimals ?? '') || BigInt(decimals) > mostDecimals) return;
    const text = textAt(symbol.slice(2), 40);
    if (text === null) return;
    this.known.set(address, { symbol: text, decimals: Number(BigInt(decimals)) });
    this.changed();
  }
}
