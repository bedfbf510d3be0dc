import { cleanText } from "./clean-text.ts";
import { removeMemoryBlocks } from "./memory-blocks.ts";

/**
 * How much is scanned beyond a cut. A secret that lies across the cut is then seen whole and goes whole: no key is
 * longer, 16,384 bits of RSA are 13 KB. Only a scan of all of it would be surer, and takes seconds for a large result.
 */
export const SCAN_MARGIN = 16_384;

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
  const reach = half + SCAN_MARGIN;
  // Twice as much as is scanned, because colours and memory are taken out of it first.
  const rawReach = 2 * reach;
  if (raw.length <= 2 * rawReach) {
    const text = removeMemoryBlocks(cleanText(raw));
    if (text.length <= maxChars) return [wholePiece(text)];
    if (text.length <= 2 * reach) {
      return [{ text, headEnd: half, tailStart: text.length - half }];
    }
    return [headOf(text, half), tailOf(text, half)];
  }
  const first = removeMemoryBlocks(cleanText(raw.slice(0, rawReach)), { isCutAtEnd: true });
  const last = removeMemoryBlocks(cleanText(raw.slice(-rawReach)), { isCutAtStart: true });
  return [headOf(first, half), tailOf(last, half)];
}

/** A text of which nothing is cut. */
export function wholePiece(text: string): ScannedPiece {
  return { text, headEnd: text.length, tailStart: text.length };
}

/** The beginning of a text, of which the first characters are kept; fewer when there is no room for the margin. */
export function headOf(text: string, keptChars: number): ScannedPiece {
  const scanned = text.slice(0, keptChars + SCAN_MARGIN);
  const headEnd = Math.max(0, Math.min(keptChars, scanned.length - SCAN_MARGIN));
  return { text: scanned, headEnd, tailStart: scanned.length };
}

function tailOf(text: string, keptChars: number): ScannedPiece {
  const scanned = text.slice(Math.max(0, text.length - keptChars - SCAN_MARGIN));
  const tailStart = Math.min(scanned.length, Math.max(scanned.length - keptChars, SCAN_MARGIN));
  return { text: scanned, headEnd: 0, tailStart };
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
