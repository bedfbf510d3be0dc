import { utf8Bytes } from "@caliban/common";

/** The maximum length of a line in bytes, without its end. Readers skip longer lines. */
export const MAX_LINE_BYTES: number = 32 * 1024 * 1024;

// How many characters to keep of each text, tried in this order.
const TEXT_LENGTHS = [8 * 1024 * 1024, 1024 * 1024, 64 * 1024, 1024];

/**
 * A value as JSON of at most `maxBytes`. If it would be longer, its long texts are truncated, each with a note at the end.
 * `undefined` when that is not enough.
 */
export function fittingJson(value: unknown, maxBytes: number): string | undefined {
  const whole = JSON.stringify(value);
  if (fits(whole, maxBytes)) return whole;
  for (const length of TEXT_LENGTHS) {
    const json = JSON.stringify(value, (_, item: unknown) => truncate(item, length));
    if (fits(json, maxBytes)) return json;
  }
  return undefined;
}

function truncate(item: unknown, length: number): unknown {
  if (typeof item !== "string" || item.length <= length) return item;
  // Do not split a character.
  const head = item.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  return `${head}\n[cut here when the session was saved: ${item.length - head.length} more characters]`;
}

function fits(json: string, maxBytes: number): boolean {
  // A UTF-16 unit takes at most three bytes in UTF-8, and nearly all lines are short.
  return json.length * 3 <= maxBytes || (json.length <= maxBytes && utf8Bytes(json) <= maxBytes);
}
