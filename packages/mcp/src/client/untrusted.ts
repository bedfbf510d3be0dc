import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { sanitize } from "@caliban/memory";

// A sequence that moves the cursor or colours.
const ESCAPE_SEQUENCE =
  // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
  /\u001B\[[0-?]{0,64}[ -/]{0,8}[@-~]/g;
const LINE_END = /\r\n?|[\u2028\u2029]/g;
// What is not seen, besides what holds an emoji or a word together.
const UNSEEN = /(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}/gu;

/** A text of a server that may stand in a prompt: plain lines, nothing unseen in them, and none of our tags and frames. */
export function sanitizeText(text: string): string {
  return sanitize(terminalSafe(plain(text)));
}

/** The same on one line, for people; a longer one ends with a sign. */
export function sanitizeLine(text: string, maxCharacters: number): string {
  const line = plain(text.slice(0, maxCharacters * 4))
    .replaceAll(/\s+/g, " ")
    .trim();
  const isCut = line.length > maxCharacters || text.length > maxCharacters * 4;
  return terminalSafeLine(isCut ? `${line.slice(0, maxCharacters).toWellFormed()}…` : line);
}

function plain(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(ESCAPE_SEQUENCE, "")
    .replaceAll(LINE_END, "\n")
    .replaceAll(UNSEEN, "");
}

/** Whether a value of JSON is nested no deeper than this: what walks through it must not run out of stack. */
export function isNestedWithin(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((item) => isNestedWithin(item, depth - 1));
}
