/** What an answer has in it. */
export type FoundObject =
  | { readonly kind: "object"; readonly object: JsonObject }
  /** An object begins and does not end. */
  | { readonly kind: "cut" }
  /** JSON, and no object. */
  | { readonly kind: "other" }
  | { readonly kind: "none" };

export type JsonObject = Readonly<Record<string, unknown>>;

/** Each try reads the rest of the text once, so their number is what keeps the time linear. */
const MOST_TRIES = 16;

/**
 * The object that a text is, or the first one in it with one of the keys: models put prose and fences around it, and an
 * answer that was cut off has whole objects in it.
 */
export function findJsonObject(text: string, keys: readonly string[]): FoundObject {
  const whole = parseJson(text);
  if (whole !== undefined) {
    return isObject(whole.value) ? { kind: "object", object: whole.value } : { kind: "other" };
  }
  const { objects, isCut } = objectsIn(text);
  const ours = objects.find((object) => keys.some((key) => Object.hasOwn(object, key)));
  if (ours === undefined && isCut) return { kind: "cut" };
  const object = ours ?? objects[0];
  return object === undefined ? { kind: "none" } : { kind: "object", object };
}

/** Objects that do not overlap, and whether one began that does not end. */
function objectsIn(text: string): {
  readonly objects: readonly JsonObject[];
  readonly isCut: boolean;
} {
  const objects: JsonObject[] = [];
  let isCut = false;
  let start = nextStart(text, 0);
  for (let tries = 0; start !== -1 && tries < MOST_TRIES; tries++) {
    const end = endOfObject(text, start);
    isCut ||= end === -1;
    const value = end === -1 ? undefined : parseJson(text.slice(start, end))?.value;
    const isWhole = isObject(value);
    if (isWhole) objects.push(value);
    start = nextStart(text, isWhole ? end : start + 1);
  }
  return { objects, isCut };
}

/** Where the next object begins that has a key; braces in prose and in code mostly have none. */
function nextStart(text: string, from: number): number {
  const start = /\{\s*"/g;
  start.lastIndex = from;
  return start.exec(text)?.index ?? -1;
}

/** Behind the brace that closes the one at `start`; braces in strings do not count. */
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

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
