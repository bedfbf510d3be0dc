import { utf8Bytes } from "@caliban/common";
import { firstBytes } from "../consolidation/first-bytes.ts";

const MARK = "(The rest was left out: it is too long.)";

/** A text within a number of bytes: whole lines where one fits, and a line that says what is missing. */
export function shortened(text: string, maxBytes: number): string {
  if (utf8Bytes(text) <= maxBytes) return text;
  const beginning = firstBytes(text, maxBytes - utf8Bytes(MARK) - 1);
  const end = beginning.lastIndexOf("\n");
  const kept = end === -1 ? beginning : beginning.slice(0, end);
  return `${kept.trimEnd()}\n${MARK}`;
}
