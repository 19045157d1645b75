// The field in which the number of a block, a hash or an address is looked for.

import { byId } from './dom.js';
import { hex } from './format.js';

/** Search opens the details of what is looked for. */
export class Search {
  constructor(store, details) {
    this.store = store;
    this.details = details;
    const form = byId('search');
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const field = form.elements.what;
      const [kind, id] = await this.find(field.value.trim().toLowerCase());
      byId('search-answer').textContent = kind ? '' : 'Nothing has this number, hash or address.';
      if (kind) this.details.open(kind, id, field);
    });
  }

  /** find returns the kind of what text names, and its id, or nothing. */
  async find(text) {
    const { store } = this;
    if (/^\d[\d,]*$/.test(text)) {
      const block = await store.ask('eth_getBlockByNumber', hex(BigInt(text.replaceAll(',', ''))), false);
      return block ? ['block', block.hash] : [];
    }
    if (/^0x[0-9a-f]{40}$/.test(text)) return ['account', text];
    if (!/^0x[0-9a-f]{64}$/.test(text)) return [];
    if (await store.ask('eth_getTransactionByHash', text) || store.transactions.has(text)) return ['tx', text];
    if (await store.ask('eth_getBlockByHash', text, false)) return ['block', text];
    const operation = await store.ask('fakenode_operation', text);
    return operation?.transactionHash ? ['tx', operation.transactionHash] : [];
  }
}
