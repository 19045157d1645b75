// The chain as it grows: the block being built with its flashblocks, sealed blocks, and the orphans beside them.

import { originOf } from './bridge.js';
import { badge, byId, fill, h, link } from './dom.js';
import { clock, count, number, short, time } from './format.js';
import { VirtualList } from './list.js';
import { there } from './places.js';
import { emptyRoot, limits } from './store.js';

const systemDeposits = 2; // that a block of such a chain begins with
const drawPause = 200; // ms between drawings of the block being built: some chains have a flashblock each 10 ms
const leastFolded = 3; // rows of empty blocks that become one
const depositor = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'; // sends the deposits that every block of an OP-stack chain begins with
const perRow = 5; // blocks of 200 ms in a row, a second of them, which would otherwise pass in a blur

/** groupSize returns how many blocks of a chain stand in one row: those with milliseconds come several a second. */
const groupSize = (header) => (header?.timestampMs ? perRow : 1);

/** failures makes the mark of how many transactions failed. */
const failures = (n) => (n > 0 ? badge('failed', `${n.toLocaleString('en')} failed`) : null);

/** fullness returns the class of the cell of a flashblock or block. */
const fullness = (transactions, failed) => (failed > 0 ? 'failing' : transactions > 0 ? 'full' : '');

/** isEmpty reports whether a block that is known holds nothing that somebody sent. */
const isEmpty = (block) => block?.transactionsRoot === emptyRoot || Boolean(block?.transactions?.every((tx) => tx.from === depositor));

/** Chain shows a store's blocks. */
export class Chain {
  constructor(store) {
    this.store = store;
    this.opened = new Set(); // groups of empty blocks that are shown one by one
    this.filled = false; // blocks with transactions alone
    this.drawn = -drawPause; // when the block being built was, in ms
    this.layout();
    this.list = new VirtualList(byId('blocks'), this, 'Blocks, newest first');
    byId('filled').addEventListener('change', ({ target }) => { this.filled = target.checked; this.update(new Set(['blocks'])); });
  }

  update(changed) {
    if (changed.has('pending')) this.drawing ??= setTimeout(() => this.showPending(), Math.max(0, this.drawn + drawPause - performance.now()));
    if (!changed.has('blocks')) return;
    this.layout();
    this.list.update();
  }

  showPending() {
    this.drawing = null;
    this.drawn = performance.now();
    const { pending } = this.store;
    byId('building').hidden = groupSize(this.store.head) > 1; // such a chain has no flashblocks
    if (!pending) {
      fill(byId('building'), this.store.head ? h('p', { class: 'empty' }, 'Nothing is pre-confirmed.') : []);
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

  /** group returns the number of the row that a block stands in, from 0. */
  group(header) { return Math.floor(number(header.number) / groupSize(this.store.head)); }

  /** layout lists what is shown of the blocks that the page has seen, newest first: {group}, {fold: {from, to}} or {orphan}. */
  layout() {
    const { head, orphans, floor } = this.store;
    this.rows = [];
    this.below = 0; // groups that are older: they are shown one by one, and fetched when they come into view
    if (!head) return;
    this.below = Math.floor(Math.max(floor, number(head.number) - limits.blocks + 1) / groupSize(head));
    const removed = new Map(); // group -> its orphans
    for (const orphan of orphans) removed.set(this.group(orphan), [...removed.get(this.group(orphan)) ?? [], { orphan }]);
    for (const group of [...removed.keys()]) if (group > this.group(head)) this.rows.push(...removed.get(group));
    let fold = null;
    for (let group = this.group(head); group >= this.below; group--) {
      const orphaned = (removed.get(group) ?? []).filter(({ orphan }) => !this.filled || !isEmpty(orphan));
      const empty = this.isEmpty(group);
      const folds = empty && orphaned.length === 0 && !this.opened.has(group) && !this.isTagged(group);
      if (folds && this.filled) continue;
      if (fold && folds) fold.from = group;
      else if (folds) this.rows.push({ fold: fold = { from: group, to: group } });
      else if (!empty || !this.filled || group === this.group(head)) this.rows.push({ group });
      if (!folds) fold = null;
      this.rows.push(...orphaned);
    }
    this.rows = this.rows.flatMap((row) => (row.fold && row.fold.to - row.fold.from < leastFolded - 1
      ? Array.from({ length: row.fold.to - row.fold.from + 1 }, (_, i) => ({ group: row.fold.to - i })) : [row]));
    this.older = orphans.filter((orphan) => this.group(orphan) < this.below);
  }

  /** isEmpty reports whether all blocks of a group are there, and empty. */
  isEmpty(group) {
    const size = groupSize(this.store.head);
    for (let height = group * size; height < (group + 1) * size; height++) if (!isEmpty(this.store.blocks.get(height))) return false;
    return true;
  }

  /** isTagged reports whether the head, the safe or the finalized block is in a group. */
  isTagged(group) {
    const { head, safe, finalized } = this.store;
    return [number(head.number), safe, finalized].some((height) => Math.floor(height / groupSize(head)) === group);
  }

  count() { return this.store.head ? this.rows.length + (this.filled ? Number(this.below > 0) : this.below + this.older.length) : 0; }

  /** at returns what stands at an index: {group}, {fold}, {orphan}, or nothing behind the last. An orphan stands below the row with its successor. */
  at(index) {
    if (index < this.rows.length) return this.rows[index];
    if (this.filled) return {};
    let before = 0;
    for (const orphan of this.older) {
      const place = this.below - this.group(orphan) + before;
      if (place === index - this.rows.length) return { orphan };
      if (place > index - this.rows.length) break;
      before++;
    }
    return { group: this.below - 1 - (index - this.rows.length - before) };
  }

  row(index) {
    const { orphan, group, fold } = this.at(index);
    if (orphan) return { key: orphan.hash, version: `orphan ${orphan.failed?.size}`, render: () => this.render(orphan, true) };
    if (fold) return this.foldRow(fold);
    if (group === undefined) return { key: 'older', version: '', render: () => h('div', { class: 'row note' }, h('span', {}, 'Older blocks are not looked through.')) };
    return groupSize(this.store.head) > 1 ? this.groupRow(group) : this.blockRow(group);
  }

  /** foldRow returns the row that stands for several empty blocks. */
  foldRow({ from, to }) {
    const size = groupSize(this.store.head);
    const [first, last] = [from * size, (to + 1) * size - 1];
    const begin = this.store.blocks.get(first);
    const open = () => {
      for (let group = from; group <= to; group++) this.opened.add(group);
      this.update(new Set(['blocks']));
    };
    return {
      key: `f${to}`,
      version: `${first}`,
      render: () => {
        const button = h('button', { type: 'button', class: 'link', title: 'Show them' }, count(last - first + 1, 'empty block'));
        button.addEventListener('click', open);
        return h('div', { class: 'row fold' }, h('span', { class: 'main' }, button),
          h('span', { class: 'mono' }, `${first.toLocaleString('en')}–${last.toLocaleString('en')}`), h('span', { class: 'amount' }), h('span', { class: 'gas' }),
          h('span', { class: 'side', title: time(number(begin.timestamp)) }, clock(number(begin.timestamp))));
      },
    };
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
