import { terminalSafeLine } from "@caliban/common";
import { sanitize } from "@caliban/memory";

// Invisible characters, except those that join emoji or letters.
const INVISIBLE = /(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}/gu;

/** Makes foreign text safe as a part of a line of ours: one short line that cannot pose as one of our frames. */
export function sanitizeLine(text: string, maxCharacters: number): string {
  // Removing spaces may make room for more text, but not for an arbitrary amount.
  const plain = text
    .slice(0, maxCharacters * 4)
    .toWellFormed()
    .replaceAll(/[\s\p{Cc}\u2028\u2029]+/gu, " ")
    .trim();
  const line = terminalSafeLine(plain).replaceAll(INVISIBLE, "");
  const isTruncated = line.length > maxCharacters || text.length > maxCharacters * 4;
  return sanitize(isTruncated ? `${line.slice(0, maxCharacters).toWellFormed()}…` : line);
}
