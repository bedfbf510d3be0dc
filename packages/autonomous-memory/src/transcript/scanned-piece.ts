import { cleanText } from "./clean-text.ts";
import { removeMemoryBlocks } from "./memory-blocks.ts";

/**
 * How much is scanned beyond a cut. A secret that lies across the cut is then seen whole and goes whole: no key is
 * longer, 16,384 bits of RSA are 13 KB. Only a scan of all of it would be surer, and takes seconds for a large result.
 */
export const SCAN_MARGIN = 16_384;

/** Enough where nothing stands beyond the cut of which a longer secret is made. */
const PLAIN_MARGIN = 1_024;
// A secret that is longer than that is one word, or lines of the letters of Base64.
const OF_A_LONG_SECRET = /[A-Za-z0-9+/=]{40}|\S{200}/;

/** A part of a text that is scanned for secrets. Of it, what stands between two places is cut out afterwards. */
export interface ScannedPiece {
  readonly text: string;
  /** Where what is kept of the beginning ends. */
  readonly headEnd: number;
  /** Where what is kept of the end begins. */
  readonly tailStart: number;
}

/** Cleans a text and plans what is kept of it: all, or so many characters of both ends. A long middle is never scanned. */
export function planPieces(raw: string, maxChars: number): readonly ScannedPiece[] {
  const half = Math.ceil(maxChars / 2);
  // Twice as much as is scanned, because colours and memory are taken out of it first.
  const rawReach = 2 * (half + SCAN_MARGIN);
  if (raw.length > 2 * rawReach) {
    const first = removeMemoryBlocks(cleanText(raw.slice(0, rawReach)), { isCutAtEnd: true });
    const last = removeMemoryBlocks(cleanText(raw.slice(-rawReach)), { isCutAtStart: true });
    return [headOf(first, half), tailOf(last, half)];
  }
  const text = removeMemoryBlocks(cleanText(raw));
  if (text.length <= maxChars) return [wholePiece(text)];
  const parts = [headOf(text, half), tailOf(text, half)];
  const scanned = parts.reduce((sum, part) => sum + part.text.length, 0);
  return scanned < text.length ? parts : [{ text, headEnd: half, tailStart: text.length - half }];
}

/** A text of which nothing is cut. */
export function wholePiece(text: string): ScannedPiece {
  return { text, headEnd: text.length, tailStart: text.length };
}

/** The beginning of a text, of which the first characters are kept; fewer when there is no room for the margin. */
export function headOf(text: string, keptChars: number): ScannedPiece {
  const beyond = text.slice(keptChars, keptChars + PLAIN_MARGIN);
  const margin = isPlain(beyond) ? PLAIN_MARGIN : SCAN_MARGIN;
  const scanned = copyOf(text.slice(0, keptChars + margin));
  const headEnd = Math.max(0, Math.min(keptChars, scanned.length - margin));
  return { text: scanned, headEnd, tailStart: scanned.length };
}

function tailOf(text: string, keptChars: number): ScannedPiece {
  const cut = text.length - keptChars;
  const beyond = text.slice(Math.max(0, cut - PLAIN_MARGIN), Math.max(0, cut));
  // The rows of a table may hold secrets that only its first row tells.
  const isInTable = beyond.slice(0, Math.max(0, beyond.indexOf("\n"))).includes("|");
  const margin = isPlain(beyond) && !isInTable ? PLAIN_MARGIN : SCAN_MARGIN;
  const scanned = copyOf(text.slice(Math.max(0, cut - margin)));
  const tailStart = Math.min(scanned.length, Math.max(scanned.length - keptChars, margin));
  return { text: scanned, headEnd: 0, tailStart };
}

function isPlain(beyond: string): boolean {
  return beyond.length === PLAIN_MARGIN && !OF_A_LONG_SECRET.test(beyond);
}

/** A slice holds on to all of the text it is from, and pieces are kept while a session of any size streams by. */
function copyOf(slice: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(slice));
}

/** What is kept of a piece: of the beginning and of the end, each without half a character. */
export function keptOf({ text, headEnd, tailStart }: ScannedPiece): {
  readonly head: string;
  readonly tail: string;
} {
  return {
    head: text.slice(0, isInPair(text, headEnd) ? headEnd - 1 : headEnd),
    tail: text.slice(isInPair(text, tailStart) ? tailStart + 1 : tailStart),
  };
}

function isInPair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}
