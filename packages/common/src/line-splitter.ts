/** A line of input, or the ends of one that was too long to keep. */
export type InputLine =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  | { readonly kind: "too-long"; readonly head: string; readonly tail: string };

/** Splits bytes into lines as they arrive, and keeps no more of a line than the limit. */
export interface LineSplitter {
  readonly push: (chunk: Uint8Array) => readonly InputLine[];
  /** The text after the last line end. */
  readonly end: () => readonly InputLine[];
}

const NEWLINE = 0x0a;

export function createLineSplitter(maxBytes: number): LineSplitter {
  const line = createOpenLine(maxBytes);
  return {
    push: (chunk) => {
      const lines: InputLine[] = [];
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        line.add(chunk.subarray(from, at));
        lines.push(...line.finish());
        from = at + 1;
      }
      line.add(chunk.subarray(from));
      return lines;
    },
    end: line.finish,
  };
}

interface OpenLine {
  readonly add: (part: Uint8Array) => void;
  readonly finish: () => readonly InputLine[];
}

/** The ends of a line that is too long. */
interface LongLine {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/** How much of both ends of a long line is kept: enough to find an id. */
const KEPT_BYTES = 256;
const INITIAL_BYTES = 4_096;

/** One growing buffer, because a client may send a byte at a time. */
function createOpenLine(maxBytes: number): OpenLine {
  let buffer: Uint8Array = new Uint8Array(INITIAL_BYTES);
  let length = 0;
  let long: LongLine | undefined;
  return {
    add: (part) => {
      if (long !== undefined) {
        long = { head: firstBytes(long.head, part), tail: lastBytes(long.tail, part) };
      } else if (length + part.length > maxBytes) {
        const kept = buffer.subarray(0, length);
        long = { head: firstBytes(kept, part), tail: lastBytes(kept, part) };
      } else {
        buffer = withRoom(buffer, length, part.length);
        buffer.set(part, length);
        length += part.length;
      }
    },
    finish: () => {
      const finished = finishedLine(buffer.slice(0, length), long);
      if (buffer.length > INITIAL_BYTES) buffer = new Uint8Array(INITIAL_BYTES);
      length = 0;
      long = undefined;
      return finished;
    },
  };
}

function withRoom(buffer: Uint8Array, length: number, more: number): Uint8Array {
  if (length + more <= buffer.length) return buffer;
  const larger = new Uint8Array(Math.max(length + more, 2 * buffer.length));
  larger.set(buffer.subarray(0, length));
  return larger;
}

function finishedLine(bytes: Uint8Array, long: LongLine | undefined): readonly InputLine[] {
  if (long === undefined) return bytes.length === 0 ? [] : [{ kind: "line", bytes }];
  const decoder = new TextDecoder();
  return [{ kind: "too-long", head: decoder.decode(long.head), tail: decoder.decode(long.tail) }];
}

function firstBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = [...one.subarray(0, KEPT_BYTES), ...other.subarray(0, KEPT_BYTES)];
  return Uint8Array.from(both.slice(0, KEPT_BYTES));
}

function lastBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = [...one.subarray(-KEPT_BYTES), ...other.subarray(-KEPT_BYTES)];
  return Uint8Array.from(both.slice(-KEPT_BYTES));
}
