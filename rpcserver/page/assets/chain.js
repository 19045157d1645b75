// The chain as it grows: the block being built with its flashblocks, sealed blocks, and the orphans beside them.

import { originOf } from './bridge.js';
import { badge, byId, fill, h, link } from './dom.js';
import { clock, count, number, short, time } from './format.js';
import { VirtualList } from './list.js';
import { there } from './places.js';

const systemDeposits = 2; // that a block of such a chain begins with
const perRow = 5; // blocks of 200 ms in a row, a second of them, which would otherwise pass in a blur

/** groupSize returns how many blocks of a chain stand in one row: those with milliseconds come several a second. */
const groupSize = (header) => (header?.timestampMs ? perRow : 1);

/** failures makes the mark of how many transactions failed. */
const failures = (n) => (n > 0 ? badge('failed', `${n.toLocaleString('en')} failed`) : null);

/** fullness returns the class of the cell of a flashblock or block. */
const fullness = (transactions, failed) => (failed > 0 ? 'failing' : transactions > 0 ? 'full' : '');

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
    byId('building').hidden = groupSize(this.store.head) > 1; // such a chain has no flashblocks
    if (!pending) {
      fill(byId('building'), h('p', { class: 'empty' }, 'Nothing is pre-confirmed.'));
      return;
    }
    fill(byId('building'),
      h('h2', {}, `Block ${pending.number.toLocaleString('en')}`, ' ', badge('preconfirmed', 'being built')),
      h('ol', { class: 'cells', 'aria-label': 'Flashblocks' }, pending.cells.slice(-50).map((transactions, i) => {
        const index = i + Math.max(0, pending.cells.length - 50);
        const failed = [...pending.failed.values()].filter((at) => at === index).length;
        return h('li', { class: fullness(transactions, failed), title: `Flashblock ${index}: ${count(transactions, 'transaction')}${failed > 0 ? `, ${failed} failed` : ''}` },
          h('span', { class: 'hidden' }, `Flashblock ${index}, `), String(transactions), failed > 0 ? h('span', { class: 'hidden' }, `, ${failed} failed`) : null);
      })),
      h('p', {}, `${count(pending.cells.length, 'flashblock')}, ${count(pending.transactions.length, 'transaction')} `, failures(pending.failed.size)));
  }

  count() {
    const { head, orphans } = this.store;
    return head ? this.group(head) + 1 + orphans.length : 0;
  }

  /** group returns the number of the row that a block stands in, from 0. */
  group(header) { return Math.floor(number(header.number) / groupSize(this.store.head)); }

  /** at returns what stands at an index: {group} or {orphan}. An orphan stands below the row with its successor. */
  at(index) {
    const head = this.group(this.store.head);
    let before = 0;
    for (const orphan of this.store.orphans) {
      const place = Math.max(head - this.group(orphan) + 1, 0) + before;
      if (place === index) return { orphan };
      if (place > index) break;
      before++;
    }
    return { group: head - (index - before) };
  }

  row(index) {
    const { orphan, group } = this.at(index);
    if (orphan) return { key: orphan.hash, version: `orphan ${orphan.failed?.size}`, render: () => this.render(orphan, true) };
    return groupSize(this.store.head) > 1 ? this.groupRow(group) : this.blockRow(group);
  }

  /** marks returns the tags of a block. */
  marks(height) {
    const { head, safe, finalized } = this.store;
    return [height === number(head.number) && 'head', height === safe && 'safe', height === finalized && 'finalized'].filter(Boolean);
  }

  blockRow(height) {
    const block = this.store.block(height);
    const marks = this.marks(height);
    return {
      key: `n${height}`,
      version: `${block?.hash} ${block?.transactions?.length} ${block?.failed?.size} ${marks}`,
      render: () => (block ? this.render(block, false, marks) : h('div', { class: 'row' }, `Block ${height.toLocaleString('en')} …`)),
    };
  }

  /** groupRow returns the row of several blocks: a cell each, with the number of its transactions after the deposits of the chain. */
  groupRow(group) {
    const first = group * perRow;
    const last = Math.min(first + perRow - 1, number(this.store.head.number));
    const blocks = [];
    for (let height = first; height <= last; height++) blocks.push(this.store.block(height));
    const marks = blocks.flatMap((_, i) => this.marks(first + i));
    return {
      key: `g${group}`,
      version: `${blocks.map((block) => `${block?.hash} ${block?.transactions?.length} ${block?.failed?.size}`)} ${marks}`,
      render: () => this.renderGroup(first, last, blocks, marks),
    };
  }

  renderGroup(first, last, blocks, marks) {
    const users = (block) => Math.max((block?.transactions?.length ?? 0) - systemDeposits, 0);
    const total = blocks.reduce((sum, block) => sum + users(block), 0);
    const begin = blocks.find(Boolean);
    return h('div', { class: 'row' },
      h('span', { class: 'main' }, `${first.toLocaleString('en')}–${last.toLocaleString('en')}`, marks.map((mark) => badge(mark))),
      h('ol', { class: 'cells row-of-blocks', 'aria-label': 'Blocks' }, blocks.map((block, i) => h('li', { class: fullness(users(block), block?.failed?.size ?? 0) },
        h('span', { class: 'hidden' }, `Block ${(first + i).toLocaleString('en')}, transactions: `),
        block ? link('block', block.hash, String(users(block))) : '…'))),
      h('span', { class: 'amount' }, count(total, 'transaction'), ' ', failures(blocks.reduce((sum, block) => sum + (block?.failed?.size ?? 0), 0)), this.origin(blocks.findLast(Boolean))),
      h('span', { class: 'side', title: begin ? time(number(begin.timestamp)) : '' }, begin ? clock(number(begin.timestamp)) : ''));
  }

  /** origin makes a link to the L1 block that a block of an L2 refers to, where there is an L1. */
  origin(block) {
    const origin = this.store.bridged ? originOf(block) : null;
    return origin ? [' · ', there('l1', 'block', origin.hash, `L1 ${origin.number.toLocaleString('en')}`)] : null;
  }

  render(block, orphan, marks = []) {
    const used = number(block.gasUsed) / Math.max(number(block.gasLimit), 1);
    const share = `${used > 0 && used < 0.01 ? '<1' : Math.round(used * 100)} % gas`;
    const gas = h('span', { class: 'gas', title: 'Share of the gas limit used' }, h('meter', { min: '0', max: '1', value: used, 'aria-label': 'Share of the gas limit used' }), share);
    return h('div', { class: orphan ? 'row orphan' : 'row' },
      h('span', { class: 'main' }, link('block', block.hash, number(block.number).toLocaleString('en')),
        orphan ? badge('removed', 'orphaned') : marks.map((mark) => badge(mark))),
      h('span', { class: 'mono' }, short(block.hash)),
      h('span', { class: 'amount' }, count(block.transactions?.length ?? 0, 'transaction'), ' ', failures(block.failed?.size ?? 0), this.origin(block)),
      gas,
      h('span', { class: 'side', title: time(number(block.timestamp)) }, clock(number(block.timestamp))));
  }
}
