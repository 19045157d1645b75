// The only place that makes elements. Text goes in as text nodes alone: nothing from the chain is ever markup.

import { spelt } from './format.js';

/** h makes an element. Attributes named on* are listeners; null and false leave an attribute out. */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'value') element.value = value;
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const longestFrame = 1000; // ms

/** nextFrame calls back at the next frame, or after a second: a tab that nobody sees has no frames. */
export function nextFrame(callback) {
  const once = () => { cancelAnimationFrame(frame); clearTimeout(timer); callback(); };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, longestFrame);
  return frame;
}

/** byId returns an element of the page's own markup. */
export const byId = (id) => document.getElementById(id);

/** fill replaces what an element holds. */
export const fill = (element, ...children) => element.replaceChildren(...children.flat().filter(Boolean));

/** facts makes a description list of pairs [name, value]; a value is text or an element. */
export function facts(pairs) {
  const list = h('dl', { class: 'facts' });
  for (const [name, value] of pairs) {
    if (value === null || value === undefined || value === '') continue;
    list.append(h('div', {}, h('dt', {}, name), h('dd', {}, value)));
  }
  return list;
}

const blanks = ['', '=', null]; // cells that say nothing where there are no columns, on a phone

/** table makes a table; a cell is text or an element. */
export function table(caption, columns, rows, empty) {
  if (rows.length === 0) return h('p', { class: 'empty' }, empty);
  return h('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    h('table', {},
      h('caption', { class: 'hidden' }, caption),
      h('thead', {}, h('tr', {}, columns.map((column) => h('th', { scope: 'col' }, column)))),
      h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, i) => h('td', { 'data-label': columns[i], class: blanks.includes(cell) ? 'blank' : null }, cell)))))));
}

/** link makes a button that shows the details of something: kind is block, tx or account. */
export function link(kind, what, text = spelt(what)) {
  const id = spelt(what);
  return h('button', { type: 'button', class: 'link', 'data-kind': kind, 'data-id': id, title: id }, text);
}

/** badge makes a label of a state; the state is also its class. */
export const badge = (state, text = state) => h('span', { class: `badge ${state.replace(/[^a-z]/g, '')}` }, text);
