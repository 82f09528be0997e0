// SHA-256 and HMAC, as in FIPS 180-4 and RFC 2104. Browsers have them only for pages loaded over HTTPS, and a server in a home
// network usually isn't. Everything here takes and returns a Uint8Array.

const BLOCK = 64; // bytes
const PRIMES = [2];
for (let n = 3; PRIMES.length < 64; n += 2) if (PRIMES.every((prime) => n % prime)) PRIMES.push(n);
const fraction = (root) => ((root % 1) * 2 ** 32) >>> 0; // its first 32 bits
const START = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const rotate = (word, bits) => (word >>> bits) | (word << (32 - bits));

export function concatenate(...parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

function pad(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  return padded;
}

function expand(view, at) {
  const words = Array.from({ length: 16 }, (_, n) => view.getUint32(at + 4 * n));
  for (let n = 16; n < 64; n++) {
    const [early, late] = [words[n - 15], words[n - 2]];
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words.push((words[n - 16] + s0 + words[n - 7] + s1) | 0);
  }
  return words;
}

export function sha256(bytes) {
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  const state = [...START];
  for (let at = 0; at < padded.length; at += BLOCK) {
    const words = expand(view, at);
    let [a, b, c, d, e, f, g, h] = state;
    for (let n = 0; n < 64; n++) {
      const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const first = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[n] + words[n]) | 0;
      const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    for (const [n, word] of [a, b, c, d, e, f, g, h].entries()) state[n] = (state[n] + word) | 0;
  }
  const digest = new DataView(new ArrayBuffer(32));
  for (const [n, word] of state.entries()) digest.setInt32(4 * n, word);
  return new Uint8Array(digest.buffer);
}

export function hmacSha256(key, message) {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const inner = sha256(concatenate(block.map((byte) => byte ^ 0x36), message));
  return sha256(concatenate(block.map((byte) => byte ^ 0x5c), inner));
}
