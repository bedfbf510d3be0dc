import { closeSync, read } from "node:fs";
import { promisify } from "node:util";
import { MAX_LINE_BYTES } from "../record/fit-line.ts";
import { openToRead } from "./session-file.ts";

/** A line of a file without its end, and its offset. */
export type FileLine = { readonly byte: number } & (
  | { readonly kind: "line"; readonly text: string }
  /** The text after the last line end, which may be empty. */
  | { readonly kind: "rest"; readonly text: string }
  /** A line that was skipped. */
  | { readonly kind: "too-long"; readonly reason: string }
);

export interface LinesInput {
  /** Where to start: at the beginning of a line. */
  readonly fromByte?: number | undefined;
  /** The maximum length of a line. */
  readonly maxLineBytes?: number | undefined;
  /** How much to read at a time. */
  readonly chunkBytes?: number | undefined;
  /** Which lines to return. Gets only the first bytes of a line that is too long. */
  readonly isRelevant?: ((line: Buffer) => boolean) | undefined;
}

export interface FileLinesInput extends LinesInput {
  readonly path: string;
}

const CHUNK_BYTES = 256 * 1024;
/** How much of a line that is too long is kept. */
const HEAD_BYTES = 512;
const NEWLINE = 0x0a;

const readChunk = promisify(read);

/**
 * Reads the lines of a file to its end.
 * @yields the lines that end in one chunk
 * @throws SessionsError `NOT_FOUND`, or `UNREADABLE` for a link or anything but a regular file
 */
export async function* fileLines(input: FileLinesInput): AsyncGenerator<readonly FileLine[], void> {
  const descriptor = openToRead(input.path);
  try {
    yield* openLines(descriptor, input);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The same for an open file, which stays open.
 * @yields the lines that end in one chunk
 */
export async function* openLines(
  descriptor: number,
  input: LinesInput,
): AsyncGenerator<readonly FileLine[], void> {
  const { fromByte = 0, chunkBytes = CHUNK_BYTES } = input;
  const splitter = createLineSplitter(input);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let byte = fromByte; ;) {
    const { bytesRead } = await readChunk(descriptor, chunk, 0, chunkBytes, byte);
    if (bytesRead === 0) break;
    byte += bytesRead;
    yield splitter.push(chunk.subarray(0, bytesRead));
  }
  yield splitter.end();
}

interface LineSplitter {
  readonly push: (chunk: Buffer) => readonly FileLine[];
  readonly end: () => readonly FileLine[];
}

/** Splits chunks into lines. Only the beginning of a line that is too long is kept. */
function createLineSplitter(input: LinesInput): LineSplitter {
  const { fromByte = 0, maxLineBytes = MAX_LINE_BYTES, isRelevant = () => true } = input;
  const decoder = new TextDecoder();
  let byte = fromByte;
  let held: Buffer[] = [];
  let heldBytes = 0;
  const hold = (bytes: Buffer): void => {
    const isKept = heldBytes <= maxLineBytes && heldBytes + bytes.length <= maxLineBytes;
    if (!isKept && heldBytes <= maxLineBytes) held = [copyHead(held, bytes)];
    heldBytes += bytes.length;
    // The chunk is reused, so the bytes are copied.
    if (isKept && bytes.length > 0) held.push(Buffer.from(bytes));
  };
  const lineEndingWith = (bytes: Buffer, kind: "line" | "rest"): readonly FileLine[] => {
    const isTooLong = heldBytes + bytes.length > maxLineBytes;
    const whole = heldBytes === 0 ? bytes : Buffer.concat([...held, ...(isTooLong ? [] : [bytes])]);
    const at = byte;
    byte += heldBytes + bytes.length + (kind === "line" ? 1 : 0);
    held = [];
    heldBytes = 0;
    if (!isRelevant(whole)) return kind === "rest" ? [{ kind, text: "", byte: at }] : [];
    if (isTooLong) return [{ kind: "too-long", reason: tooLong(maxLineBytes), byte: at }];
    return [{ kind, text: decoder.decode(whole), byte: at }];
  };
  return {
    push: (chunk) => {
      const lines: FileLine[] = [];
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        lines.push(...lineEndingWith(chunk.subarray(from, end), "line"));
        from = end + 1;
      }
      hold(chunk.subarray(from));
      return lines;
    },
    end: () => {
      const last = lineEndingWith(Buffer.alloc(0), "rest");
      const [only] = last;
      return only?.kind === "too-long"
        ? [...last, { kind: "rest", text: "", byte: only.byte }]
        : last;
    },
  };
}

/** Copies only the first bytes, because the held bytes may be as long as the longest line. */
function copyHead(held: readonly Buffer[], bytes: Buffer): Buffer {
  const first: Buffer[] = [];
  let wanted = HEAD_BYTES;
  for (const each of [...held, bytes]) {
    if (wanted <= 0) break;
    first.push(each.subarray(0, wanted));
    wanted -= each.length;
  }
  return Buffer.concat(first);
}

function tooLong(maxBytes: number): string {
  return `it is longer than ${Math.round(maxBytes / 1024 / 1024)} MiB`;
}
