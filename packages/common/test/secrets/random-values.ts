const LOWER = "abcdefghijklmnopqrstuvwxyz";
const UPPER = LOWER.toUpperCase();
const DIGITS = "0123456789";

/** Draws random values in the exact shape of secrets; the same seed gives the same values. */
export interface MadeUp {
  readonly digits: (length: number) => string;
  readonly hex: (length: number) => string;
  readonly lower: (length: number) => string;
  readonly upper: (length: number) => string;
  readonly base62: (length: number) => string;
  readonly base64: (length: number) => string;
  readonly base64Url: (length: number) => string;
  readonly base32: (length: number) => string;
  readonly base58: (length: number) => string;
  readonly letters: (length: number) => string;
  readonly uuid: () => string;
  readonly bytes: (length: number) => Uint8Array;
}

/** Uses Mulberry32, so that a failing test can be repeated with the same values. */
export function createMadeUp(seed: number): MadeUp {
  let state = seed;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const from = (alphabet: string) => (length: number) =>
    Array.from({ length }, () => alphabet.charAt(next() * alphabet.length)).join("");
  const hex = from(`${DIGITS}abcdef`);
  return {
    digits: from(DIGITS.slice(1)),
    hex,
    lower: from(LOWER + DIGITS),
    upper: from(UPPER + DIGITS),
    base62: from(LOWER + UPPER + DIGITS),
    base64: from(`${LOWER}${UPPER}${DIGITS}+/`),
    base64Url: from(`${LOWER}${UPPER}${DIGITS}-_`),
    base32: from(`${UPPER}234567`),
    base58: from(`${LOWER}${UPPER}${DIGITS}`.replaceAll(/[0OIl]/g, "")),
    letters: from(LOWER + UPPER),
    uuid: () => [8, 4, 4, 4, 12].map(hex).join("-"),
    bytes: (length) => Uint8Array.from({ length }, () => next() * 256),
  };
}
