import { readSync } from "node:fs";
import { parseJsonRecord } from "@caliban/common";
import { hasCode } from "@caliban/common/node";
import type { Host } from "../host.ts";

const STDIN = 0;
const CHUNK_BYTES = 64 * 1024;
/** The result of a tool may be an image. More than this is read and dropped: an agent may fail to write to a closed pipe. */
const MAX_BYTES = 32 * 1024 ** 2;

/**
 * All of stdin, or as much as makes a JSON object: an agent may leave the pipe open, and while this waits, no time limit
 * holds. A clause that says what is wrong with it if it is too long. Opening a stream would take milliseconds.
 */
export async function readHookInput(
  host: Pick<Host, "readInput">,
): Promise<string | { readonly problem: string }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let parsedBytes = 0;
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const count = readSync(STDIN, chunk);
      if (count === 0) break;
      bytes += count;
      if (bytes <= MAX_BYTES) chunks.push(chunk.subarray(0, count));
      else chunks.length = 0;
      // Twice as much each time, so that a long input is not parsed again and again.
      if (bytes < 2 * parsedBytes || !mayEnd(chunks.at(-1))) continue;
      parsedBytes = bytes;
      const text = Buffer.concat(chunks).toString();
      if (parseJsonRecord(text) !== undefined) return text;
    }
  } catch (error) {
    // The pipe is shared with a program that does not wait, so it has to be read as a stream.
    if (hasCode(error, "EAGAIN"))
      return Buffer.concat(chunks).toString() + (await host.readInput());
    // Windows reports the end of a pipe so.
    if (!hasCode(error, "EOF")) throw error;
  }
  if (bytes > MAX_BYTES) return { problem: `stdin is longer than ${MAX_BYTES} bytes` };
  return Buffer.concat(chunks).toString();
}

const END = /\}\s*$/;

/** Whether an object may end here. A chunk that fills the buffer is rarely the last one. */
function mayEnd(chunk: Buffer | undefined): boolean {
  if (chunk === undefined || chunk.length === CHUNK_BYTES) return false;
  return END.test(chunk.subarray(-8).toString("latin1"));
}
