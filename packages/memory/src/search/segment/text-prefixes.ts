import { compareBytes } from "./packed-texts.ts";

const encoder = new TextEncoder();

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
