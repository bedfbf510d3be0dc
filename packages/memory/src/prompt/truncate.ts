import { utf8Bytes } from "@caliban/common";
import type { Block } from "./tier.ts";

const NEWLINE = 0x0a;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Keeps at most `maxBytes` of the body, cut at a line end if possible, and never inside a character. */
export function truncateBody(block: Block, maxBytes: number): Block {
  const bytes = encoder.encode(block.body);
  if (bytes.length <= maxBytes) return block;
  const kept = bytes.subarray(0, lastLineEnd(bytes, maxBytes) || lastCharacterEnd(bytes, maxBytes));
  const removedBytes = block.removedBytes + bytes.length - kept.length;
  return { ...block, body: decoder.decode(kept), removedBytes };
}

/** Keeps at most `maxLines` whole lines. */
export function truncateLines(block: Block, maxLines: number): Block {
  let end = 0;
  for (let line = 0; line < maxLines; line++) {
    const newline = block.body.indexOf("\n", end);
    if (newline === -1) return block;
    end = newline + 1;
  }
  if (end === block.body.length) return block;
  const removedBytes = block.removedBytes + utf8Bytes(block.body.slice(end));
  return { ...block, body: block.body.slice(0, end), removedBytes };
}

/** The line that replaces what was cut. */
export function truncationNotice(removedBytes: number): string {
  return `[truncated: ${removedBytes} bytes]\n`;
}

function lastLineEnd(bytes: Uint8Array, maxBytes: number): number {
  return maxBytes <= 0 ? 0 : bytes.lastIndexOf(NEWLINE, maxBytes - 1) + 1;
}

function lastCharacterEnd(bytes: Uint8Array, maxBytes: number): number {
  let end = Math.max(0, maxBytes);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return end;
}
