import { closeSync, read } from "node:fs";
import { promisify } from "node:util";
import { MAX_LINE_BYTES } from "../fit-line.ts";
import { openToRead } from "./session-file.ts";

/** A line of a file, without its end. */
export type FileLine =
  | { readonly kind: "line"; readonly text: string }
  /** What stands behind the last line end, also when that is nothing. */
  | { readonly kind: "rest"; readonly text: string }
  /** One of which nothing was kept. */
  | { readonly kind: "too-long"; readonly reason: string };

export interface FileLinesInput {
  readonly path: string;
  /** How long a line may be that is read. */
  readonly maxLineBytes?: number | undefined;
  /** How much is read at a time. */
  readonly chunkBytes?: number | undefined;
  /** Has to be in a line, or it is passed over. */
  readonly mark?: string | undefined;
}

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

const readChunk = promisify(read);

/**
 * The lines of a file to its end.
 * @yields as many as one reading ends
 * @throws SessionsError `NOT_FOUND`, or `UNREADABLE` for a link or anything but a regular file
 */
export async function* fileLines(input: FileLinesInput): AsyncGenerator<readonly FileLine[], void> {
  const { path, chunkBytes = CHUNK_BYTES } = input;
  const descriptor = openToRead(path);
  try {
    const splitter = createLineSplitter(input);
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- the next chunk stands behind this one
      const { bytesRead } = await readChunk(descriptor, chunk, 0, chunkBytes, null);
      if (bytesRead === 0) break;
      yield splitter.push(chunk.subarray(0, bytesRead));
    }
    yield splitter.end();
  } finally {
    closeSync(descriptor);
  }
}

interface LineSplitter {
  readonly push: (chunk: Buffer) => readonly FileLine[];
  readonly end: () => readonly FileLine[];
}

/** Hands on whole lines. Of a line that is too long, nothing is kept. */
function createLineSplitter({ maxLineBytes = MAX_LINE_BYTES, mark }: FileLinesInput): LineSplitter {
  const decoder = new TextDecoder();
  let held: Buffer[] = [];
  let heldBytes = 0;
  const hold = (bytes: Buffer): void => {
    heldBytes += bytes.length;
    if (heldBytes > maxLineBytes) held = [];
    // The chunk is filled again, so what is kept of it is copied.
    else if (bytes.length > 0) held.push(Buffer.from(bytes));
  };
  const lineEndingWith = (bytes: Buffer, kind: "line" | "rest"): readonly FileLine[] => {
    const isTooLong = heldBytes + bytes.length > maxLineBytes;
    const whole = heldBytes === 0 || isTooLong ? bytes : Buffer.concat([...held, bytes]);
    held = [];
    heldBytes = 0;
    if (isTooLong) return [{ kind: "too-long", reason: tooLong(maxLineBytes) }];
    if (mark !== undefined && !whole.includes(mark)) return [];
    return [{ kind, text: decoder.decode(whole) }];
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
      return last[0]?.kind === "too-long" ? [...last, { kind: "rest", text: "" }] : last;
    },
  };
}

function tooLong(maxBytes: number): string {
  return `it is longer than ${Math.round(maxBytes / 1024 / 1024)} MiB`;
}
