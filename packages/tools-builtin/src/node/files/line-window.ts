/** Which lines are wanted: `limit` from `offset` on, which counts from 1. */
export interface LineRange {
  readonly offset: number;
  readonly limit: number;
}

/** The lines of a range, and where they stand in the whole. */
export interface LineWindow {
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** Of everything that was pushed. */
  readonly totalLines: number;
}

/** Takes a text in pieces of any size and keeps the lines of a range. */
export interface LineCollector {
  readonly push: (bytes: Uint8Array) => void;
  /** Whether no more lines are kept, only counted. */
  readonly isFull: () => boolean;
  readonly end: () => LineWindow;
}

/** Most characters of a line that are shown. */
const MOST_LINE_CHARACTERS = 2_000;
/** Most bytes of text in one answer. */
const MOST_BYTES = 256 * 1024;
/** Enough for the characters that are shown, whatever they are. */
const KEPT_LINE_BYTES = MOST_LINE_CHARACTERS * 4;

const NEWLINE = 0x0a;

/** Never keeps more than one answer's worth, however long the lines are. */
export function createLineCollector({ offset, limit }: LineRange): LineCollector {
  const lines: { readonly number: number; readonly text: string }[] = [];
  const current: Buffer[] = [];
  let [number, lineBytes, keptBytes, spentBytes] = [1, 0, 0, 0];

  const isFull = (): boolean => lines.length >= limit || spentBytes >= MOST_BYTES;
  const take = (part: Uint8Array): void => {
    lineBytes += part.length;
    if (number < offset || isFull() || keptBytes >= KEPT_LINE_BYTES) return;
    const kept = Buffer.from(part.subarray(0, KEPT_LINE_BYTES - keptBytes));
    keptBytes += kept.length;
    current.push(kept);
  };
  const finishLine = (): void => {
    if (number >= offset && !isFull()) {
      const text = lineText(Buffer.concat(current), { lineBytes, isFirst: number === 1 });
      lines.push({ number, text });
      spentBytes += Buffer.byteLength(text);
    }
    current.length = 0;
    [lineBytes, keptBytes] = [0, 0];
    number += 1;
  };

  return {
    isFull,
    push: (bytes) => {
      let from = 0;
      for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
        take(bytes.subarray(from, at));
        finishLine();
        from = at + 1;
      }
      take(bytes.subarray(from));
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
  const isWhole = lineBytes <= bytes.length && text.length <= MOST_LINE_CHARACTERS + 1;
  if (isWhole) return text.endsWith("\r") ? text.slice(0, -1) : text;
  const shown = text.slice(0, MOST_LINE_CHARACTERS).toWellFormed();
  return `${shown} [cut here: the line has ${lineBytes} bytes]`;
}
