// Text from the chain, made fit to be shown.

import { checksummed } from './checksum.js';

const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** printable returns at most limit characters of text; control characters and those that change the direction of writing become a box. */
export function printable(text, limit = 80) {
  const whole = String(text);
  const shown = whole.slice(0, limit).replace(/[\ud800-\udbff]$/, '').replace(unprintable, '\u25a1');
  return whole.length > limit ? `${shown}… (${whole.length.toLocaleString('en')} characters)` : shown;
}

/** spelt returns an address by EIP-55, and anything else as it is. */
export const spelt = (hex) => (hex?.length === 42 && /^0x[0-9a-f]{40}$/i.test(hex) ? checksummed(hex) : hex);

/** short abbreviates a hash or an address. */
export const short = (hex) => (hex && hex.length > 14 ? `${spelt(hex).slice(0, 8)}…${spelt(hex).slice(-4)}` : hex ?? '');

/** shortened abbreviates the hashes and addresses in the node's words. */
export const shortened = (text) => printable(text, 2000).replace(/0x[0-9a-f]{20,}/gi, short);

/** number reads a quantity, which must be within 2^53. */
export const number = (quantity) => Number(quantity ?? 0);

/** hex writes a number as a quantity. */
export const hex = (n) => `0x${n.toString(16)}`;

/** count writes a number with its noun. */
export const count = (n, noun, plural = `${noun}s`) => `${n.toLocaleString('en')} ${n === 1 ? noun : plural}`;

/** units writes an amount with decimals places, trailing zeros left out. */
export function units(amount, decimals) {
  const value = BigInt(amount);
  const negative = value < 0n;
  const digits = (negative ? -value : value).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, ',');
  const fraction = decimals > 0 ? digits.slice(-decimals).replace(/0+$/, '') : '';
  return `${negative ? '−' : ''}${whole}${fraction ? `.${fraction}` : ''}`;
}

/** ether writes wei as ether, with six decimals at most. */
export function ether(wei) {
  const rounded = BigInt(wei) / 10n ** 12n;
  return rounded === 0n && BigInt(wei) !== 0n ? `${BigInt(wei).toLocaleString('en')} wei` : `${units(rounded, 6)} ETH`;
}

/** gwei writes wei as gwei. */
export const gwei = (wei) => `${units(wei, 9)} gwei`;

/** time writes Unix seconds. */
export function time(seconds) {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime()) ? `${seconds} s` : date.toISOString().replace('T', ' ').replace('.000Z', ' UTC');
}

/** clock writes the time of day of Unix seconds. */
export const clock = (seconds) => time(Math.floor(seconds)).slice(11, 19);

/** span writes a length of time in its two largest units. */
export function span(seconds) {
  const units = [['d', 86400], ['h', 3600], ['min', 60], ['s', 1]];
  const first = Math.max(units.findIndex(([, length]) => seconds >= length), 0);
  let left = Math.round(seconds);
  return units.slice(first, first + 2).map(([unit, length]) => {
    const n = Math.floor(left / length);
    left -= n * length;
    return n > 0 || unit === 's' && first === 3 ? `${n.toLocaleString('en')} ${unit}` : '';
  }).filter(Boolean).join(' ');
}

/** json writes a value on several lines, cut at limit characters. */
export function json(value, limit = 20_000) {
  const text = JSON.stringify(value, null, 2) ?? 'null';
  return text.length > limit ? `${text.slice(0, limit)}\n… ${text.length - limit} more characters` : text;
}
