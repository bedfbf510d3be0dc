import { utf8Bytes } from "@caliban/common";

/** The start of a text, in whole characters. */
export function firstBytes(text: string, maxBytes: number): string {
  if (utf8Bytes(text) <= maxBytes) return text;
  // encodeInto stops before a character that does not fit.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, maxBytes)));
  return text.slice(0, read);
}

const MARK = "(The rest is omitted because it is too long.)";

/** A text within a number of bytes: whole lines where one fits, and a line that marks the omission. */
export function truncateLines(text: string, maxBytes: number): string {
  if (utf8Bytes(text) <= maxBytes) return text;
  const start = firstBytes(text, maxBytes - utf8Bytes(MARK) - 1);
  const end = start.lastIndexOf("\n");
  const kept = end === -1 ? start : start.slice(0, end);
  return `${kept.trimEnd()}\n${MARK}`;
}
