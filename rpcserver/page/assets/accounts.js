// The node's accounts, the pool, and the authorizations of the payment token.

import { authorizationCanceled, decodeCall } from './abi.js';
import { badge, byId, fill, link, table } from './dom.js';
import { action } from './activity.js';
import { ether, number, printable, short, time, units } from './format.js';

/** Where the payment token is on the two networks. */
const tokenAddresses = ['0x833589fcd6edb6e08f4c7c32d4f71b54bda02913', '0x036cbd53842c5426634e7929541ec2318f3dcf7e'];

const padded = (hex) => hex.slice(2).padStart(64, '0');

/** tokenBalance asks a token for a balance, null if it does not answer. */
export async function tokenBalance(store, token, account, block) {
  const answer = await store.ask('eth_call', { to: token, data: `0x70a08231${padded(account)}` }, block);
  return answer && answer.length === 66 ? BigInt(answer) : null;
}

/** paymentToken returns the address of the payment token on this network, undefined without one. */
export async function paymentToken(store) {
  for (const address of tokenAddresses) {
    const code = await store.ask('eth_getCode', address, 'latest');
    if (code && code !== '0x') return address;
  }
  return undefined;
}

/** Accounts shows the balances of the accounts that the node signs for, at latest and at pending. */
export class Accounts {
  constructor(store, tokens) {
    this.store = store;
    this.tokens = tokens;
  }

  async refresh() {
    const { store } = this;
    const accounts = await store.ask('eth_accounts') ?? [];
    const token = await paymentToken(store);
    const about = token ? this.tokens.of(token) : null;
    const amount = (value) => (value === null || !about ? '' : `${units(value, about.decimals)} ${printable(about.symbol, 12)}`);
    const rows = await Promise.all(accounts.map(async (account) => {
      const [latest, pending, tokenLatest, tokenPending, nonce] = await Promise.all([
        store.ask('eth_getBalance', account, 'latest'), store.ask('eth_getBalance', account, 'pending'),
        token ? tokenBalance(store, token, account, 'latest') : null, token ? tokenBalance(store, token, account, 'pending') : null,
        store.ask('eth_getTransactionCount', account, 'pending'),
      ]);
      return [link('account', account, short(account)), ether(latest ?? 0), pending === latest ? '=' : ether(pending ?? 0),
        amount(tokenLatest), tokenPending === tokenLatest ? (about ? '=' : '') : amount(tokenPending), String(number(nonce))];
    }));
    fill(byId('accounts-table'), table('Accounts', ['Account', 'Ether at latest', 'at pending', 'Token at latest', 'at pending', 'Next nonce'], rows, 'The node signs for no account.'));
  }
}

/** Pool shows what waits, and why. */
export class Pool {
  constructor(store, tokens) {
    this.store = store;
    this.tokens = tokens;
  }

  async refresh() {
    const { store } = this;
    const content = await store.ask('txpool_content') ?? { pending: {}, queued: {} };
    const rows = Object.entries(content).flatMap(([half, bySender]) => Object.values(bySender).flatMap((byNonce) => Object.values(byNonce).map(async (tx) => (
      [link('tx', tx.hash, short(tx.hash)), link('account', tx.from, short(tx.from)), String(number(tx.nonce)), action(tx, this.tokens), await this.reason(tx, half)]))));
    fill(byId('pool-table'), table('Pool', ['Transaction', 'From', 'Nonce', 'What it does', 'Why it waits'], await Promise.all(rows), 'The pool is empty.'));
  }

  /** reason tells why a transaction is not in a flashblock yet. A node without control methods does not say more than which half of the pool it is in. */
  async reason(tx, half) {
    const place = await this.store.ask('fakenode_transaction', tx.hash);
    if (place) return place.reason ?? 'for the next flashblock';
    return half === 'queued' ? `for nonce ${number(await this.store.ask('eth_getTransactionCount', tx.from, 'pending'))} of its sender` : 'for a flashblock or block';
  }
}

const signingMethods = ['eth_signTypedData_v4', 'eth_signTypedData'];

/** Authorizations shows the EIP-3009 authorizations that were signed by the node, tried by a call, or sent. */
export class Authorizations {
  constructor(store, tokens) {
    this.store = store;
    this.tokens = tokens;
    this.reset();
  }

  reset() { this.seen = new Map(); } // authorizer and nonce -> {token, from, to, value, validAfter, validBefore, nonce}

  note(token, values) {
    if (!values.nonce || !values.from || !token) return;
    this.seen.set(`${values.from}${values.nonce}`.toLowerCase(), { token, ...values });
  }

  noteCall(to, data) {
    const call = decodeCall(data);
    if (call && /^(transfer|receive)WithAuthorization$/.test(call.name)) this.note(to, call.values);
  }

  /** collect looks through the transactions seen and the calls that clients made. */
  async collect() {
    for (const { tx } of this.store.transactions.values()) if (tx?.to) this.noteCall(tx.to, tx.input);
    for (const method of [...signingMethods, 'eth_call', 'eth_estimateGas']) {
      for (const call of await this.store.ask('fakenode_calls', { method }) ?? []) {
        try {
          if (signingMethods.includes(method)) this.noteSigned(call.params[1]);
          else this.noteCall(call.params[0].to, call.params[0].data ?? call.params[0].input);
        } catch { /* a client may have sent anything */ }
      }
    }
  }

  noteSigned(typed) {
    const { primaryType, domain, message } = typeof typed === 'string' ? JSON.parse(typed) : typed;
    if (!/^(Transfer|Receive)WithAuthorization$/.test(primaryType)) return;
    this.note(domain.verifyingContract, {
      from: message.from, to: message.to, nonce: message.nonce,
      value: BigInt(message.value), validAfter: BigInt(message.validAfter), validBefore: BigInt(message.validBefore),
    });
  }

  async refresh() {
    await this.collect();
    const block = await this.store.ask('eth_getBlockByNumber', 'pending', false);
    const now = BigInt(block?.timestamp ?? 0);
    const newest = [...this.seen.values()].slice(-200).reverse();
    const rows = await Promise.all(newest.map(async (authorization) => {
      const about = this.tokens.of(authorization.token);
      const state = await this.state(authorization, now);
      return [badge(state, state), link('account', authorization.from, short(authorization.from)), link('account', authorization.to, short(authorization.to)),
        about ? `${units(authorization.value, about.decimals)} ${printable(about.symbol, 12)}` : String(authorization.value),
        time(authorization.validBefore), short(authorization.nonce)];
    }));
    fill(byId('authorizations-table'), table('Authorizations', ['State at pending', 'From', 'To', 'Amount', 'Valid before', 'Nonce'], rows, 'No authorization has been seen.'));
  }

  async state({ token, from, nonce, validAfter, validBefore }, now) {
    const used = await this.store.ask('eth_call', { to: token, data: `0xe94a0102${padded(from)}${padded(nonce)}` }, 'pending');
    if (used && BigInt(used) === 1n) {
      const cancelled = await this.store.ask('eth_getLogs', {
        address: token, fromBlock: 'earliest', toBlock: 'pending', topics: [authorizationCanceled, `0x${padded(from)}`, nonce],
      });
      return cancelled?.length > 0 ? 'cancelled' : 'used';
    }
    if (now >= validBefore) return 'expired';
    return now <= validAfter ? 'not yet valid' : 'unused';
  }
}
