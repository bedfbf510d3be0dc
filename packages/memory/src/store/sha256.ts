/** SHA-256 of a text as hexadecimal digits, without a runtime module: Web Crypto has it only asynchronously. */
export function sha256Hex(text: string): string {
  const words = padMessage(new TextEncoder().encode(text));
  let state = INITIAL_STATE;
  const schedule = new Uint32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    fillSchedule(schedule, words.subarray(block, block + 16));
    state = compress(state, schedule);
  }
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/** The fractional parts of square and cube roots of primes, as the standard defines them. */
const INITIAL_STATE: State = [
  squareRootBits(2),
  squareRootBits(3),
  squareRootBits(5),
  squareRootBits(7),
  squareRootBits(11),
  squareRootBits(13),
  squareRootBits(17),
  squareRootBits(19),
];
const ROUND_CONSTANTS = firstPrimes(64).map((prime) => fractionBits(Math.cbrt(prime)));

function firstPrimes(count: number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes;
}

function squareRootBits(prime: number): number {
  return fractionBits(Math.sqrt(prime));
}

function fractionBits(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32);
}

/** The bytes as big-endian words, followed by a one bit, zeros, and the length in bits. */
function padMessage(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(Math.ceil((bytes.length + 9) / 64) * 16);
  for (let at = 0; at <= bytes.length; at++) {
    const byte = at === bytes.length ? 0x80 : (bytes[at] ?? 0);
    words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - (at % 4) * 8));
  }
  words[words.length - 2] = Math.floor(bytes.length / 2 ** 29);
  words[words.length - 1] = bytes.length << 3;
  return words;
}

function fillSchedule(schedule: Uint32Array, block: Uint32Array): void {
  schedule.set(block);
  for (let at = 16; at < 64; at++) {
    const [two, fifteen] = [schedule[at - 2] ?? 0, schedule[at - 15] ?? 0];
    const small = rotate(fifteen, 7) ^ rotate(fifteen, 18) ^ (fifteen >>> 3);
    const large = rotate(two, 17) ^ rotate(two, 19) ^ (two >>> 10);
    schedule[at] = (schedule[at - 16] ?? 0) + small + (schedule[at - 7] ?? 0) + large;
  }
}

type State = readonly [number, number, number, number, number, number, number, number];

function compress(state: State, schedule: Uint32Array): State {
  let [a, b, c, d, e, f, g, h] = state;
  for (const [round, word] of schedule.entries()) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const fromE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const fromA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const one = (h + fromE + choice + (ROUND_CONSTANTS[round] ?? 0) + word) | 0;
    [a, b, c, d, e, f, g, h] = [(one + fromA + majority) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  const [a0, b0, c0, d0, e0, f0, g0, h0] = state;
  return [a0 + a, b0 + b, c0 + c, d0 + d, e0 + e, f0 + f, g0 + g, h0 + h];
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
