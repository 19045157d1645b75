// What the payment token's calls and logs mean. Selectors and topics are checked by a test against their signatures.

import { printable, short, time, units } from './format.js';

const authorization = 'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce';

/** functions are the calls that are decoded, by selector. */
export const functions = {
  '0xa9059cbb': 'transfer(address to, uint256 value)',
  '0x095ea7b3': 'approve(address spender, uint256 value)',
  '0x23b872dd': 'transferFrom(address from, address to, uint256 value)',
  '0x40c10f19': 'mint(address to, uint256 value)',
  '0x42966c68': 'burn(uint256 value)',
  '0x95777d59': 'transferWithMemo(address to, uint256 value, bytes32 memo)',
  '0x929c2539': 'transferFromWithMemo(address from, address to, uint256 value, bytes32 memo)',
  '0xe3ee160e': `transferWithAuthorization(${authorization}, uint8 v, bytes32 r, bytes32 s)`,
  '0xcf092995': `transferWithAuthorization(${authorization}, bytes signature)`,
  '0xef55bec6': `receiveWithAuthorization(${authorization}, uint8 v, bytes32 r, bytes32 s)`,
  '0x88b7ab63': `receiveWithAuthorization(${authorization}, bytes signature)`,
  '0x5a049a70': 'cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
  '0xb7b72899': 'cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  '0xd505accf': 'permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
  '0x9fd5a6cf': 'permit(address owner, address spender, uint256 value, uint256 deadline, bytes signature)',
  '0xf9f92be4': 'blacklist(address account)',
  '0x1a895266': 'unBlacklist(address account)',
  '0x8456cb59': 'pause()',
  '0x3f4ba83a': 'unpause()',
};

/** events are the logs that are decoded, by topic. An asterisk marks what is indexed. */
export const events = {
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef': 'Transfer(address* from, address* to, uint256 value)',
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925': 'Approval(address* owner, address* spender, uint256 value)',
  '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5': 'AuthorizationUsed(address* authorizer, bytes32* nonce)',
  '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81': 'AuthorizationCanceled(address* authorizer, bytes32* nonce)',
  '0x6989f5818dcfd11f8cd53b27c94cec33dae1589735f03e639cba54553a1825e8': 'Memo(address* caller, bytes32* memo)',
  '0x6c2a09353b5e75e70d0b9778b80a413809bb235d46c211811c474b3346791d89': 'Deposited(bytes32* channelId, address* sender, uint128 amount, uint128 newBalance)',
  '0x36bd546bb573e8921fdbfd934bbed62d872796b01792cd240cce27f79dd3eddd': 'Claimed(bytes32* channelId, address* sender, uint128 claimAmount, uint128 newTotalClaimed)',
  '0x7337b4386b690fdb8ba66905b92b9d45d33bc6626ee2620c905fb150ec0cc47d': 'Settled(address* receiver, address* token, address* sender, uint128 amount)',
  '0xa84286cf8ebc7903a663c77c8d99aa92b600d4c2fcca872a5d4a663db4eb394b': 'Refunded(bytes32* channelId, address* sender, uint128 amount)',
  '0xe4280d0d903c7f258f62b07c62f262377cbaa23f7791d78126e6446e0f0e3c23': 'WithdrawInitiated(bytes32* channelId, uint128 amount, uint40 finalizeAfter)',
  '0x546ce1e2242cd930c196bd08b894443562d709b4fffe4f028a75a6d233efc6e3': 'WithdrawFinalized(bytes32* channelId, address* sender, uint128 amount)',
};

export const authorizationCanceled = Object.keys(events)[3];

/** parse splits a signature into its name and parameters. */
export function parse(signature) {
  const [, name, list] = /^(\w+)\((.*)\)$/.exec(signature);
  const inputs = list === '' ? [] : list.split(', ').map((input) => {
    const [type, label] = input.split(' ');
    return { type: type.replace('*', ''), name: label, indexed: type.endsWith('*') };
  });
  return { name, inputs };
}

/** word is the i-th 32 bytes of data without 0x, as hex digits. */
const word = (data, i) => data.slice(64 * i, 64 * (i + 1));

function value(type, digits) {
  if (digits.length < 64) return null;
  switch (type) {
    case 'address': return `0x${digits.slice(24)}`;
    case 'bytes32': return `0x${digits}`;
    case 'bytes': return 'bytes';
    default: return BigInt(`0x${digits}`);
  }
}

/** decodeCall returns {name, values} of call data, null if it is no call that is known. */
export function decodeCall(data) {
  const signature = functions[data?.slice(0, 10)];
  if (!signature) return null;
  const { name, inputs } = parse(signature);
  const values = {};
  for (const [i, input] of inputs.entries()) {
    values[input.name] = value(input.type, word(data.slice(10), i));
    if (values[input.name] === null) return null;
  }
  return { name, values };
}

/** decodeLog returns {name, values} of a log, null if it is none that is known. */
export function decodeLog(log) {
  const signature = events[log.topics[0]];
  if (!signature) return null;
  const { name, inputs } = parse(signature);
  const values = {};
  let topic = 1;
  let place = 0;
  for (const input of inputs) {
    const digits = input.indexed ? log.topics[topic++]?.slice(2) : word(log.data.slice(2), place++);
    values[input.name] = value(input.type, digits ?? '');
    if (values[input.name] === null) return null;
  }
  return { name, values };
}

/** amounts are the values of calls and events that count token units, besides value; times are those in Unix seconds. */
const amounts = new Set(['amount', 'newBalance', 'claimAmount', 'newTotalClaimed']);
const times = new Set(['deadline', 'finalizeAfter']);

/** describe writes a decoded call or log in one line, an amount of the token first; token is {symbol, decimals} of the contract, if it is one. */
export function describe({ name, values }, token) {
  const { v, r, s, signature, value: amount, ...others } = values;
  const worth = (n) => `${units(n, token.decimals)} ${printable(token.symbol, 12)}`;
  const written = (key, item) => (typeof item !== 'bigint' ? short(item) : token && amounts.has(key) ? worth(item) : times.has(key) ? time(item) : item);
  const shown = Object.entries(others).map(([key, item]) => `${key} ${written(key, item)}`);
  if (amount !== undefined) shown.unshift(token ? worth(amount) : `value ${amount}`);
  return `${name}(${shown.join(', ')})`;
}

const utf8 = new TextDecoder();

/** bytesOf returns the bytes of hex digits, which may be cut off anywhere. */
const bytesOf = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** textAt reads an ABI-encoded string whose offset is in the first word. */
export function textAt(data, limit = 400) {
  const start = 2 * Number(BigInt(`0x${word(data, 0) || '0'}`));
  if (!(start + 64 <= data.length)) return null;
  const length = 2 * Number(BigInt(`0x${data.slice(start, start + 64)}`));
  const digits = data.slice(start + 64, start + 64 + Math.min(length, 2 * limit));
  const text = utf8.decode(bytesOf(digits));
  return length > 2 * limit ? `${text}… (${length / 2} bytes)` : text;
}

/** revertReason writes the bytes that a call reverted with. */
export function revertReason(data) {
  if (!data || data === '0x') return '';
  if (data.startsWith('0x08c379a0')) return printable(textAt(data.slice(10)) ?? data, 500);
  if (data.startsWith('0x4e487b71')) return `panic 0x${BigInt(`0x${word(data.slice(10), 0) || '0'}`).toString(16)}`;
  return printable(data, 74);
}
