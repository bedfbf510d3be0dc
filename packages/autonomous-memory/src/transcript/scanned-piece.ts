import { cleanText } from "../text/clean-text.ts";
import { removeMemoryBlocks } from "./memory-blocks.ts";

/**
 * How much is scanned beyond a cut, so that a secret across the cut is found and removed as a whole: no key is longer, a
 * 16,384-bit RSA key takes 13 KB. Only scanning everything would be safer, and takes seconds for a large result.
 */
export const SCAN_MARGIN = 16_384;

/** Enough if the text beyond the cut cannot be part of a longer secret. */
const PLAIN_MARGIN = 1_024;
// A longer secret is one word, or lines of Base64.
const PART_OF_LONG_SECRET = /[A-Za-z0-9+/=]{40}|\S{200}/;

/** A part of a text that is scanned for secrets. The middle is cut out afterwards. */
export interface ScannedPiece {
  readonly text: string;
  /** The end of the kept start. */
  readonly headEnd: number;
  /** The start of the kept end. */
  readonly tailStart: number;
}

/** Cleans a text and plans what to keep: all of it, or both ends. A long middle is never scanned. */
export function planPieces(raw: string, maxChars: number): readonly ScannedPiece[] {
  const half = Math.ceil(maxChars / 2);
  // Twice as much as is scanned, because escape sequences and memory are removed first.
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

/** A text that is kept as a whole. */
export function wholePiece(text: string): ScannedPiece {
  return { text, headEnd: text.length, tailStart: text.length };
}

/** The start of a text, of which the first characters are kept; fewer if the text is too short for the margin. */
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
  // The rows of a table may contain secrets that only its header reveals.
  const isInTable = beyond.slice(0, Math.max(0, beyond.indexOf("\n"))).includes("|");
  const margin = isPlain(beyond) && !isInTable ? PLAIN_MARGIN : SCAN_MARGIN;
  const scanned = copyOf(text.slice(Math.max(0, cut - margin)));
  const tailStart = Math.min(scanned.length, Math.max(scanned.length - keptChars, margin));
  return { text: scanned, headEnd: 0, tailStart };
}

function isPlain(beyond: string): boolean {
  return beyond.length === PLAIN_MARGIN && !PART_OF_LONG_SECRET.test(beyond);
}

/** A slice keeps the whole original text in memory, and pieces are held while a session of any size streams by. */
function copyOf(slice: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(slice));
}

/** The kept start and end of a piece, in whole characters. */
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
