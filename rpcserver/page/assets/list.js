// A list that keeps only the visible rows in the document, however many there are.

import { h, nextFrame } from './dom.js';

const overscan = 6; // rows above and below the visible ones
const tallest = 30_000_000; // pixels: what browsers can lay out

/** VirtualList shows rows of one height, the newest first. */
export class VirtualList {
  /**
   * @param {HTMLElement} viewport scrolls
   * @param {{count: () => number, row: (index: number) => {key: string, version: string, render: () => HTMLElement}}} source
   */
  constructor(viewport, source, label) {
    this.viewport = viewport;
    this.source = source;
    this.count = 0;
    this.rows = new Map(); // key -> {element, version}
    this.inner = h('div', { class: 'rows', role: 'list', 'aria-label': label });
    viewport.replaceChildren(this.inner);
    viewport.addEventListener('scroll', () => this.schedule(), { passive: true });
    new ResizeObserver(() => { this.height = null; this.schedule(); }).observe(viewport);
  }

  schedule() {
    this.frame ??= nextFrame(() => { this.frame = null; this.render(); });
  }

  /** update takes in what changed of the source. Rows that were added above do not move what is being read. */
  update() {
    const count = this.source.count();
    const height = this.rowHeight();
    if (this.count > 0 && count > this.count && this.viewport.scrollTop > height) {
      this.viewport.scrollTop += (count - this.count) * height;
    }
    if (count !== this.count) this.inner.style.height = `${Math.min(count * height, tallest)}px`;
    this.count = count;
    this.render();
  }

  rowHeight() {
    this.height ??= parseFloat(getComputedStyle(this.viewport).getPropertyValue('--row')) || 48;
    return this.height;
  }

  render() {
    const height = this.rowHeight();
    const visible = this.viewport.clientHeight;
    if (visible === 0) return; // hidden
    this.inner.style.height = `${Math.min(this.count * height, tallest)}px`;
    const first = Math.max(0, Math.floor(this.viewport.scrollTop / height) - overscan);
    const last = Math.min(this.count, Math.ceil((this.viewport.scrollTop + visible) / height) + overscan);
    const kept = new Map();
    let place = this.inner.firstChild;
    for (let index = first; index < last; index++) {
      const row = this.source.row(index);
      let shown = this.rows.get(row.key);
      if (!shown || shown.version !== row.version) {
        const element = row.render();
        element.setAttribute('role', 'listitem');
        if (shown) {
          const focused = shown.element.contains(document.activeElement);
          if (place === shown.element) place = shown.element.nextSibling;
          shown.element.remove();
          if (focused) queueMicrotask(() => element.querySelector('button')?.focus());
        }
        shown = { element, version: row.version };
      }
      if (shown.count !== this.count) shown.element.setAttribute('aria-setsize', shown.count = this.count);
      if (shown.index !== index || shown.height !== height) {
        shown.element.setAttribute('aria-posinset', index + 1);
        shown.element.style.transform = `translateY(${index * height}px)`;
        Object.assign(shown, { index, height });
      }
      if (shown.element === place) place = place.nextSibling;
      else this.inner.insertBefore(shown.element, place); // only a row that is new, or moved within the window
      kept.set(row.key, shown);
    }
    for (const [key, shown] of this.rows) if (!kept.has(key)) shown.element.remove();
    this.rows = kept;
  }
}
