import { utf8Bytes } from "@caliban/common";
import { checkText } from "../check-arguments.ts";
import { stripComments } from "../markdown/comments.ts";
import { MAX_INDEX_BYTES, MAX_INDEX_LINES, TARGET_SHARE, WARN_SHARE } from "../topics/limits.ts";
import { commentedPart } from "./index-lines.ts";

/** How many lines and bytes count toward the limits; comments do not. */
export function indexSize(text: string): { readonly lines: number; readonly bytes: number } {
  checkText("indexSize", text);
  const commented = commentedPart(text);
  const stripped = stripComments(commented).text;
  const tail = commented === text ? stripped : text;
  const hasOpenLine = tail !== "" && !tail.endsWith("\n");
  return {
    lines:
      countLineEnds(text, commented.length) + countLineEnds(stripped, 0) + (hasOpenLine ? 1 : 0),
    bytes: utf8Bytes(text) - utf8Bytes(commented) + utf8Bytes(stripped),
  };
}

function countLineEnds(text: string, from: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** A warning for the writer when the index is nearly full; `undefined` while there is enough room. */
export function indexWarning(text: string): string | undefined {
  const { lines, bytes } = indexSize(text);
  if (lines < MAX_INDEX_LINES * WARN_SHARE && bytes < MAX_INDEX_BYTES * WARN_SHARE)
    return undefined;
  const isOver = lines > MAX_INDEX_LINES || bytes > MAX_INDEX_BYTES;
  const state = isOver
    ? "is over its limit: the lines at its end are no longer shown"
    : "is nearly full: lines beyond its limit will not be shown";
  const size = `${lines} of ${MAX_INDEX_LINES} lines, ${bytes} of ${MAX_INDEX_BYTES} bytes`;
  const target = `${MAX_INDEX_LINES * TARGET_SHARE} lines and ${MAX_INDEX_BYTES * TARGET_SHARE} bytes`;
  return `The index ${state} (${size}). Merge related topics and delete stale ones, down to ${target}.`;
}
