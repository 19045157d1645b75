// The chain as it grows: the block being built with its flashblocks, sealed blocks, and the orphans beside them.

import { badge, byId, fill, h, link } from './dom.js';
import { clock, count, number, short, time } from './format.js';
import { VirtualList } from './list.js';

/** Chain shows a store's blocks. */
export class Chain {
  constructor(store) {
    this.store = store;
    this.list = new VirtualList(byId('blocks'), this, 'Blocks, newest first');
  }

  update(changed) {
    if (changed.has('pending')) this.showPending();
    if (changed.has('blocks')) this.list.update();
  }

  showPending() {
    const { pending } = this.store;
    if (!pending) {
      fill(byId('building'), h('p', { class: 'empty' }, 'Nothing is pre-confirmed.'));
      return;
    }
    fill(byId('building'),
      h('h3', {}, `Block ${pending.number.toLocaleString('en')}`, ' ', badge('preconfirmed', 'being built')),
      h('ol', { class: 'cells', 'aria-label': 'Flashblocks' }, pending.cells.slice(-50).map((transactions, i) => {
        const index = i + Math.max(0, pending.cells.length - 50);
        return h('li', { class: transactions > 0 ? 'full' : '', title: `Flashblock ${index}: ${count(transactions, 'transaction')}` },
          h('span', { class: 'hidden' }, `Flashblock ${index}, `), String(transactions));
      })),
      h('p', {}, `${count(pending.cells.length, 'flashblock')}, ${count(pending.transactions.length, 'transaction')}`));
  }

  count() {
    const { head, orphans } = this.store;
    return head ? number(head.number) + 1 + orphans.length : 0;
  }

  /** at returns what stands at an index: {height} or {orphan}. An orphan stands below the block that took its place. */
  at(index) {
    const head = number(this.store.head.number);
    let before = 0;
    for (const orphan of this.store.orphans) {
      const place = Math.max(head - number(orphan.number) + 1, 0) + before;
      if (place === index) return { orphan };
      if (place > index) break;
      before++;
    }
    return { height: head - (index - before) };
  }

  row(index) {
    const { orphan, height } = this.at(index);
    if (orphan) return { key: orphan.hash, version: 'orphan', render: () => this.render(orphan, true) };
    const block = this.store.block(height);
    const { safe, finalized } = this.store;
    const marks = [height === number(this.store.head.number) && 'head', height === safe && 'safe', height === finalized && 'finalized'].filter(Boolean);
    return {
      key: `n${height}`,
      version: `${block?.hash} ${block?.transactions?.length} ${marks}`,
      render: () => (block ? this.render(block, false, marks) : h('div', { class: 'row' }, `Block ${height.toLocaleString('en')} …`)),
    };
  }

  render(block, orphan, marks = []) {
    const used = number(block.gasUsed) / Math.max(number(block.gasLimit), 1);
    const share = `${used > 0 && used < 0.01 ? '<1' : Math.round(used * 100)} % gas`;
    const gas = h('span', { class: 'gas', title: 'Share of the gas limit used' }, h('meter', { min: '0', max: '1', value: used, 'aria-label': 'Share of the gas limit used' }), share);
    return h('div', { class: orphan ? 'row orphan' : 'row' },
      h('span', { class: 'main' }, link('block', block.hash, number(block.number).toLocaleString('en')),
        orphan ? badge('removed', 'orphaned') : marks.map((mark) => badge(mark))),
      h('span', { class: 'mono' }, short(block.hash)),
      h('span', {}, block.transactions ? count(block.transactions.length, 'transaction') : '0 transactions'),
      gas,
      h('span', { class: 'side', title: time(number(block.timestamp)) }, clock(number(block.timestamp))));
  }
}
