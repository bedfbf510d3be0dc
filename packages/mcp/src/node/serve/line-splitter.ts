/** A line, or what is known of one that was too long to be kept. */
export type SplitLine =
  | { readonly kind: "line"; readonly bytes: Uint8Array }
  | { readonly kind: "too-long"; readonly head: string; readonly tail: string };

/** Makes lines of bytes as they come, and keeps no more of one than it may have. */
export interface LineSplitter {
  readonly push: (chunk: Uint8Array) => readonly SplitLine[];
  /** What stands behind the last line end. */
  readonly end: () => readonly SplitLine[];
}

const NEWLINE = 0x0a;

export function createLineSplitter(maxBytes: number): LineSplitter {
  const line = createOpenLine(maxBytes);
  return {
    push: (chunk) => {
      const lines: SplitLine[] = [];
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
  readonly finish: () => readonly SplitLine[];
}

/** Enough of both ends of a line that is too long to find an id in. */
const KEPT_OF_LONG = 256;
const FIRST_ROOM = 4_096;

/** One buffer that grows, because a client may send a byte at a time. */
function createOpenLine(maxBytes: number): OpenLine {
  let buffer: Uint8Array = new Uint8Array(FIRST_ROOM);
  let length = 0;
  let long: { readonly head: Uint8Array; readonly tail: Uint8Array } | undefined;
  return {
    add: (part) => {
      if (long !== undefined) {
        long = { head: firstOf(long.head, part), tail: lastOf(long.tail, part) };
      } else if (length + part.length > maxBytes) {
        const kept = buffer.subarray(0, length);
        long = { head: firstOf(kept, part), tail: lastOf(kept, part) };
      } else {
        buffer = withRoom(buffer, length, part.length);
        buffer.set(part, length);
        length += part.length;
      }
    },
    finish: () => {
      const finished = finishedLine(buffer.slice(0, length), long);
      if (buffer.length > FIRST_ROOM) buffer = new Uint8Array(FIRST_ROOM);
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

function finishedLine(
  bytes: Uint8Array,
  long: { readonly head: Uint8Array; readonly tail: Uint8Array } | undefined,
): readonly SplitLine[] {
  if (long === undefined) return bytes.length === 0 ? [] : [{ kind: "line", bytes }];
  const decoder = new TextDecoder();
  return [{ kind: "too-long", head: decoder.decode(long.head), tail: decoder.decode(long.tail) }];
}

function firstOf(one: Uint8Array, other: Uint8Array): Uint8Array {
  return joined(one.subarray(0, KEPT_OF_LONG), other.subarray(0, KEPT_OF_LONG)).slice(
    0,
    KEPT_OF_LONG,
  );
}

function lastOf(one: Uint8Array, other: Uint8Array): Uint8Array {
  return joined(one.subarray(-KEPT_OF_LONG), other.subarray(-KEPT_OF_LONG)).slice(-KEPT_OF_LONG);
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}
