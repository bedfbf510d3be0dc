import { closeSync, read } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { MAX_LINE_BYTES } from "../fit-line.ts";
import { type SessionId, sessionFileName } from "../session-id.ts";
import {
  createTranscriptCollector,
  type Transcript,
  type TranscriptCollector,
} from "../transcript.ts";
import { openToRead } from "./session-file.ts";

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

const readChunk = promisify(read);

/**
 * Reads a session file to its end, one line in memory at a time.
 * @throws SessionsError `NOT_FOUND`, or `UNREADABLE` for a link or anything but a regular file
 */
export async function readSession(directory: string, id: SessionId): Promise<Transcript> {
  return await readTranscript(join(directory, sessionFileName(id)));
}

/** The same for a file by its path; `maxLineBytes` is how long a line may be that is read. */
export async function readTranscript(
  path: string,
  maxLineBytes: number = MAX_LINE_BYTES,
): Promise<Transcript> {
  const descriptor = openToRead(path);
  try {
    const lines = createLineSplitter(createTranscriptCollector(), maxLineBytes);
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- the next chunk stands behind this one
      const { bytesRead } = await readChunk(descriptor, chunk, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return lines.end();
      lines.push(chunk.subarray(0, bytesRead));
    }
  } finally {
    closeSync(descriptor);
  }
}

interface LineSplitter {
  readonly push: (chunk: Buffer) => void;
  readonly end: () => Transcript;
}

/** Hands on whole lines. Of a line that is too long, nothing is kept. */
function createLineSplitter(collector: TranscriptCollector, maxBytes: number): LineSplitter {
  const decoder = new TextDecoder();
  let held: Buffer[] = [];
  let heldBytes = 0;
  const hold = (bytes: Buffer): void => {
    heldBytes += bytes.length;
    if (heldBytes > maxBytes) held = [];
    // The chunk is filled again, so what is kept of it is copied.
    else if (bytes.length > 0) held.push(Buffer.from(bytes));
  };
  const endLine = (): void => {
    if (heldBytes > maxBytes) collector.skipLine(tooLong(maxBytes));
    else collector.addLine(decoder.decode(Buffer.concat(held)));
    held = [];
    heldBytes = 0;
  };
  return {
    push: (chunk) => {
      let from = 0;
      for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
        hold(chunk.subarray(from, end));
        endLine();
        from = end + 1;
      }
      hold(chunk.subarray(from));
    },
    end: () => {
      if (heldBytes <= maxBytes) return collector.end(decoder.decode(Buffer.concat(held)));
      collector.skipLine(tooLong(maxBytes));
      return collector.end("");
    },
  };
}

function tooLong(maxBytes: number): string {
  return `it is longer than ${Math.round(maxBytes / 1024 / 1024)} MiB`;
}
