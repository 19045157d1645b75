// The user operations (ERC-4337) of a transaction that an EntryPoint executed.

import { badge, h, link, table } from './dom.js';
import { number, short } from './format.js';

const userOperationEvent = '0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f';

/** operations shows what became of each, and the fault that struck it. */
export async function operations(store, receipt) {
  const logs = (receipt?.logs ?? []).filter(({ topics, data }) => topics[0] === userOperationEvent && topics.length === 4 && data.length >= 2 + 4 * 64).slice(0, 100);
  if (logs.length === 0) return null;
  const rows = await Promise.all(logs.map(async ({ topics, data }) => {
    const [, hash, sender, paymaster] = topics;
    const place = await store.ask('fakenode_operation', hash);
    const account = (topic) => link('account', `0x${topic.slice(26)}`, short(`0x${topic.slice(26)}`));
    const succeeded = number(`0x${data.slice(2 + 64, 2 + 128)}`) === 1;
    return [h('span', { class: 'mono', title: hash }, short(hash)), succeeded ? badge('sealed', 'succeeded') : badge('failed'), account(sender),
      /[1-9a-f]/.test(paymaster.slice(26)) ? account(paymaster) : '', place?.fault ?? ''];
  }));
  return [h('h3', {}, 'User operations'), table('User operations', ['Hash', 'Outcome', 'Sender', 'Paymaster', 'Fault'], rows)];
}
