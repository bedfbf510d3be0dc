import type { PackedTexts } from "./segment.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export function packTexts(texts: readonly string[]): PackedTexts {
  const ends = new Uint32Array(texts.length);
  let units = 0;
  for (const text of texts) units += text.length;
  // Three bytes are the most that a UTF-16 unit can come to.
  const room = new Uint8Array(units * 3);
  let end = 0;
  for (const [at, text] of texts.entries()) {
    end += encoder.encodeInto(text, room.subarray(end)).written;
    ends[at] = end;
  }
  return { bytes: room.slice(0, end), ends };
}

export function textAt(packed: PackedTexts, at: number): string {
  return decoder.decode(bytesAt(packed, at));
}

/** Its bytes where they lie. */
export function bytesAt({ bytes, ends }: PackedTexts, at: number): Uint8Array {
  return bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
}

/** All of them at once, which is a good deal faster than one by one. */
export function unpackTexts(packed: PackedTexts): readonly string[] {
  const { bytes, ends } = packed;
  const all = decoder.decode(bytes);
  if (all.length !== bytes.length) return Array.from(ends, (_, at) => textAt(packed, at));
  return Array.from(ends, (end, at) => all.slice(at === 0 ? 0 : ends[at - 1], end));
}

/** The place of a text among texts in the order of their bytes; -1 where it is not among them. */
export function findText({ bytes, ends }: PackedTexts, wanted: Uint8Array): number {
  let low = 0;
  let high = ends.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const start = middle === 0 ? 0 : (ends[middle - 1] ?? 0);
    const order = compareBytes(bytes.subarray(start, ends[middle]), wanted);
    if (order === 0) return middle;
    if (order < 0) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** The place of a text among texts in any order; -1 where it is not among them. */
export function indexOfText(packed: PackedTexts, text: string): number {
  const wanted = encoder.encode(text);
  const { ends } = packed;
  let start = 0;
  for (let at = 0; at < ends.length; at++) {
    const end = ends[at] ?? 0;
    if (end - start === wanted.length && compareBytes(bytesAt(packed, at), wanted) === 0) return at;
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

/** Compares texts as their UTF-8 bytes would compare, which for larger characters is not as their UTF-16 units do. */
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

/** Halves of larger characters come behind everything else. */
function rank(unit: number): number {
  return unit >= 0xd8_00 && unit < 0xe0_00 ? unit + 0x1_00_00 : unit;
}


/** Whether a text, as UTF-8, begins with one of the prefixes. Many prefixes cost little more than one. */
export function createPrefixTest(prefixes: Iterable<string>): (text: Uint8Array) => boolean {
  const inOrder = Array.from(prefixes, (prefix) => encoder.encode(prefix)).toSorted(compareBytes);
  const shortest: Uint8Array[] = [];
  for (const prefix of inOrder) {
    const before = shortest.at(-1);
    // What begins with a shorter one is covered by it; then only the last that is not behind a text can be its beginning.
    if (before === undefined || !beginsWith(prefix, before)) shortest.push(prefix);
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
    return last !== undefined && beginsWith(text, last);
  };
}

function beginsWith(text: Uint8Array, prefix: Uint8Array): boolean {
  if (text.length < prefix.length) return false;
  for (let at = 0; at < prefix.length; at++) if (text[at] !== prefix[at]) return false;
  return true;
}
