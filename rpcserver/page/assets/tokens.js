// Symbols and decimals of the tokens that are seen. Whoever wrote a contract chose them: they are shown as text only.

import { textAt } from './abi.js';

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
    this.known = new Map(); // address -> {symbol, decimals}, or null while asked or for what is no token
    this.version = 0;
    this.asked = Promise.resolve(); // settles when all that was asked is answered
  }

  /** of returns {symbol, decimals}, null if the account is no token as far as known. */
  of(address) {
    const key = address.toLowerCase();
    if (!this.known.has(key)) {
      this.known.set(key, null);
      const asked = this.ask(key);
      this.asked = this.asked.then(() => asked);
    }
    return this.known.get(key);
  }

  async ask(address) {
    const [symbol, decimals] = await Promise.all([symbolSelector, decimalsSelector].map((data) => (
      this.store.ask('eth_call', { to: address, data, gas: '0x186a0' }, 'latest'))));
    if (!symbol || !/^0x[0-9a-f]{64}$/.test(decimals ?? '') || BigInt(decimals) > mostDecimals) return;
    const text = textAt(symbol.slice(2), 40);
    if (text === null) return;
    this.known.set(address, { symbol: text, decimals: Number(BigInt(decimals)) });
    this.version++;
    this.store.touch('tokens');
  }
}
