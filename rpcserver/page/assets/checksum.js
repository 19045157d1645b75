// The spelling of addresses (EIP-55): which letters are capitals follows from the Keccak-256 hash of the small ones.

/** rotated returns the halves [low, high] of a 64-bit lane turned left by n. */
function rotated(low, high, n) {
  if (n >= 32) [low, high, n] = [high, low, n - 32];
  return n === 0 ? [low, high] : [(low << n) | (high >>> (32 - n)), (high << n) | (low >>> (32 - n))];
}

/** permute is Keccak-f[1600] on 25 lanes, whose halves are in low and high. */
function permute(low, high) {
  let constant = 1; // the round constants come from a shift register
  for (let round = 0; round < 24; round++) {
    const parity = [low, high].map((half) => [0, 1, 2, 3, 4].map((x) => half[x] ^ half[x + 5] ^ half[x + 10] ^ half[x + 15] ^ half[x + 20]));
    for (let x = 0; x < 5; x++) {
      const [turnedLow, turnedHigh] = rotated(parity[0][(x + 1) % 5], parity[1][(x + 1) % 5], 1);
      for (let i = x; i < 25; i += 5) {
        low[i] ^= parity[0][(x + 4) % 5] ^ turnedLow;
        high[i] ^= parity[1][(x + 4) % 5] ^ turnedHigh;
      }
    }
    let [x, y, movedLow, movedHigh] = [1, 0, low[1], high[1]];
    for (let t = 0; t < 24; t++) {
      [x, y] = [y, (2 * x + 3 * y) % 5];
      const i = x + 5 * y;
      const turned = rotated(movedLow, movedHigh, ((t + 1) * (t + 2) / 2) % 64);
      [movedLow, movedHigh, low[i], high[i]] = [low[i], high[i], ...turned];
    }
    for (const half of [low, high]) {
      for (let row = 0; row < 25; row += 5) {
        const before = half.slice(row, row + 5);
        for (let i = 0; i < 5; i++) half[row + i] = before[i] ^ (~before[(i + 1) % 5] & before[(i + 2) % 5]);
      }
    }
    for (let bit = 0; bit < 7; bit++) {
      constant = ((constant << 1) ^ ((constant >> 7) * 0x71)) % 256;
      const at = (1 << bit) - 1;
      if (constant & 2) (at < 32 ? low : high)[0] ^= 1 << (at % 32);
    }
  }
}

const known = new Map();

/** checksummed spells an address by EIP-55. */
export function checksummed(address) {
  const digits = address.slice(2).toLowerCase();
  let spelt = known.get(digits);
  if (spelt) return spelt;
  const low = new Int32Array(25);
  const high = new Int32Array(25);
  const set = (i, byte) => { (i & 4 ? high : low)[i >> 3] |= byte << (8 * (i & 3)); };
  for (let i = 0; i < 40; i++) set(i, digits.charCodeAt(i));
  set(40, 0x01); // the text and its padding fit into one block of 136 bytes
  set(135, 0x80);
  permute(low, high);
  const nibble = (i) => ((i & 8 ? high : low)[i >> 4] >>> (8 * ((i >> 1) & 3) + (i % 2 ? 0 : 4))) & 15;
  spelt = `0x${[...digits].map((digit, i) => (nibble(i) >= 8 ? digit.toUpperCase() : digit)).join('')}`;
  known.set(digits, spelt);
  return spelt;
}
