/** Selects `limit` lines starting at `offset`, which counts from 1. */
export interface LineRange {
  readonly offset: number;
  readonly limit: number;
}

/** The selected lines with their numbers. */
export interface LineWindow {
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** Counts all lines that were pushed. */
  readonly totalLines: number;
}

/** Takes a text in chunks of any size and keeps the lines of a range. */
export interface LineCollector {
  readonly push: (bytes: Uint8Array) => void;
  /** Whether further lines are only counted. */
  readonly isFull: () => boolean;
  readonly end: () => LineWindow;
}

/** The maximum number of characters that are shown per line. */
const MAX_LINE_CHARACTERS = 2_000;
/** The maximum size of one result. */
const MAX_BYTES = 256 * 1024;
/** Enough for the characters that are shown, whatever their encoding length. */
const MAX_KEPT_LINE_BYTES = MAX_LINE_CHARACTERS * 4;

const NEWLINE = 0x0a;

/** Never keeps more than one result, however long the lines are. */
export function createLineCollector({ offset, limit }: LineRange): LineCollector {
  const lines: { readonly number: number; readonly text: string }[] = [];
  const current: Buffer[] = [];
  let [number, lineBytes, keptBytes, usedBytes] = [1, 0, 0, 0];

  const isFull = (): boolean => lines.length >= limit || usedBytes >= MAX_BYTES;
  const take = (bytes: Uint8Array, from: number, to: number): void => {
    lineBytes += to - from;
    // Most lines of a large file are only counted, so nothing is created for them.
    if (number < offset || isFull() || keptBytes >= MAX_KEPT_LINE_BYTES) return;
    const end = Math.min(to, from + MAX_KEPT_LINE_BYTES - keptBytes);
    const kept = Buffer.from(bytes.subarray(from, end));
    keptBytes += kept.length;
    current.push(kept);
  };
  const finishLine = (): void => {
    if (number >= offset && !isFull()) {
      const text = lineText(Buffer.concat(current), { lineBytes, isFirst: number === 1 });
      lines.push({ number, text });
      usedBytes += Buffer.byteLength(text);
    }
    current.length = 0;
    lineBytes = 0;
    keptBytes = 0;
    number += 1;
  };

  return {
    isFull,
    push: (bytes) => {
      let from = 0;
      for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
        take(bytes, from, at);
        finishLine();
        from = at + 1;
      }
      take(bytes, from, bytes.length);
    },
    end: () => {
      if (lineBytes > 0) finishLine();
      return { lines, totalLines: number - 1 };
    },
  };
}

function lineText(
  bytes: Buffer,
  { lineBytes, isFirst }: { readonly lineBytes: number; readonly isFirst: boolean },
): string {
  const decoded = bytes.toString("utf8");
  const text = isFirst && decoded.startsWith("\uFEFF") ? decoded.slice(1) : decoded;
  const isComplete = lineBytes <= bytes.length && text.length <= MAX_LINE_CHARACTERS + 1;
  if (isComplete) return text.endsWith("\r") ? text.slice(0, -1) : text;
  const shown = text.slice(0, MAX_LINE_CHARACTERS).toWellFormed();
  return `${shown} [truncated: the line has ${lineBytes} bytes]`;
}
