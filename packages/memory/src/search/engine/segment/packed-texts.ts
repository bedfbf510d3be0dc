import type { PackedTexts } from "./segment.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function packTexts(texts: readonly string[]): PackedTexts {
  const ends = new Uint32Array(texts.length);
  let units = 0;
  for (const text of texts) units += text.length;
  // A UTF-16 unit takes at most three bytes.
  const buffer = new Uint8Array(units * 3);
  let end = 0;
  for (const [at, text] of texts.entries()) {
    end += encoder.encodeInto(text, buffer.subarray(end)).written;
    ends[at] = end;
  }
  return { bytes: buffer.slice(0, end), ends };
}

export function textAt(packed: PackedTexts, at: number): string {
  return decoder.decode(bytesAt(packed, at));
}

/** The bytes of a text, not copied. */
export function bytesAt({ bytes, ends }: PackedTexts, at: number): Uint8Array {
  return bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
}

/** All texts at once, which is much faster than one by one. */
export function unpackTexts(packed: PackedTexts): readonly string[] {
  const { bytes, ends } = packed;
  const all = decoder.decode(bytes);
  if (all.length !== bytes.length) return Array.from(ends, (_, at) => textAt(packed, at));
  return Array.from(ends, (end, at) => all.slice(at === 0 ? 0 : ends[at - 1], end));
}

/** The index of a text among texts sorted by their bytes; -1 if it is not among them. */
export function findText({ bytes, ends }: PackedTexts, target: Uint8Array): number {
  let low = 0;
  let high = ends.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : (ends[middle - 1] ?? 0);
    const order = compareBytes(bytes.subarray(start, ends[middle]), target);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The index of a text among texts in any order; -1 if it is not among them. */
export function indexOfText(packed: PackedTexts, text: string): number {
  const target = encoder.encode(text);
  const { ends } = packed;
  let start = 0;
  for (let at = 0; at < ends.length; at++) {
    const end = ends[at] ?? 0;
    if (end - start === target.length && compareBytes(bytesAt(packed, at), target) === 0) return at;
    start = end;
  }
  return -1;
}

export function compareBytes(one: Uint8Array, other: Uint8Array): number {
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at++) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Compares texts by their UTF-8 bytes, which gives another order than UTF-16 for characters beyond the BMP. */
export function compareAsBytes(one: string, other: string): number {
  if (one === other) return 0;
  const shared = Math.min(one.length, other.length);
  for (let at = 0; at < shared; at++) {
    const left = one.charCodeAt(at);
    const right = other.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return one.length - other.length;
}

/** Surrogates sort after everything else. */
function rank(unit: number): number {
  return unit >= 0xd8_00 && unit < 0xe0_00 ? unit + 0x1_00_00 : unit;
}

/** Tests whether a text, as UTF-8, starts with one of the prefixes. Many prefixes cost little more than one. */
export function createPrefixTest(prefixes: Iterable<string>): (text: Uint8Array) => boolean {
  const inOrder = Array.from(prefixes, (prefix) => encoder.encode(prefix)).toSorted(compareBytes);
  const shortest: Uint8Array[] = [];
  for (const prefix of inOrder) {
    const before = shortest.at(-1);
    // A longer prefix is covered by a shorter one. So only the last prefix that does not sort after a text can match it.
    if (before === undefined || !startsWithBytes(prefix, before)) shortest.push(prefix);
  }
  return (text) => {
    let low = 0;
    let high = shortest.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const prefix = shortest[middle];
      if (prefix !== undefined && compareBytes(prefix, text) <= 0) low = middle + 1;
      else high = middle;
    }
    const last = shortest[low - 1];
    return last !== undefined && startsWithBytes(text, last);
  };
}

function startsWithBytes(text: Uint8Array, prefix: Uint8Array): boolean {
  if (text.length < prefix.length) return false;
  for (let at = 0; at < prefix.length; at++) if (text[at] !== prefix[at]) return false;
  return true;
}
