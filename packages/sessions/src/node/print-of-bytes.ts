import { createHash } from "node:crypto";
import { readSync } from "node:fs";

const BLOCK_BYTES: number = 64 * 1024;
const MOST_BLOCKS = 64;

/**
 * Stands for the first bytes of an open file: others have another print. Of more than 4 MiB, blocks are looked at that lie
 * evenly over all of it, the first and the last among them.
 */
export function printOfBytes(descriptor: number, byteCount: number): string {
  const hash = createHash("sha256");
  const block = new Uint8Array(BLOCK_BYTES);
  for (const start of blockStarts(byteCount)) {
    const wanted = Math.min(BLOCK_BYTES, byteCount - start);
    hash.update(block.subarray(0, readSync(descriptor, block, 0, wanted, start)));
  }
  return hash.digest("hex").slice(0, 16);
}

function blockStarts(byteCount: number): readonly number[] {
  const blocks = Math.ceil(byteCount / BLOCK_BYTES);
  if (blocks <= MOST_BLOCKS) return Array.from({ length: blocks }, (_, at) => at * BLOCK_BYTES);
  const step = (byteCount - BLOCK_BYTES) / (MOST_BLOCKS - 1);
  return Array.from({ length: MOST_BLOCKS }, (_, at) => Math.floor(at * step));
}
