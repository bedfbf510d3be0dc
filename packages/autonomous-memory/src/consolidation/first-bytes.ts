import { utf8Bytes } from "@caliban/common";

/** The beginning of a text, in whole characters. */
export function firstBytes(text: string, maxBytes: number): string {
  if (utf8Bytes(text) <= maxBytes) return text;
  // Stops before a character that does not fit.
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(Math.max(0, maxBytes)));
  return text.slice(0, read);
}
