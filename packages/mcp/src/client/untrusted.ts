import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { sanitize } from "@caliban/memory";

/** Text of a server that is safe in a prompt: no escape sequences, no invisible characters, none of our tags and frames. */
export function sanitizeText(text: string): string {
  return sanitize(terminalSafe(plain(text)));
}

/** The same on one line, for a terminal. A truncated line ends with `…`. */
export function sanitizeLine(text: string, maxCharacters: number): string {
  const line = plain(text.slice(0, maxCharacters * 4))
    .replaceAll(/\s+/g, " ")
    .trim();
  const isTruncated = line.length > maxCharacters || text.length > maxCharacters * 4;
  return terminalSafeLine(isTruncated ? `${line.slice(0, maxCharacters).toWellFormed()}…` : line);
}

// Moves the cursor or changes colors.
const ESCAPE_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /\u001B\[[0-?]{0,64}[ -/]{0,8}[@-~]/g;
const LINE_END = /\r\n?|[\u2028\u2029]/g;
// Except those that join an emoji or a word.
const INVISIBLE = /(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}/gu;

function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(ESCAPE_SEQUENCE, "")
    .replaceAll(LINE_END, "\n")
    .replaceAll(INVISIBLE, "");
}

/** Whether a JSON value is nested at most this deep. Deeper ones would overflow the stack of what walks through them. */
export function isNestedWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((item) => isNestedWithin(item, depth - 1));
}
