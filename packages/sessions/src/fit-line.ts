/** How long a line may be, in bytes and without its end; a reader leaves out what is longer. */
export const MAX_LINE_BYTES: number = 32 * 1024 * 1024;

// How many characters of each text are kept, tried one after the other.
const TEXT_LENGTHS = [8 * 1024 * 1024, 1024 * 1024, 64 * 1024, 1024];

/**
 * A value as JSON that a reader takes. When it would be too long, its long texts are cut, each with a note at its end;
 * `undefined` when that does not help. `maxBytes` is how long it may be.
 */
export function fittingJson(value: unknown, maxBytes: number): string | undefined {
  const whole = JSON.stringify(value);
  if (fits(whole, maxBytes)) return whole;
  for (const length of TEXT_LENGTHS) {
    const json = JSON.stringify(value, (_, item: unknown) => cut(item, length));
    if (fits(json, maxBytes)) return json;
  }
  return undefined;
}

function cut(item: unknown, length: number): unknown {
  if (typeof item !== "string" || item.length <= length) return item;
  // Not in the middle of a character.
  const head = item.slice(0, length).replace(/[\uD800-\uDBFF]$/, "");
  return `${head}\n[cut here when the session was saved: ${item.length - head.length} more characters]`;
}

function fits(json: string, maxBytes: number): boolean {
  // No character of a text takes more than three bytes of UTF-8 for each of its places, and nearly all lines are short.
  return json.length * 3 <= maxBytes || (json.length <= maxBytes && utf8Bytes(json) <= maxBytes);
}

function utf8Bytes(json: string): number {
  let bytes = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    const isHalf = code >= 0xd800 && code <= 0xdfff;
    if (code < 0x80) bytes += 1;
    else bytes += code < 0x800 || isHalf ? 2 : 3;
  }
  return bytes;
}
