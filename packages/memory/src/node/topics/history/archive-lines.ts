import { readSync } from "node:fs";
import {
  type ArchivedHead,
  packedIn,
  parseArchivedHead,
  renderArchived,
} from "../../../history/archived-change.ts";
import { type Change, parseHistoryLine, renderChange } from "../../../history/change.ts";
import { sha256Hex } from "../../sha256-hex.ts";
import { withHistory } from "./history-tail.ts";
import { reportRefused } from "./refused-history.ts";

/** A line of the archive, and where it is. */
export interface ArchivedLine {
  readonly head: ArchivedHead;
  readonly start: number;
  readonly bytes: number;
}

const CHUNK_BYTES = 1024 * 1024;
const LINE_END = 0x0a;

/** Visits the valid lines of an archive from oldest to newest. Only one line is in memory at a time. */
export function visitArchive(
  path: string,
  visit: (line: ArchivedLine, text: string) => void,
): void {
  reportRefused(path, () =>
    withHistory(path, (descriptor, { size }) => {
      let [rest, start] = [Buffer.alloc(0), 0];
      for (let position = 0; position < size;) {
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
        const read = readSync(descriptor, chunk, 0, chunk.length, position);
        if (read === 0) return;
        position += read;
        rest = Buffer.concat([rest, chunk.subarray(0, read)]);
        let from = 0;
        for (let end = rest.indexOf(LINE_END); end !== -1; end = rest.indexOf(LINE_END, from)) {
          const text = rest.toString("utf8", from, end);
          const head = parseArchivedHead(text);
          if (head !== undefined) visit({ head, start: start + from, bytes: end + 1 - from }, text);
          from = end + 1;
        }
        rest = rest.subarray(from);
        start += from;
      }
    }),
  );
}

/** The changes of an archive, oldest first. A damaged one is left out. */
export async function readArchivedChanges(
  path: string,
  includes: (head: ArchivedHead) => boolean = () => true,
): Promise<readonly Change[]> {
  const packed: string[] = [];
  visitArchive(path, ({ head }, text) => void (includes(head) && packed.push(packedIn(text))));
  if (packed.length === 0) return [];
  const { brotliDecompressSync } = await import("node:zlib");
  return packed.flatMap((text) => {
    const parsed = parseHistoryLine(unpack(text, brotliDecompressSync));
    return parsed !== undefined && "id" in parsed ? [parsed] : [];
  });
}

function unpack(packed: string, decompress: (bytes: Buffer) => Buffer): string {
  try {
    return decompress(Buffer.from(packed, "base64")).toString("utf8");
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Not a line that we wrote.
    return "";
  }
}

/** Renders lines of the archive. */
export async function renderArchivedLines(changes: readonly Change[]): Promise<string> {
  if (changes.length === 0) return "";
  const { brotliCompressSync, constants } = await import("node:zlib");
  // The window covers both texts of a change, which usually have most lines in common.
  const params = {
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_LGWIN]: 22,
  };
  return changes
    .map((change) => {
      const packed = brotliCompressSync(renderChange(change), { params }).toString("base64");
      return renderArchived(change, { packed, sha256Hex });
    })
    .join("");
}
