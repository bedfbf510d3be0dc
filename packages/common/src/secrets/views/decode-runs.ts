import { type TextView, toOriginalOffset } from "./text-view.ts";

/** A run of Base64 or hex, and the bytes it represents. */
export interface DecodedRun {
  readonly encoding: "Base64" | "hex";
  readonly start: number;
  readonly end: number;
  /** One character per byte. */
  readonly bytes: string;
}

const BASE64 = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{20,}={0,2}/g;
const BASE64_URL = /(?<![\w+/-])(?=[A-Za-z0-9]{0,200}[-_])[\w-]{24,}/g;
const HEX = /(?<![0-9A-Za-z])(?:0[xX])?(?:[0-9A-Fa-f]{2}){16,}(?![0-9A-Za-z])/g;

// Full lines of one run, and perhaps a shorter one, after a line end, plain or escaped, with quote or comment marks.
const LINE_END = String.raw`["']?[ \t]{0,4}(?:\r?\n|\\n)[ \t>#|"'+]{0,40}`;
const MORE_LINES = String.raw`(?:${LINE_END}[A-Za-z0-9+/]{40,})*(?:${LINE_END}[A-Za-z0-9+/]{1,80}(?![\w+/]))?={0,2}`;
const FULL_LINE_LENGTH = 40;

// Readable text, DER, or a Java key store; everything else is a hash, an image or a name.
const WORTH_READING = /^(?:[\t\n\r\x20-\x7E]{12}|\u0030[\u0020-\u0084]|\u00FE\u00ED)/;
const PEEK_BYTES = 12;

/** Decodes what may be Base64 or hex of something worth reading. A run begins in a candidate. */
export function decodeRuns(text: string, candidates: TextView): readonly DecodedRun[] {
  return [
    ...decodeBase64(text, candidates),
    ...decodeBase64Url(candidates),
    ...decodeHex(candidates),
  ];
}

function* decodeBase64(text: string, candidates: TextView): Iterable<DecodedRun> {
  const more = new RegExp(MORE_LINES, "y");
  let end = 0;
  for (const { 0: word, index } of candidates.text.matchAll(BASE64)) {
    const start = toOriginalOffset(candidates, index);
    // The line belongs to the run before.
    if (start < end || !isWorthReading(atobStart(word))) continue;
    more.lastIndex = start + word.length;
    const rest = word.length < FULL_LINE_LENGTH ? "" : (more.exec(text)?.[0] ?? "");
    end = start + word.length + rest.length;
    yield { encoding: "Base64", start, end, bytes: fromBase64(word + rest) };
  }
}

function* decodeBase64Url(candidates: TextView): Iterable<DecodedRun> {
  for (const { 0: word, index } of candidates.text.matchAll(BASE64_URL)) {
    const standard = word.replaceAll("-", "+").replaceAll("_", "/");
    if (!isWorthReading(atobStart(standard))) continue;
    const start = toOriginalOffset(candidates, index);
    const bytes = fromBase64(standard);
    yield { encoding: "Base64", start, end: start + word.length, bytes };
  }
}

function* decodeHex(candidates: TextView): Iterable<DecodedRun> {
  for (const { 0: word, index } of candidates.text.matchAll(HEX)) {
    const digits = word.replace(/^0x/i, "");
    if (!isWorthReading(fromHex(digits.slice(0, 2 * PEEK_BYTES)))) continue;
    const start = toOriginalOffset(candidates, index);
    yield { encoding: "hex", start, end: start + word.length, bytes: fromHex(digits) };
  }
}

function isWorthReading(bytes: string): boolean {
  return WORTH_READING.test(bytes);
}

function atobStart(word: string): string {
  return atob(word.slice(0, (PEEK_BYTES / 3) * 4));
}

function fromBase64(written: string): string {
  const letters = written.replaceAll(/\\n|[^A-Za-z0-9+/]/g, "");
  // No bytes encode to this length: the last letter begins something that was cut off.
  return atob(letters.length % 4 === 1 ? letters.slice(0, -1) : letters);
}

function fromHex(digits: string): string {
  const pairs = digits.match(/../g) ?? [];
  return pairs.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join("");
}
