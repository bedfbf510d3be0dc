import { isRecord, parseJson } from "@caliban/common";

/** The JSON in an answer. */
export type FoundObject =
  | { readonly kind: "object"; readonly object: JsonObject }
  /** An object starts and does not end. */
  | { readonly kind: "truncated" }
  /** JSON, but not an object. */
  | { readonly kind: "other" }
  | { readonly kind: "none" };

export type JsonObject = Readonly<Record<string, unknown>>;

/** Each try reads the rest of the text once, so a fixed number keeps the time linear. */
const MAX_TRIES = 16;

/**
 * The object that a text consists of, or the first one in it with one of the keys: models surround it with prose and
 * fences, and a truncated answer contains complete nested objects.
 */
export function findJsonObject(text: string, keys: readonly string[]): FoundObject {
  const whole = parseJson(text);
  if (whole !== undefined) {
    return isRecord(whole) ? { kind: "object", object: whole } : { kind: "other" };
  }
  const { objects, isTruncated } = objectsIn(text);
  const expected = objects.find((object) => keys.some((key) => Object.hasOwn(object, key)));
  if (expected === undefined && isTruncated) return { kind: "truncated" };
  const object = expected ?? objects[0];
  return object === undefined ? { kind: "none" } : { kind: "object", object };
}

/** Objects that do not overlap, and whether one starts that does not end. */
function objectsIn(text: string): {
  readonly objects: readonly JsonObject[];
  readonly isTruncated: boolean;
} {
  const objects: JsonObject[] = [];
  let isTruncated = false;
  let start = nextStart(text, 0);
  for (let tries = 0; start !== -1 && tries < MAX_TRIES; tries++) {
    const end = endOfObject(text, start);
    isTruncated ||= end === -1;
    const value = end === -1 ? undefined : parseJson(text.slice(start, end));
    const isComplete = isRecord(value);
    if (isComplete) objects.push(value);
    start = nextStart(text, isComplete ? end : start + 1);
  }
  return { objects, isTruncated };
}

/** The start of the next object with a key; braces in prose and code rarely have one. */
function nextStart(text: string, from: number): number {
  const start = /\{\s*"/g;
  start.lastIndex = from;
  return start.exec(text)?.index ?? -1;
}

/** The position after the brace that closes the one at `start`; braces in strings do not count. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else at += 1;
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if (depth === 0) return at;
  }
  return -1;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}
